//! The words of the command line, and of the pages of an answer.

use puppy_core::spec::Param;

/// The name of the program.
pub(super) const NAME: &str = "siyuan-puppy";

/// A name of the registry as a word of the command line.
pub(super) fn hyphens(name: &str) -> String {
    name.replace('_', "-")
}

/// The name of an argument's flag, without the dashes.
pub(super) fn flag(param: &Param) -> String {
    let name = hyphens(param.name);
    if param.kind.is_structured() { format!("{name}-json") } else { name }
}

/// The field of an answer that leads to the next page, and the argument that takes it.
pub(super) const NEXT: &str = "next";
pub(super) const CURSOR: &str = "cursor";
