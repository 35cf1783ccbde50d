//! The outcome of a step of `cargo verify`.

/// The outcome of a step that found no fault.
pub(crate) enum Outcome {
    /// Every check passed; holds a few words for the table.
    Passed(String),
    /// The checks could not run; holds the reason.
    NotChecked(String),
}
