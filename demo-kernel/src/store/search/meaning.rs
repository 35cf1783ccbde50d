//! Search by meaning without a model: texts are near each other if they share runs of letters.
//!
//! `watering` is near `water`, and that is enough to see which blocks are compared, in which order, and how many.

use std::collections::{BTreeMap, HashSet};

use rusqlite::{Connection, params_from_iter};
use serde_json::{Value, json};

use super::{Condition, Search, SearchPage, block, by_paths, escape};
use crate::markdown::plain::is_cjk;

/// Texts with fewer bytes, or more, are not compared.
const LENGTHS: std::ops::RangeInclusive<usize> = 7..=12_000;
/// The length of a run.
const RUN: usize = 3;

/// The number of times that each run of letters occurs in a text.
type Vector = BTreeMap<String, f64>;

/// The blocks nearest to the query. As in the real kernel, every block is near to some degree, and the number of
/// matches is that of the blocks up to the end of the page.
pub(super) fn find(connection: &Connection, search: &Search) -> rusqlite::Result<SearchPage> {
    let mut filter = Condition::default();
    filter.add("length(b.content) > 0", []);
    if !search.types.is_empty() {
        filter.list("b.type", search.types.iter().map(|&t| t.to_owned()).collect());
    }
    by_paths(&search.paths, &mut filter);
    let rows =
        format!("SELECT b.* FROM blocks b WHERE {} GROUP BY b.id ORDER BY b.id", filter.sql.join(" AND "));
    let mut statement = connection.prepare(&rows)?;
    let asked = vector(&search.query);
    let mut near: Vec<(f64, Value)> = Vec::new();
    for row in statement.query_map(params_from_iter(&filter.values), |row| block(row, None))? {
        let mut row = row?;
        let content = row.get("content").and_then(Value::as_str).unwrap_or_default().to_owned();
        if LENGTHS.contains(&content.len()) {
            if let Some(row) = row.as_object_mut() {
                row.insert("content".into(), json!(escape(&content)));
            }
            near.push((cosine(&asked, &vector(&content)), row));
        }
    }
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let number = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    near.truncate(number(search.page.saturating_mul(search.size)));
    let matched = i64::try_from(near.len()).unwrap_or(i64::MAX);
    let from = number((search.page - 1).saturating_mul(search.size));
    let blocks: Vec<Value> = near.into_iter().skip(from).map(|(_, row)| row).collect();
    let roots: HashSet<&str> = blocks.iter().filter_map(|it| it.get("rootID")?.as_str()).collect();
    let documents = i64::try_from(roots.len()).unwrap_or(i64::MAX);
    let pages = (matched + search.size - 1) / search.size.max(1);
    Ok(SearchPage { blocks, matched, documents, pages, by_document: false })
}

fn vector(text: &str) -> Vector {
    let mut vector = Vector::new();
    let mut add = |run: &[char]| *vector.entry(run.iter().collect()).or_default() += 1.0;
    for word in text.to_lowercase().split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|it| is_cjk(*it)) {
            letters.chunks(1).chain(letters.windows(2)).for_each(&mut add);
        } else {
            let padded: Vec<char> = format!(" {word} ").chars().collect();
            padded.windows(RUN).for_each(&mut add);
        }
    }
    vector
}

fn cosine(one: &Vector, other: &Vector) -> f64 {
    let length = |it: &Vector| it.values().map(|n| n * n).sum::<f64>().sqrt();
    let both: f64 = one.iter().filter_map(|(run, n)| Some(n * other.get(run)?)).sum();
    let lengths = length(one) * length(other);
    if lengths > 0.0 { both / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{cosine, vector};

    #[test]
    fn texts_that_share_letters_are_near() {
        let near = |one: &str, other: &str| cosine(&vector(one), &vector(other));
        assert!(near("watering", "water the mint") > near("watering", "mint in spring"));
        assert!(near("浇水", "每天浇水") > near("浇水", "薄荷"));
        assert!(near("", "mint").abs() < f64::EPSILON);
    }
}
