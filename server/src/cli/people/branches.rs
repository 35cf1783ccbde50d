//! The lines that show which row of a tree lies below which.

use serde_json::{Map, Value};

/// The names of fields that count how deep a row lies.
const DEPTHS: [&str; 2] = ["depth", "level"];
/// The depth up to which rows are drawn apart.
const DEEPEST: usize = 20;

/// The field that counts how deep each row lies, with its numbers; `None` if the rows are no tree.
pub(crate) fn depth_key<'a>(rows: &[&'a Map<String, Value>]) -> Option<(&'a str, Vec<usize>)> {
    let keys = rows.first()?.keys().map(String::as_str);
    keys.filter(|key| DEPTHS.contains(key)).find_map(|key| {
        let depth = |row: &&Map<String, Value>| usize::try_from(row.get(key)?.as_u64()?).ok();
        Some((key, rows.iter().map(depth).collect::<Option<_>>()?))
    })
}

/// The branch before each row. The least depth stands at the edge.
pub(crate) fn branches(depths: &[usize]) -> Vec<String> {
    let least = depths.iter().copied().min().unwrap_or_default();
    // At each depth, whether another row follows below the same one.
    let mut follows: Vec<bool> = Vec::new();
    let mut out: Vec<String> = Vec::with_capacity(depths.len());
    for depth in depths.iter().rev() {
        let depth = depth.saturating_sub(least).min(DEEPEST);
        follows.resize(depth + 1, false);
        let mut branch = String::new();
        for (at, more) in follows.iter().enumerate().skip(1) {
            branch.push_str(match (at == depth, more) {
                (true, true) => "├─ ",
                (true, false) => "└─ ",
                (false, true) => "│  ",
                (false, false) => "   ",
            });
        }
        out.push(branch);
        if let Some(last) = follows.last_mut() {
            *last = true;
        }
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn branches_join_what_lies_below_the_same_row() {
        assert_eq!(branches(&[1, 2, 3, 2, 1]), ["", "├─ ", "│  └─ ", "└─ ", ""]);
        assert_eq!(branches(&[3, 2]), ["└─ ", ""], "a page may begin inside");
        assert!(branches(&[]).is_empty());
        assert!(branches(&[0, usize::MAX]).iter().all(|it| it.len() < 200));
    }

    #[test]
    fn rows_are_a_tree_if_each_has_a_depth() {
        let depth = |rows: Value| {
            let rows: Vec<Map<String, Value>> = serde_json::from_value(rows).unwrap();
            depth_key(&rows.iter().collect::<Vec<_>>()).map(|(key, depths)| (key.to_owned(), depths))
        };
        assert_eq!(
            depth(json!([{ "a": 1, "depth": 2 }, { "depth": 1 }])),
            Some(("depth".to_owned(), vec![2, 1]))
        );
        assert_eq!(depth(json!([{ "level": "rw" }])), None, "a level of permission");
        assert_eq!(depth(json!([{ "depth": 2 }, { "a": 1 }])), None);
    }
}
