//! `/api/export`: documents as Markdown.

use crate::answer::{Outcome, Refusal};
use crate::kernel::Kernel;

/// A block as other programs read it.
pub(super) fn standard_markdown(_: &Kernel, _: &str) -> Outcome {
    Err(Refusal::not_here("exports"))
}
