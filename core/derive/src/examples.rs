//! `examples = [{ "id": "{doc}" }, ...]`: calls as JSON, with the names of holes in place of ids.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use serde_json::{Map, Number, Value};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, Lit, LitStr, Result, Token, braced, bracketed, token};

/// The examples of an action.
pub(crate) struct Examples {
    /// Each as JSON text.
    pub(crate) calls: Vec<String>,
    /// The names of the holes in them.
    holes: Vec<(String, Span)>,
}

impl Examples {
    /// The only example of an action without arguments.
    pub(crate) fn bare() -> Examples {
        Examples { calls: vec!["{}".to_owned()], holes: Vec::new() }
    }

    /// Code that compiles only if every hole exists.
    pub(crate) fn checks(&self) -> impl Iterator<Item = TokenStream> {
        self.holes.iter().map(|(name, span)| {
            let variant: String = name.split('_').map(capital).collect();
            let hole = format_ident!("{variant}", span = *span);
            quote_spanned! { *span =>
                const _: ::puppy_core::spec::Hole = ::puppy_core::spec::Hole::#hole;
            }
        })
    }
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect()
}

impl Parse for Examples {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let list;
        let bracket = bracketed!(list in input);
        let mut holes = Vec::new();
        let mut calls = Vec::new();
        for Json { value, texts } in Punctuated::<Json, Token![,]>::parse_terminated(&list)? {
            let Value::Object(_) = &value else {
                return Err(Error::new(bracket.span.join(), "an example is an object of arguments"));
            };
            calls.push(value.to_string());
            holes.extend(texts.iter().flat_map(|text| {
                holes_in(&text.value()).into_iter().map(|name| (name, text.span())).collect::<Vec<_>>()
            }));
        }
        if calls.is_empty() {
            return Err(Error::new(bracket.span.join(), "add an example of a call"));
        }
        Ok(Examples { calls, holes })
    }
}

/// Every `{word}` of a text.
fn holes_in(text: &str) -> Vec<String> {
    let starts = text.split('{').skip(1).filter_map(|it| it.split_once('}'));
    let is_word = |name: &str| {
        name.starts_with(|it: char| it.is_ascii_lowercase())
            && name.chars().all(|it| it.is_ascii_lowercase() || it == '_')
    };
    starts.map(|(name, _)| name.to_owned()).filter(|name| is_word(name)).collect()
}

/// A value, and the texts in it.
struct Json {
    value: Value,
    texts: Vec<LitStr>,
}

impl Json {
    fn plain(value: impl Into<Value>) -> Json {
        Json { value: value.into(), texts: Vec::new() }
    }
}

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(token::Brace) {
            return object(input);
        }
        if input.peek(token::Bracket) {
            let list;
            bracketed!(list in input);
            let (mut items, mut texts) = (Vec::new(), Vec::new());
            for item in Punctuated::<Json, Token![,]>::parse_terminated(&list)? {
                items.push(item.value);
                texts.extend(item.texts);
            }
            return Ok(Json { value: Value::Array(items), texts });
        }
        if input.peek(Ident) {
            let word: Ident = input.parse()?;
            return match word == "null" {
                true => Ok(Json::plain(Value::Null)),
                false => Err(Error::new(word.span(), "an example is written in JSON")),
            };
        }
        let is_negative = input.parse::<Option<Token![-]>>()?.is_some();
        let literal: Lit = input.parse()?;
        let number = |digits: &str| {
            let digits = format!("{}{digits}", if is_negative { "-" } else { "" });
            digits.parse::<Number>().map_err(|error| Error::new(literal.span(), error))
        };
        match &literal {
            Lit::Int(it) => Ok(Json::plain(number(it.base10_digits())?)),
            Lit::Float(it) => Ok(Json::plain(number(it.base10_digits())?)),
            Lit::Bool(it) if !is_negative => Ok(Json::plain(it.value)),
            Lit::Str(it) if !is_negative => Ok(Json { value: it.value().into(), texts: vec![it.clone()] }),
            _ => Err(Error::new(literal.span(), "an example is written in JSON")),
        }
    }
}

fn object(input: ParseStream<'_>) -> Result<Json> {
    let fields;
    braced!(fields in input);
    let (mut map, mut texts) = (Map::new(), Vec::new());
    while !fields.is_empty() {
        let name: LitStr = fields.parse()?;
        fields.parse::<Token![:]>()?;
        let field: Json = fields.parse()?;
        texts.extend(field.texts);
        if map.insert(name.value(), field.value).is_some() {
            return Err(Error::new(name.span(), "named twice"));
        }
        if !fields.is_empty() {
            fields.parse::<Token![,]>()?;
        }
    }
    Ok(Json { value: Value::Object(map), texts })
}
