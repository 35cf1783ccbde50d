//! `#[derive(Action)]`: turns a struct into the declaration of one action.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Field, Ident, Path, Result, Token};

use crate::declared::{ActionAttribute, Calls, Conditional, Danger, missing};
use crate::examples::Examples;
use crate::field;

/// `#[needs(Level)]`, `#[needs(Level, else = workspace)]`, `#[needs(Level, when = function)]`.
struct NeedsAttribute {
    level: Ident,
    when: Option<Path>,
}

impl Parse for NeedsAttribute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let level = input.parse()?;
        let mut when = None;
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.parse::<Option<Token![else]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                let word: Ident = input.parse()?;
                if word != "workspace" {
                    return Err(Error::new(word.span(), "the only value here is `workspace`"));
                }
                continue;
            }
            let key: Ident = input.parse()?;
            if key != "when" {
                return Err(Error::new(key.span(), "the keys of `needs` are `else` and `when`"));
            }
            input.parse::<Token![=]>()?;
            when = Some(input.parse()?);
        }
        Ok(NeedsAttribute { level, when })
    }
}

/// A part of an action's fields.
enum Slots {
    Own(Vec<TokenStream>),
    /// The fields of a record.
    Laid(TokenStream),
}

#[derive(Default)]
struct Parts {
    /// Lists of fields, one after another: the action's own and those of records.
    slots: Vec<Slots>,
    decode: Vec<TokenStream>,
    needs: Vec<TokenStream>,
    checks: Vec<TokenStream>,
    levels: Vec<Ident>,
}

impl Parts {
    fn own(&mut self, slot: TokenStream) {
        match self.slots.last_mut() {
            Some(Slots::Own(slots)) => slots.push(slot),
            _ => self.slots.push(Slots::Own(vec![slot])),
        }
    }

    fn add(&mut self, field: &Field) -> Result<()> {
        let (ident, name) = field::wire_name(field)?;
        let ty = &field.ty;
        let needs: Option<NeedsAttribute> = field
            .attrs
            .iter()
            .find(|attr| attr.path().is_ident("needs"))
            .map(Attribute::parse_args)
            .transpose()?;
        let level = needs.as_ref().map(|it| &it.level);
        if field::has(&field.attrs, "one_of") {
            field::doc(&field.attrs, ident)?;
            let level = field::option(level.map(|it| quote! { ::puppy_core::permission::Level::#it }));
            self.own(quote! {
                ::puppy_core::spec::Slot::OneOf(<#ty as ::puppy_core::args::OneOf>::GROUPS, #level)
            });
            self.decode.push(quote! { let #ident = <#ty as ::puppy_core::args::OneOf>::decode(args); });
        } else if field::has(&field.attrs, "args") {
            let level = field::option(level.map(|it| quote! { ::puppy_core::permission::Level::#it }));
            let params = quote! { <#ty as ::puppy_core::args::Decode>::PARAMS };
            self.slots.push(Slots::Laid(quote! {
                &::puppy_core::spec::laid::<{ #params.len() }>(#params, #level)
            }));
            self.decode.push(quote! { let #ident = <#ty as ::puppy_core::args::Decode>::decode(args); });
        } else {
            let needs = level.map_or(field::TargetLevel::Nothing, field::TargetLevel::Level);
            let param = field::param(&name, &field.attrs, ty, needs, ident)?;
            self.own(quote! { ::puppy_core::spec::Slot::One(#param) });
            self.decode.push(quote! { let #ident = args.take::<#ty>(#name); });
        }
        let Some(NeedsAttribute { level, when }) = needs else {
            self.checks.push(field::assert_plain(ty));
            return Ok(());
        };
        // The fields of a record in `#[args]` keep their own names.
        let name = if field::has(&field.attrs, "args") { "" } else { &name };
        let add = quote_spanned! { ty.span() =>
            ::puppy_core::permission::Targets::add_needs(&self.#ident, #name, ::puppy_core::permission::Level::#level, &mut out);
        };
        self.needs.push(when.map_or_else(|| add.clone(), |when| quote! { if #when(self) { #add } }));
        self.levels.push(level);
        Ok(())
    }
}

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let ty = &input.ident;
    let attr = input.attrs.iter().find(|attr| attr.path().is_ident("action"));
    let attr = attr.ok_or_else(|| Error::new_spanned(ty, "add `#[action(tool.name, danger = ..., ...)]`"))?;
    let declared: ActionAttribute = attr.parse_args()?;
    let doc = field::doc(&input.attrs, ty)?;
    let aliases = field::aliases(&input.attrs)?;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(ty, "an action is a struct"));
    };
    let mut parts = Parts::default();
    for field in field::named(&data.fields)? {
        parts.add(field)?;
    }
    let fields: Vec<&Ident> = data.fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    let effects = Effects::of(&declared, &parts.levels, attr)?;
    let examples = match &declared.examples {
        Some(examples) => examples,
        None if fields.is_empty() => &Examples::bare(),
        None => return Err(missing("examples")),
    };
    let holes = examples.checks();
    let spec = spec(&declared, &parts.slots, &effects, &doc, &aliases, &examples.calls);
    let perform = perform(ty, &declared, &effects);
    let Parts { decode, needs, checks, .. } = parts;
    Ok(quote! {
        #(#checks)*
        #(#holes)*

        impl ::puppy_core::args::Decode for #ty {
            fn decode(args: &mut ::puppy_core::args::Args) -> ::core::option::Option<Self> {
                #(#decode)*
                ::core::option::Option::Some(#ty { #(#fields: #fields?),* })
            }
        }

        impl ::puppy_core::plan::Action for #ty {
            const SPEC: ::puppy_core::spec::ActionSpec = #spec;

            #[allow(unused_mut)]
            fn needs(&self) -> ::std::vec::Vec<::puppy_core::permission::Need> {
                let mut out = ::std::vec::Vec::new();
                #(#needs)*
                out
            }
        }

        #perform
    })
}

/// The usual effect, and the worse effect with its condition.
struct Effects {
    usual: Ident,
    worst: Option<(Path, Ident)>,
}

impl Effects {
    fn of(declared: &ActionAttribute, levels: &[Ident], attr: &Attribute) -> Result<Effects> {
        let all = levels.iter().chain(&declared.workspace).chain(&declared.some);
        let highest = all.map(ToString::to_string).max_by_key(|level| match level.as_str() {
            "Delete" => 2,
            "Write" => 1,
            _ => 0,
        });
        let implied = highest.map(|level| match level.as_str() {
            "Delete" => "Destructive",
            "Write" => "Write",
            _ => "Read",
        });
        let implied = implied.map(|word| Ident::new(word, Span::call_site()));
        let unsaid = || Error::new_spanned(attr, "say `effect = ...`: no level implies it");
        Ok(match &declared.effect {
            None => Effects { usual: implied.ok_or_else(unsaid)?, worst: None },
            Some(Conditional { when: None, value }) => Effects { usual: value.clone(), worst: None },
            Some(Conditional { when: Some(when), value }) => {
                Effects { usual: implied.ok_or_else(unsaid)?, worst: Some((when.clone(), value.clone())) }
            }
        })
    }
}

/// Joins every field into one list.
fn laid_out(slots: &[Slots]) -> TokenStream {
    match slots {
        [] => quote! { &[] },
        [Slots::Own(slots)] => quote! { &[#(#slots),*] },
        several => {
            let parts = several.iter().map(|it| match it {
                Slots::Own(slots) => quote! { &[#(#slots),*] },
                Slots::Laid(slots) => slots.clone(),
            });
            quote! {{
                const PARTS: &[&[::puppy_core::spec::Slot]] = &[#(#parts),*];
                &::puppy_core::spec::joined::<{ ::puppy_core::spec::fields(PARTS) }>(PARTS)
            }}
        }
    }
}

fn spec(
    declared: &ActionAttribute,
    slots: &[Slots],
    effects: &Effects,
    doc: &str,
    aliases: &[String],
    examples: &[String],
) -> TokenStream {
    let ActionAttribute { tool, name, idempotent, calls, default_on, .. } = declared;
    let Calls { routes, helpers } = calls;
    let tool_name = tool.to_string();
    let (first, rest) = tool_name.split_at(1);
    let tool = Ident::new(&format!("{}{rest}", first.to_uppercase()), tool.span());
    let access = match (&declared.workspace, &declared.some) {
        (Some(level), _) => quote! { Workspace(::puppy_core::permission::Level::#level) },
        (None, Some(level)) => quote! { Some(::puppy_core::permission::Level::#level) },
        (None, None) => quote! { Targets },
    };
    let danger = match &declared.danger {
        Danger::None => quote! { None },
        Danger::Asks(Conditional { when: None, value }) => quote! { Always(#value) },
        Danger::Asks(Conditional { when: Some(_), value }) => quote! { Sometimes(#value) },
        Danger::InSiyuan(value) => quote! { InSiyuan(#value) },
    };
    let deed = match &declared.deed {
        None => quote! { None },
        Some((verb, back)) => quote! {
            Some((::puppy_core::spec::Verb::#verb, ::puppy_core::spec::Back::#back))
        },
    };
    let usual = &effects.usual;
    let worst = effects.worst.as_ref().map_or(usual, |(_, worst)| worst);
    let tier = Ident::new(if declared.advanced { "Advanced" } else { "Basic" }, Span::call_site());
    let slots = laid_out(slots);
    let since = declared.since.as_ref().map_or_else(|| "0.1.0".to_owned(), syn::LitStr::value);
    quote! {
        ::puppy_core::spec::ActionSpec {
            tool: ::puppy_core::spec::Tool::#tool,
            name: #name,
            doc: #doc,
            slots: #slots,
            access: ::puppy_core::spec::Access::#access,
            effect: ::puppy_core::spec::Effect::#usual,
            worst: ::puppy_core::spec::Effect::#worst,
            danger: ::puppy_core::spec::Danger::#danger,
            deed: ::core::option::Option::#deed,
            idempotent: #idempotent,
            calls: ::puppy_core::calls![&[#(::puppy_core::kernel::api::#routes),*] #(, #helpers::CALLS)*],
            examples: &[#(#examples),*],
            default_on: #default_on,
            tier: ::puppy_core::spec::Tier::#tier,
            since: #since,
            aliases: &[#(#aliases),*],
        }
    }
}

/// Dispatches to `Run` for readers and to `Change` for all other actions.
fn perform(ty: &Ident, declared: &ActionAttribute, effects: &Effects) -> TokenStream {
    if effects.usual == "Read" && effects.worst.is_none() {
        return quote! {
            impl ::puppy_core::plan::Perform for #ty {
                type Facts = ();

                async fn prepare(
                    &self,
                    _cx: &::puppy_core::cx::Cx<'_>,
                ) -> ::core::result::Result<::puppy_core::plan::Plan<()>, ::puppy_core::error::ToolError> {
                    ::core::result::Result::Ok(::puppy_core::plan::Plan::of_facts(()))
                }

                async fn perform(
                    self,
                    _plan: ::puppy_core::plan::Plan<()>,
                    cx: &::puppy_core::cx::Cx<'_>,
                ) -> ::puppy_core::output::Reply {
                    ::puppy_core::plan::Run::run(self, cx).await
                }
            }
        };
    }
    let asks = match &declared.danger {
        Danger::Asks(Conditional { when: Some(when), .. }) => quote! {
            fn asks(&self, plan: &::puppy_core::plan::Plan<Self::Facts>) -> bool {
                #when(self, plan)
            }
        },
        _ => TokenStream::new(),
    };
    let effect = effects.worst.as_ref().map(|(when, worst)| {
        let usual = &effects.usual;
        quote! {
            fn effect(&self, plan: &::puppy_core::plan::Plan<Self::Facts>) -> ::puppy_core::spec::Effect {
                if #when(self, plan) { ::puppy_core::spec::Effect::#worst } else { ::puppy_core::spec::Effect::#usual }
            }
        }
    });
    quote! {
        impl ::puppy_core::plan::Perform for #ty {
            type Facts = <#ty as ::puppy_core::plan::Change>::Facts;

            async fn prepare(
                &self,
                cx: &::puppy_core::cx::Cx<'_>,
            ) -> ::core::result::Result<::puppy_core::plan::Plan<Self::Facts>, ::puppy_core::error::ToolError> {
                ::puppy_core::plan::Change::plan(self, cx).await
            }

            async fn perform(
                self,
                plan: ::puppy_core::plan::Plan<Self::Facts>,
                cx: &::puppy_core::cx::Cx<'_>,
            ) -> ::puppy_core::output::Reply {
                ::puppy_core::plan::Change::run(self, plan, cx).await
            }

            #asks
            #effect
        }
    }
}
