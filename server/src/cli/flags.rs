//! The options of an action, and the argument that needs no name (B-091).

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, value_parser};
use puppy_core::render::constraints;
use puppy_core::spec::{Kind, Param};

use super::names::{flag, hyphens};
use super::values;

/// The argument that needs no name, among those of an action.
pub(super) const FIRST: &str = "first";

/// The argument without its name, for the one that a person types first (B-091).
pub(super) fn positional(param: &Param, is_required: bool) -> Arg {
    let arg = described(Arg::new(FIRST), param).allow_hyphen_values(false).index(1);
    let arg = match param.kind {
        Kind::List { .. } => arg.num_args(1..),
        Kind::Text { .. } => arg.value_name(param.name.to_ascii_uppercase()),
        _ => arg,
    };
    // Its name conflicts with it, so that one of the two is enough.
    arg.required(is_required)
}

pub(super) fn argument(param: &Param) -> Arg {
    described(Arg::new(param.name).long(flag(param)), param)
}

fn described(arg: Arg, param: &Param) -> Arg {
    let limits = constraints(param);
    let doc = param.doc.trim_end_matches('.');
    let arg = arg.help(doc).long_help(format!("{doc} ({limits})"));
    let arg = if is_of_workspace(param.kind) { arg.add(values::from_workspace(param.kind)) } else { arg };
    match param.kind {
        Kind::Bool => arg
            .num_args(0..=1)
            // A word behind the option is the argument without a name.
            .require_equals(true)
            .default_missing_value("true")
            .value_name("BOOL")
            .value_parser(value_parser!(bool))
            .hide_possible_values(true),
        Kind::Int { .. } => arg.value_name("N").allow_negative_numbers(true),
        Kind::Choice(words) => {
            arg.value_name("WORD").value_parser(PossibleValuesParser::new(words)).hide_possible_values(true)
        }
        Kind::Id => arg.value_name("ID"),
        Kind::NotebookRef => arg.value_name("NOTEBOOK"),
        Kind::Path | Kind::Asset => arg.value_name("PATH"),
        Kind::Tag => arg.value_name("TAG"),
        Kind::Text { .. } => arg.value_name("TEXT").allow_hyphen_values(true),
        Kind::Record(_) | Kind::Attrs | Kind::Cell | Kind::Object => {
            arg.value_name("JSON").allow_hyphen_values(true)
        }
        kind @ Kind::List { .. } if kind.is_structured() => arg.value_name("JSON").allow_hyphen_values(true),
        Kind::List { item, .. } => {
            let name = if *item == Kind::Id { "ID" } else { "VALUE" };
            arg.value_name(name).action(ArgAction::Append)
        }
    }
}

/// Alternative spellings of an argument, except those that another argument uses.
pub(super) fn spellings(param: &Param, taken: &mut Vec<String>) -> Vec<String> {
    let others = param.aliases.iter().flat_map(|it| [(*it).to_owned(), hyphens(it)]);
    let mut fresh = Vec::new();
    for name in std::iter::once(param.name.to_owned()).chain(others) {
        if !taken.contains(&name) {
            taken.push(name.clone());
            fresh.push(name);
        }
    }
    fresh
}

/// Whether a shell completes the argument's values from the workspace.
fn is_of_workspace(kind: Kind) -> bool {
    match kind {
        Kind::Id | Kind::NotebookRef | Kind::Path | Kind::Tag => true,
        Kind::List { item, .. } => is_of_workspace(*item),
        _ => false,
    }
}
