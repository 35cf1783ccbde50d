//! How a step of `cargo verify` ended.

/// How a step ended when nothing was wrong.
pub(crate) enum Outcome {
    /// All that it checks holds; a few words for the table.
    Passed(String),
    /// What it checks could not be looked at, and why.
    NotChecked(String),
}
