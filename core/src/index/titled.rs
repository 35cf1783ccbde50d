//! Documents whose titles may be what somebody meant: candidates for a comparison.

use super::{Order, Select, any, in_any_case};

/// The maximum number of candidates.
const COMPARED: usize = 200;
/// The number of letters of a word that a title must contain: one letter wrong elsewhere does no harm.
const LETTERS: usize = 3;

/// The documents below the notebooks whose titles contain some of these letters, those changed last first.
pub(crate) fn titled(letters: impl IntoIterator<Item = String>) -> Select {
    let holds = any(letters.into_iter().map(|it| in_any_case("b.content", &it)));
    let select = Select::documents().below_notebooks().columns(["b.root_id", "b.updated"]).filter(holds);
    select.order([Order::Down("b.updated"), Order::Up("b.id")]).limit(COMPARED)
}

/// The letters at the beginning of a word.
pub(crate) fn beginning(word: &str) -> String {
    word.chars().take(LETTERS).collect()
}

/// The letters at the end of a word.
pub(crate) fn end(word: &str) -> String {
    word.chars().skip(word.chars().count().saturating_sub(LETTERS)).collect()
}
