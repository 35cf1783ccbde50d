//! Derives that turn plain types into declarations.
//!
//! They are `Action` for an action, `Record` for an object among its arguments, `OneOf` for a choice between groups
//! of arguments, and `Choice` for a word.
//!
//! The set of keys in the attributes is closed: an unknown key is a compile error. ARCHITECTURE.md lists them.

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
