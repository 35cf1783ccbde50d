//! The columns of a result, each with a name that no other one has.

use std::collections::BTreeMap;

use super::SelectedColumn;

/// The maximum number of columns of a result; a star stands for as many as its table has.
const MOST: usize = 200;

/// The columns so far.
#[derive(Default)]
pub(super) struct NamedColumns {
    columns: Vec<SelectedColumn>,
    /// The names in small letters, each with the last number behind it.
    taken: BTreeMap<String, usize>,
}

impl NamedColumns {
    /// Refuses more columns than a result may have, before they are named.
    pub(super) fn room(&self, more: usize) -> Result<(), String> {
        if self.columns.len() + more > MOST { Err(format!("more than {MOST} columns")) } else { Ok(()) }
    }

    /// The name, or `name_2` and so on where another column has it.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let lower = name.to_ascii_lowercase();
        let Some(last) = self.taken.get(&lower) else {
            self.taken.insert(lower, 1);
            return name.to_owned();
        };
        let mut number = *last + 1;
        while self.taken.contains_key(&format!("{lower}_{number}")) {
            number += 1;
        }
        self.taken.insert(format!("{lower}_{number}"), 1);
        self.taken.insert(lower, number);
        format!("{name}_{number}")
    }

    pub(super) fn push(&mut self, column: SelectedColumn) {
        self.columns.push(column);
    }

    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn into_columns(self) -> Vec<SelectedColumn> {
        self.columns
    }
}
