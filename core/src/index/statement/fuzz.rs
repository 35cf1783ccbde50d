//! The fuzz target of callers' statements: whatever is accepted sees the same with and without hidden rows.

use proptest::prelude::*;
use proptest::sample::Index;

use super::tests::{answer, connection, visibility};
use super::{Embed, Statement};
use crate::testing::fuzz::{fragments, fuzz, run};
use crate::testing::statements::{ATTACKS, ORACLES};

fn corpus() -> Vec<String> {
    fragments(include_str!("../../../tests/fuzz/statement.jsonl"))
}

/// Judges a statement and runs it over an index with hidden rows and over one without.
fn sees_no_hidden_row() -> impl Fn(&str) -> Result<(), TestCaseError> {
    let (full, emptied) = (connection(true), connection(false));
    move |sql| {
        if let Ok(embed) = Embed::of(sql) {
            let again = Embed::of(embed.as_str());
            prop_assert_eq!(again.as_ref(), Ok(&embed));
            prop_assert!(Embed::is_one_select(embed.as_str()) && !embed.as_str().contains([';', '\n', '\\']));
        }
        let Ok(printed) = Statement::of(sql, 100, &visibility()) else { return Ok(()) };
        let (seen, expected) = (answer(&full, printed.print()), answer(&emptied, printed.print()));
        prop_assert_eq!(&seen, &expected, "{}\n{}", sql, printed.print());
        let is_named = sql.to_lowercase().contains("cinnabar");
        prop_assert!(is_named || !format!("{seen:?}").contains("cinnabar"), "{}", printed.print());
        Ok(())
    }
}

#[test]
fn hostile_sql_is_refused_or_sees_no_hidden_row() {
    fuzz(&corpus(), sees_no_hidden_row());
}

/// The known attacks, with fragments in place of some of their words.
#[test]
fn altered_attacks_are_refused_or_see_no_hidden_row() {
    let statements: Vec<&str> = ATTACKS.into_iter().chain(ORACLES).collect();
    let changes = prop::collection::vec((any::<Index>(), prop::sample::select(corpus())), 0..4);
    let test = sees_no_hidden_row();
    run((prop::sample::select(statements), changes), |(sql, changes)| {
        let mut words: Vec<String> = sql.split_inclusive([' ', '(', ')', ',']).map(str::to_owned).collect();
        for (at, fragment) in changes {
            let at = at.index(words.len());
            words[at] = format!(" {fragment} ");
        }
        test(&words.concat())
    });
}
