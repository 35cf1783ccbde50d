//! Fields: their documentation, their attributes, and the const `Param` of each.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, Field, Fields, Ident, Lit, LitStr, Meta, Result, Token, Type};

/// The `///` text; every declared item must have one, because a model will read it.
pub(crate) fn doc(attrs: &[Attribute], at: &dyn quote::ToTokens) -> Result<String> {
    let lines: Vec<String> = attrs
        .iter()
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(it) if it.path.is_ident("doc") => match &it.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    if lines.is_empty() {
        return Err(Error::new_spanned(at, "needs a `///` line: it is what the model reads"));
    }
    Ok(lines.join("\n"))
}

/// Whether a bare attribute is present.
pub(crate) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// The names in `#[alias(a, b)]`.
pub(crate) fn aliases(attrs: &[Attribute]) -> Result<Vec<String>> {
    let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("alias")) else { return Ok(Vec::new()) };
    let names = attr.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
    Ok(names.into_iter().map(|it| it.unraw().to_string()).collect())
}

/// The list of interpreters in `#[read_by(Sql, Html)]`.
fn read_by(attrs: &[Attribute]) -> Result<Option<TokenStream>> {
    let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("read_by")) else { return Ok(None) };
    let all = attr.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
    let all = all.iter();
    Ok(Some(quote! { &[#(::puppy_core::spec::Interpreter::#all),*] }))
}

/// The named fields of a struct; a struct without any has none.
pub(crate) fn named(fields: &Fields) -> Result<Vec<&Field>> {
    match fields {
        Fields::Named(it) => Ok(it.named.iter().collect()),
        Fields::Unit => Ok(Vec::new()),
        Fields::Unnamed(it) => Err(Error::new_spanned(it, "arguments need names")),
    }
}

/// The argument's name on the wire.
pub(crate) fn wire_name(field: &Field) -> Result<(&Ident, String)> {
    let ident = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "arguments need names"))?;
    Ok((ident, ident.unraw().to_string()))
}

/// The level that the target of an argument must grant.
#[derive(Clone, Copy)]
pub(crate) enum TargetLevel<'a> {
    Nothing,
    Level(&'a Ident),
    OfTheChoice,
}

/// The const `Param` of an argument.
pub(crate) fn param(
    name: &str,
    attrs: &[Attribute],
    ty: &Type,
    needs: TargetLevel<'_>,
    at: &dyn quote::ToTokens,
) -> Result<TokenStream> {
    let doc = LitStr::new(&doc(attrs, at)?, at.span());
    let aliases = aliases(attrs)?;
    let attribute = option(read_by(attrs)?);
    let read_by =
        quote_spanned! { ty.span() => <#ty as ::puppy_core::args::Arg>::READ_BY.of_field(#attribute) };
    let needs = match needs {
        TargetLevel::Nothing => quote! { Nothing },
        TargetLevel::Level(level) => quote! { Level(::puppy_core::permission::Level::#level) },
        TargetLevel::OfTheChoice => quote! { OfTheChoice },
    };
    Ok(quote! {
        ::puppy_core::spec::Param {
            name: #name,
            doc: #doc,
            kind: <#ty as ::puppy_core::args::Arg>::KIND,
            presence: <#ty as ::puppy_core::args::Arg>::PRESENCE,
            needs: ::puppy_core::spec::Needs::#needs,
            read_by: #read_by,
            aliases: &[#(#aliases),*],
        }
    })
}

/// `Some(...)` or `None` as tokens.
pub(crate) fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(
        || quote! { ::core::option::Option::None },
        |it| quote! { ::core::option::Option::Some(#it) },
    )
}

/// Like `assert_plain`, as a statement that may name the parameters of a generic type.
pub(crate) fn assert_plain_inside(ty: &Type) -> TokenStream {
    quote_spanned! { ty.span() =>
        let _: fn() = || {
            fn names_no_target<T: ::puppy_core::args::Plain>() {}
            names_no_target::<#ty>();
        };
    }
}

/// A compile-time check that a field without a level names no target; the error points at its type.
pub(crate) fn assert_plain(ty: &Type) -> TokenStream {
    quote_spanned! { ty.span() =>
        const _: () = {
            const fn names_no_target<T: ::puppy_core::args::Plain>() {}
            names_no_target::<#ty>();
        };
    }
}
