//! `#[derive(Record)]`: an object among the arguments.

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
        params.push(field::param(&name, &field.attrs, field_ty, field::Needs::Nothing, ident)?);
        decode.push(quote! { let #ident = args.take::<#field_ty>(#name); });
        fields.push(ident);
        if field::has(&field.attrs, "target") {
            let param = format!("{{param}}.{name}");
            targets.push(quote! {
                ::puppy_core::permission::Targets::add_needs(&self.#ident, &::std::format!(#param), level, out);
            });
        } else {
            checks.push(field::assert_plain(field_ty));
        }
    }
    let marker = if targets.is_empty() {
        quote! {
            #[diagnostic::do_not_recommend]
            impl ::puppy_core::args::Plain for #ty {}
        }
    } else {
        quote! {
            #[diagnostic::do_not_recommend]
            impl ::puppy_core::permission::Targets for #ty {
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
        #(#checks)*
        #marker

        impl ::puppy_core::args::Decode for #ty {
            const PARAMS: &'static [::puppy_core::spec::Param] = &[#(#params),*];

            fn decode(args: &mut ::puppy_core::args::Args) -> ::core::option::Option<Self> {
                #(#decode)*
                ::core::option::Option::Some(#ty { #(#fields: #fields?),* })
            }
        }

        impl ::puppy_core::args::Arg for #ty {
            const KIND: ::puppy_core::spec::Kind =
                ::puppy_core::spec::Kind::Record(<#ty as ::puppy_core::args::Decode>::PARAMS);

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
