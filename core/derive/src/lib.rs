//! Derives that turn plain types into declarations.
//!
//! They are `Action` for an action, `Record` for an object among its arguments, `OneOf` for a choice between groups
//! of arguments, and `Choice` for a word.
//!
//! # The attribute language
//!
//! ```ignore
//! #[derive(Debug, Action)]
//! #[action(document.remove, danger = "Deletes ...", deed = Delete(DataHistory),
//!     idempotent = false, calls = [filetree::REMOVE_DOC_BY_ID, ..going])]
//! pub struct Remove {
//!     /// Ids of documents.
//!     #[needs(Delete)]
//!     pub ids: Ids<DocId, 64>,
//! }
//! ```
//!
//! The set of keys is closed: an unknown key is a compile error.
//!
//! | Key of `action` | Value | Meaning |
//! |---|---|---|
//! | first | `tool.action` | the tool and the name of the action |
//! | `danger` | `None`, `"sentence"`, `When(function, "sentence")`, `InSiyuan("sentence")` | required; the plan fills in `{n}` and `{name}`; an `InSiyuan` danger is approved in SiYuan or on a terminal only |
//! | `deed` | `Verb(Back)` | required with a danger: the `spec::Verb` and its way back, which the question words |
//! | `idempotent` | `true`, `false` | required |
//! | `calls` | `[area::ROUTE, ..helper]` | required: the only endpoints that `Cx` reaches; `..helper` adds the `CALLS` of that module |
//! | `effect` | `Read`, `Screen`, `Write`, `Destructive`, `External`, `When(function, Effect)` | required where no level implies it; the highest level decides |
//! | `workspace`, `some` | a level | the level required of the workspace, or of any notebook, without a target |
//! | `examples` | calls in JSON with holes | required; help, contract tests and live runs use them |
//! | `default = off`, `tier = advanced`, `since = "0.2.0"` | | switched off by default; listed as advanced; the first version with the action |
//!
//! Fields of an action take `#[needs(Level)]` (with `else = workspace` for an optional target, and `when = function`),
//! `#[one_of]`, `#[args]` (adds the fields of a shared record to the action's own arguments) and `#[alias(a, b)]`.
//! Fields of a `Record` or `OneOf` take `#[target]`. A field of free text takes `#[read_by(Sql, Html)]`, the
//! interpreters of SiYuan that read it, or `#[read_by()]` for none; other types name their interpreters themselves.

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod action;
mod choice;
mod declared;
mod examples;
mod field;
mod one_of;
mod record;

/// Turns a struct into the declaration of one action.
#[proc_macro_derive(Action, attributes(action, needs, one_of, args, alias, read_by))]
pub fn derive_action(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    action::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Turns a struct into an object among the arguments; `#[target]` marks a field that names a target.
#[proc_macro_derive(Record, attributes(target, alias, read_by))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    record::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Turns an enum into a choice between groups of arguments; `#[target]` marks a field that names a target.
#[proc_macro_derive(OneOf, attributes(target, alias, read_by))]
pub fn derive_one_of(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    one_of::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Turns an enum of plain variants into a word; `#[default]` makes it optional.
#[proc_macro_derive(Choice, attributes(default))]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    choice::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
