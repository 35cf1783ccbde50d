//! `#[derive(Record)]`: turns a struct into an object among the arguments.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Result};

use crate::field;

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let ty = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(ty, "a record is a struct"));
    };
    let (mut params, mut decode, mut fields) = (Vec::new(), Vec::new(), Vec::new());
    let (mut checks, mut targets) = (Vec::new(), Vec::new());
    for field in field::named(&data.fields)? {
        let (ident, name) = field::wire_name(field)?;
        let field_ty = &field.ty;
        let is_target = field::has(&field.attrs, "target");
        let needs = if is_target { field::TargetLevel::OfTheChoice } else { field::TargetLevel::Nothing };
        params.push(field::param(&name, &field.attrs, field_ty, needs, ident)?);
        decode.push(quote! { let #ident = args.take::<#field_ty>(#name); });
        fields.push(ident);
        if is_target {
            targets.push(quote! {
                let inside = ::puppy_core::args::inside(param, #name);
                ::puppy_core::permission::Targets::add_needs(&self.#ident, &inside, level, out);
            });
        } else {
            checks.push(field_ty);
        }
    }
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    // A generic parameter is in scope only inside the type's own items.
    let is_generic = !input.generics.params.is_empty();
    let inside = checks.iter().filter(|_| is_generic).map(|ty| field::assert_plain_inside(ty));
    let beside = checks.iter().filter(|_| !is_generic).map(|ty| field::assert_plain(ty));
    let marker = if targets.is_empty() {
        quote! {
            #[diagnostic::do_not_recommend]
            impl #generics ::puppy_core::args::Plain for #ty #arguments #bounds {}
        }
    } else {
        quote! {
            #[diagnostic::do_not_recommend]
            impl #generics ::puppy_core::permission::Targets for #ty #arguments #bounds {
                fn add_needs(
                    &self,
                    param: &str,
                    level: ::puppy_core::permission::Level,
                    out: &mut ::std::vec::Vec<::puppy_core::permission::Need>,
                ) {
                    #(#targets)*
                }
            }
        }
    };
    Ok(quote! {
        #(#beside)*
        #marker

        impl #generics ::puppy_core::args::Decode for #ty #arguments #bounds {
            const PARAMS: &'static [::puppy_core::spec::Param] = &[#(#params),*];

            fn decode(args: &mut ::puppy_core::args::Args) -> ::core::option::Option<Self> {
                #(#inside)*
                #(#decode)*
                ::core::option::Option::Some(#ty { #(#fields: #fields?),* })
            }
        }

        impl #generics ::puppy_core::args::Arg for #ty #arguments #bounds {
            const KIND: ::puppy_core::spec::Kind =
                ::puppy_core::spec::Kind::Record(<Self as ::puppy_core::args::Decode>::PARAMS);
            // Each field names its own.
            const READ_BY: ::puppy_core::spec::ReadBy = ::puppy_core::spec::ReadBy::NOTHING;

            fn take(
                value: ::core::option::Option<::puppy_core::args::Value>,
                spot: &mut ::puppy_core::args::Spot<'_>,
            ) -> ::core::option::Option<Self> {
                match value {
                    ::core::option::Option::Some(::puppy_core::args::Value::Object(map)) => spot.record(map),
                    _ => spot.expected("an object"),
                }
            }
        }
    })
}
