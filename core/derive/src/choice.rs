//! `#[derive(Choice)]`: one word out of a list.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident, Result};

use crate::field;

/// `NewDoc` as `new_doc`.
pub(crate) fn snake(ident: &Ident) -> String {
    let mut out = String::new();
    for character in ident.to_string().chars() {
        if character.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(character.to_lowercase());
    }
    out
}

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let ty = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(ty, "a choice is an enum of plain variants"));
    };
    let mut default = None;
    let (mut words, mut variants) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "a word of a choice has no fields"));
        }
        if field::has(&variant.attrs, "default") {
            default = Some((&variant.ident, snake(&variant.ident)));
        }
        words.push(snake(&variant.ident));
        variants.push(&variant.ident);
    }
    let (presence, absent) = match &default {
        Some((variant, word)) => {
            (quote! { DefaultText(#word) }, quote! { ::core::option::Option::Some(#ty::#variant) })
        }
        None => (quote! { Required }, quote! { ::core::option::Option::None }),
    };
    let expected = format!("one of {}", words.join(", "));
    Ok(quote! {
        #[diagnostic::do_not_recommend]
        impl ::puppy_core::args::Plain for #ty {}

        impl #ty {
            /// The word on the wire.
            pub const fn word(self) -> &'static str {
                match self { #(#ty::#variants => #words),* }
            }
        }

        impl ::puppy_core::args::Arg for #ty {
            const KIND: ::puppy_core::spec::Kind = ::puppy_core::spec::Kind::Choice(&[#(#words),*]);
            const PRESENCE: ::puppy_core::spec::Presence = ::puppy_core::spec::Presence::#presence;
            const READ_BY: ::puppy_core::spec::ReadBy = ::puppy_core::spec::ReadBy::NOTHING;

            fn take(
                value: ::core::option::Option<::puppy_core::args::Value>,
                spot: &mut ::puppy_core::args::Spot<'_>,
            ) -> ::core::option::Option<Self> {
                let read = match &value {
                    ::core::option::Option::None => #absent,
                    ::core::option::Option::Some(value) => match value.as_str() {
                        #(::core::option::Option::Some(#words) => ::core::option::Option::Some(#ty::#variants),)*
                        _ => ::core::option::Option::None,
                    },
                };
                read.or_else(|| spot.expected(#expected))
            }
        }
    })
}
