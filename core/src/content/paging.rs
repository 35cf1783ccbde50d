//! Pages of a list whose rows have ids: `next` survives rows that are added meanwhile (B-029).

/// One page.
#[derive(Debug, PartialEq, Eq)]
pub struct Page<'a, T> {
    /// Its rows.
    pub items: &'a [T],
    /// Where the next one begins, if there is one.
    pub next: Option<String>,
}

/// The rows after the one that a cursor names, at most `limit`.
///
/// A cursor is `<count>.<id of the last row>`; when that row is gone, the count decides.
/// `None` when the cursor is not one of ours.
pub fn page<'a, T>(
    all: &'a [T],
    cursor: Option<&str>,
    limit: usize,
    id: impl Fn(&T) -> &str,
) -> Option<Page<'a, T>> {
    let from = match cursor {
        None => 0,
        Some(cursor) => {
            let (count, last) = cursor.split_once('.')?;
            let count: usize = count.parse().ok()?;
            all.iter().position(|row| id(row) == last).map_or(count, |at| at + 1)
        }
    };
    let rest = all.get(from..).unwrap_or_default();
    let items = rest.get(..limit).unwrap_or(rest);
    let more = rest.len() > items.len();
    let next = items.last().filter(|_| more).map(|last| format!("{}.{}", from + items.len(), id(last)));
    Some(Page { items, next })
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn rows_added_meanwhile_are_not_shown_twice() {
        let mut rows = vec!["a", "b", "c", "d"];
        let first = page(&rows, None, 2, |it| it).unwrap();
        assert_eq!(first.items, ["a", "b"]);
        let next = first.next.unwrap();
        rows.insert(0, "new");
        let second = page(&rows, Some(&next), 2, |it| it).unwrap();
        assert_eq!((second.items, second.next), (&["c", "d"][..], None));
    }

    #[test]
    fn a_row_that_is_gone_is_found_by_count_and_a_foreign_cursor_is_refused() {
        assert_eq!(page(&["a", "c"], Some("1.b"), 5, |it| it).unwrap().items, ["c"]);
        assert!(page(&["a"], Some("b"), 5, |it| it).is_none());
        assert!(page(&["a"], Some("x.b"), 5, |it| it).is_none());
    }
}
