//! The table of a run: action, kernel requests, outcome.

use std::fmt;

/// The outcome of all examples of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every example succeeded.
    Passed,
    /// The action was not called, for this reason.
    Skipped(&'static str),
    /// An example failed, with these words.
    Failed(String),
}

/// A row: an action.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) action: String,
    /// The number of requests of each example.
    pub(crate) requests: Vec<usize>,
    pub(crate) outcome: Outcome,
}

/// All rows, and what remained in the workspace.
#[derive(Debug, Default)]
pub struct Table {
    pub(crate) rows: Vec<Row>,
    /// The number of actions there are.
    pub(crate) wanted: usize,
    /// The answers, where they were asked for.
    pub(crate) answers: Vec<String>,
    /// Why the run ended early, and what could not be removed.
    pub(crate) trouble: Vec<String>,
}

impl Table {
    /// Whether every action was called with success or skipped for a reason, and everything was removed.
    pub fn passed(&self) -> bool {
        let failed = |row: &Row| matches!(row.outcome, Outcome::Failed(_));
        self.trouble.is_empty() && self.rows.len() == self.wanted && !self.rows.iter().any(failed)
    }

    /// Each action with its outcome.
    pub fn outcomes(&self) -> impl Iterator<Item = (&str, &Outcome)> {
        self.rows.iter().map(|row| (row.action.as_str(), &row.outcome))
    }

    /// The last line: how many actions passed, failed, were skipped, and were not reached.
    fn counts(&self) -> String {
        let count = |is: fn(&Outcome) -> bool| self.rows.iter().filter(|row| is(&row.outcome)).count();
        format!(
            "live: {} actions passed, {} failed, {} skipped, {} not reached",
            count(|it| *it == Outcome::Passed),
            count(|it| matches!(it, Outcome::Failed(_))),
            count(|it| matches!(it, Outcome::Skipped(_))),
            self.wanted.saturating_sub(self.rows.len()),
        )
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:28} {:>16}  outcome", "action", "kernel requests")?;
        for row in &self.rows {
            let requests: Vec<String> = row.requests.iter().map(ToString::to_string).collect();
            let outcome = match &row.outcome {
                Outcome::Passed => "passed".to_owned(),
                Outcome::Skipped(why) => format!("skipped: {why}"),
                Outcome::Failed(why) => format!("FAILED: {why}"),
            };
            writeln!(f, "{:28} {:>16}  {outcome}", row.action, requests.join(" "))?;
        }
        for line in self.answers.iter().chain(&self.trouble) {
            writeln!(f, "{line}")?;
        }
        write!(f, "{}", self.counts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_and_missing_actions_never_count_as_passed() {
        let row = |outcome| Row { action: "x.y".to_owned(), requests: vec![2, 3], outcome };
        let mut table = Table { rows: vec![row(Outcome::Passed)], wanted: 2, ..Table::default() };
        assert!(!table.passed());
        table.rows.push(row(Outcome::Skipped("no page")));
        assert!(table.passed());
        let text = table.to_string();
        assert!(text.ends_with("live: 1 actions passed, 0 failed, 1 skipped, 0 not reached"), "{text}");
        assert!(text.contains("x.y                                       2 3  skipped: no page\n"), "{text}");
        table.trouble.push("A file is left.".to_owned());
        assert!(!table.passed());
        table = Table { rows: vec![row(Outcome::Failed("no".to_owned()))], wanted: 1, ..Table::default() };
        assert!(!table.passed());
    }
}
