//! `#[derive(OneOf)]`: exactly one of several groups of arguments.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident, Result, Type, Variant};

use crate::choice::snake;
use crate::field;

struct Group {
    params: Vec<TokenStream>,
    decode: TokenStream,
    targets: TokenStream,
    checks: Vec<TokenStream>,
}

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let ty = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(ty, "a choice between groups is an enum"));
    };
    let groups: Vec<Group> = data.variants.iter().map(|variant| group(ty, variant)).collect::<Result<_>>()?;
    let params = groups.iter().map(|group| {
        let params = &group.params;
        quote! { &[#(#params),*] }
    });
    let decode: Vec<_> = groups.iter().map(|group| &group.decode).collect();
    let at = 0..decode.len();
    let targets = groups.iter().map(|group| &group.targets);
    let checks = groups.iter().flat_map(|group| &group.checks);
    let names_targets = data.variants.iter().any(|variant| {
        field::has(&variant.attrs, "target")
            || variant.fields.iter().any(|it| field::has(&it.attrs, "target"))
    });
    let marker = if names_targets {
        quote! {
            #[diagnostic::do_not_recommend]
            impl ::puppy_core::permission::Targets for #ty {
                #[allow(unused_variables)]
                fn add_needs(
                    &self,
                    _param: &str,
                    level: ::puppy_core::permission::Level,
                    out: &mut ::std::vec::Vec<::puppy_core::permission::Need>,
                ) {
                    match self { #(#targets),* }
                }
            }
        }
    } else {
        quote! {
            #[diagnostic::do_not_recommend]
            impl ::puppy_core::args::Plain for #ty {}
        }
    };
    Ok(quote! {
        #(#checks)*
        #marker

        impl ::puppy_core::args::OneOf for #ty {
            const GROUPS: &'static [&'static [::puppy_core::spec::Param]] = &[#(#params),*];

            fn decode(args: &mut ::puppy_core::args::Args) -> ::core::option::Option<Self> {
                match args.only_group(Self::GROUPS)? {
                    #(#at => { #decode })*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}

fn group(ty: &Ident, variant: &Variant) -> Result<Group> {
    let name = &variant.ident;
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let field_ty = fields
                .unnamed
                .first()
                .map(|it| &it.ty)
                .ok_or_else(|| Error::new_spanned(name, "one field"))?;
            let wire = snake(name);
            let is_target = field::has(&variant.attrs, "target");
            Ok(Group {
                params: vec![field::param(&wire, &variant.attrs, field_ty, needs(is_target), name)?],
                decode: quote! { args.take::<#field_ty>(#wire).map(#ty::#name) },
                targets: target(is_target, &quote! { #ty::#name(it) }, &[(quote! { it }, wire)]),
                checks: check(is_target, field_ty),
            })
        }
        Fields::Named(fields) => {
            let (mut params, mut takes, mut idents) = (Vec::new(), Vec::new(), Vec::new());
            let (mut marked, mut checks) = (Vec::new(), Vec::new());
            for it in &fields.named {
                let (ident, wire) = field::wire_name(it)?;
                let field_ty = &it.ty;
                let is_target = field::has(&it.attrs, "target");
                params.push(field::param(&wire, &it.attrs, field_ty, needs(is_target), ident)?);
                takes.push(quote! { let #ident = args.take::<#field_ty>(#wire); });
                idents.push(ident);
                checks.extend(check(is_target, field_ty));
                if is_target {
                    marked.push((quote! { #ident }, wire));
                }
            }
            let decode = quote! {
                #(#takes)*
                ::core::option::Option::Some(#ty::#name { #(#idents: #idents?),* })
            };
            let idents_of_targets = marked.iter().map(|(ident, _)| ident);
            let pattern = quote! { #ty::#name { #(#idents_of_targets,)* .. } };
            let targets = target(!marked.is_empty(), &pattern, &marked);
            Ok(Group { params, decode, targets, checks })
        }
        other => Err(Error::new_spanned(other, "a group has one unnamed field or named ones")),
    }
}

/// The field that holds the choice decides which level a target needs.
fn needs(is_target: bool) -> field::TargetLevel<'static> {
    if is_target { field::TargetLevel::OfTheChoice } else { field::TargetLevel::Nothing }
}

fn check(is_target: bool, ty: &Type) -> Vec<TokenStream> {
    if is_target { Vec::new() } else { vec![field::assert_plain(ty)] }
}

/// Adds the bound fields as targets, each under its argument's name, so that errors name the choice that was sent.
fn target(is_target: bool, pattern: &TokenStream, bound: &[(TokenStream, String)]) -> TokenStream {
    if is_target {
        let adds = bound.iter().map(|(it, param)| {
            quote! { ::puppy_core::permission::Targets::add_needs(#it, #param, level, out); }
        });
        quote! { #pattern => { #(#adds)* } }
    } else {
        quote! { #[allow(unused_variables)] #pattern => {} }
    }
}
