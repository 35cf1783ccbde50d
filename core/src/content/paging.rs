//! Pages of a list whose rows have ids: `next` stays valid when rows are added meanwhile (B-029).

use std::fmt;
use std::str::FromStr;

/// One page.
#[derive(Debug, PartialEq, Eq)]
pub struct Page<'a, T> {
    /// Its rows.
    pub items: &'a [T],
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// The number of rows shown so far, and the id of the last one: `<count>.<id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageStart {
    count: usize,
    last: String,
}

impl FromStr for PageStart {
    type Err = ();

    fn from_str(cursor: &str) -> Result<PageStart, ()> {
        let (count, last) = cursor.split_once('.').ok_or(())?;
        Ok(PageStart { count: count.parse().map_err(|_| ())?, last: last.to_owned() })
    }
}

impl fmt::Display for PageStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.count, self.last)
    }
}

/// The rows after the last shown one, at most `limit`; if that row is gone, the count decides.
pub fn page<'a, T>(
    all: &'a [T],
    after: Option<&PageStart>,
    limit: usize,
    id: impl Fn(&T) -> &str,
) -> Page<'a, T> {
    let from = after.map_or(0, |PageStart { count, last }| {
        all.iter().position(|row| id(row) == last).map_or(*count, |at| at + 1)
    });
    let rest = all.get(from..).unwrap_or_default();
    let items = rest.get(..limit).unwrap_or(rest);
    let more = rest.len() > items.len();
    let shown = |last: &T| PageStart { count: from + items.len(), last: id(last).to_owned() };
    let next = items.last().filter(|_| more).map(|last| shown(last).to_string());
    Page { items, next }
}

#[cfg(test)]
mod tests {
    use super::{PageStart, page};

    #[test]
    fn rows_added_between_pages_are_not_repeated() {
        let mut rows = vec!["a", "b", "c", "d"];
        let first = page(&rows, None, 2, |it| it);
        assert_eq!(first.items, ["a", "b"]);
        let next: PageStart = first.next.unwrap().parse().unwrap();
        rows.insert(0, "new");
        let second = page(&rows, Some(&next), 2, |it| it);
        assert_eq!((second.items, second.next), (&["c", "d"][..], None));
    }

    #[test]
    fn cursor_of_a_removed_row_falls_back_to_its_count() {
        let gone: PageStart = "1.b".parse().unwrap();
        assert_eq!(page(&["a", "c"], Some(&gone), 5, |it| it).items, ["c"]);
        assert!(["b", "x.b", ""].into_iter().all(|foreign| foreign.parse::<PageStart>().is_err()));
    }
}
