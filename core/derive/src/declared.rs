//! The attribute `#[action(tool.name, key = value, ...)]`.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitBool, LitStr, Path, Result, Token, bracketed, parenthesized};

use crate::examples::Examples;

/// A value that always applies, or only if a function of arguments and plan says so.
pub(crate) struct Conditional<T> {
    pub(crate) when: Option<Path>,
    pub(crate) value: T,
}

/// The content of the attribute.
pub(crate) struct ActionAttribute {
    pub(crate) tool: Ident,
    pub(crate) name: String,
    pub(crate) workspace: Option<Ident>,
    pub(crate) some: Option<Ident>,
    pub(crate) effect: Option<Conditional<Ident>>,
    pub(crate) danger: Danger,
    /// The deed and its way back; where there is a danger, and nowhere else.
    pub(crate) deed: Option<(Ident, Ident)>,
    pub(crate) idempotent: LitBool,
    pub(crate) calls: Calls,
    /// The example calls; only an action without arguments may leave them out.
    pub(crate) examples: Option<Examples>,
    pub(crate) default_on: bool,
    pub(crate) advanced: bool,
    pub(crate) since: Option<LitStr>,
}

impl Parse for ActionAttribute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let tool = input.call(Ident::parse_any)?;
        input.parse::<Token![.]>()?;
        let name = input.call(Ident::parse_any)?.unraw().to_string();
        let (mut workspace, mut some, mut effect, mut since) = (None, None, None, None);
        let (mut danger, mut idempotent, mut calls, mut examples) = (None::<Danger>, None, None, None);
        let (mut default_on, mut advanced) = (true, false);
        let mut deed = None::<(Ident, Ident)>;
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "workspace" => workspace = Some(input.parse()?),
                "some" => some = Some(input.parse()?),
                "effect" => effect = Some(conditional(input)?),
                "danger" => danger = Some(input.parse()?),
                "deed" => deed = Some(with_way_back(input)?),
                "idempotent" => idempotent = Some(input.parse()?),
                "calls" => calls = Some(input.parse()?),
                "examples" => examples = Some(input.parse()?),
                "default" => default_on = !word(input, "off")?,
                "tier" => advanced = word(input, "advanced")?,
                "since" => since = Some(input.parse()?),
                other => {
                    let keys = "workspace, some, effect, danger, deed, idempotent, calls, examples, default, tier, since";
                    return Err(Error::new(
                        key.span(),
                        format!("unknown key `{other}`; the keys are {keys}"),
                    ));
                }
            }
        }
        let danger = danger.ok_or_else(|| missing("danger"))?;
        let deed = match (&danger, deed) {
            (Danger::None, None) => None,
            (Danger::None, Some((verb, _))) => {
                return Err(Error::new(verb.span(), "`deed` is for an action with a danger"));
            }
            (_, deed) => Some(deed.ok_or_else(|| missing("deed"))?),
        };
        Ok(ActionAttribute {
            tool,
            name,
            workspace,
            some,
            effect,
            danger,
            deed,
            idempotent: idempotent.ok_or_else(|| missing("idempotent"))?,
            calls: calls.ok_or_else(|| missing("calls"))?,
            examples,
            default_on,
            advanced,
            since,
        })
    }
}

/// The routes that an action may call: `[area::ROUTE, ..helper]`.
pub(crate) struct Calls {
    /// Routes of its own, below `kernel::api`.
    pub(crate) routes: Vec<Path>,
    /// Helper modules; the `CALLS` of each lists its routes.
    pub(crate) helpers: Vec<Path>,
}

impl Parse for Calls {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let list;
        bracketed!(list in input);
        let mut calls = Calls { routes: Vec::new(), helpers: Vec::new() };
        while !list.is_empty() {
            match list.parse::<Option<Token![..]>>()? {
                Some(_) => calls.helpers.push(list.parse()?),
                None => calls.routes.push(list.parse()?),
            }
            if !list.is_empty() {
                list.parse::<Token![,]>()?;
            }
        }
        Ok(calls)
    }
}

pub(crate) fn missing(key: &str) -> Error {
    Error::new(Span::call_site(), format!("`{key} = ...` must be said, never assumed"))
}

fn word(input: ParseStream<'_>, only: &str) -> Result<bool> {
    let word: Ident = input.parse()?;
    if word == only {
        Ok(true)
    } else {
        Err(Error::new(word.span(), format!("the only value here is `{only}`")))
    }
}

/// `Verb(Back)`.
fn with_way_back(input: ParseStream<'_>) -> Result<(Ident, Ident)> {
    let verb = input.parse()?;
    let inner;
    parenthesized!(inner in input);
    Ok((verb, inner.parse()?))
}

/// `Value` or `When(function, Value)`.
fn conditional<T: Parse>(input: ParseStream<'_>) -> Result<Conditional<T>> {
    let is_when = input.fork().parse::<Ident>().is_ok_and(|it| it == "When");
    if !is_when {
        return Ok(Conditional { when: None, value: input.parse()? });
    }
    input.parse::<Ident>()?;
    let inner;
    parenthesized!(inner in input);
    let when = inner.parse()?;
    inner.parse::<Token![,]>()?;
    let value = inner.parse()?;
    inner.parse::<Option<Token![,]>>()?;
    Ok(Conditional { when: Some(when), value })
}

/// The danger of an action.
pub(crate) enum Danger {
    None,
    /// `"sentence"` or `When(function, "sentence")`.
    Asks(Conditional<LitStr>),
    /// `InSiyuan("sentence")`.
    InSiyuan(LitStr),
}

impl Parse for Danger {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.fork().parse::<Ident>().map(|it| it.to_string()).unwrap_or_default();
        if word == "None" {
            input.parse::<Ident>()?;
            return Ok(Danger::None);
        }
        if word == "InSiyuan" {
            input.parse::<Ident>()?;
            let inner;
            parenthesized!(inner in input);
            return Ok(Danger::InSiyuan(inner.parse()?));
        }
        conditional(input).map(Danger::Asks)
    }
}
