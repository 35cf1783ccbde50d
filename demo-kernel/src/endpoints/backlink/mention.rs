//! Mentions: blocks elsewhere that contain a name of a document or block without referring to it.

use regex::Regex;
use serde_json::Value;

use super::Links;
use crate::answer::Refusal;
use crate::endpoints::shape::text;
use crate::markdown::Span;
use crate::store::Db;

/// The number of blocks searched for mentions.
const MOST: usize = 64;

/// Blocks that mention something, the newest first, and the mentioning words as written.
#[derive(Default)]
pub(super) struct Mentions {
    pub(super) blocks: Vec<Value>,
    pub(super) words: Vec<String>,
}

/// Every name that the thing goes by: its name, for a document its title and the names in it, and the texts of
/// references to it.
fn names(db: &Db<'_>, block: &Value, links: &Links) -> Result<Vec<String>, Refusal> {
    let id = text(block, "id");
    let mut names = Vec::new();
    if text(block, "type") == "NodeDocument" {
        names.extend(db.column("SELECT DISTINCT name FROM blocks WHERE root_id = ?1 AND name <> ''", id)?);
        names.extend(db.tree_of(id)?.map(|tree| tree.title().to_owned()));
    } else {
        names.push(text(block, "name").to_owned());
    }
    for (from, to) in &links.blocks {
        let here = db.references_to(to, false)?.into_iter().filter(|r| r.from == text(from, "id"));
        names.extend(here.map(|reference| reference.text));
    }
    names.retain(|name| !name.is_empty() && name != "*");
    // The longest first, for they match first.
    names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    names.dedup();
    Ok(names)
}

pub(super) fn find(db: &Db<'_>, block: &Value, links: &Links, filter: &str) -> Result<Mentions, Refusal> {
    let names = names(db, block, links)?;
    let Some(pattern) = pattern(&names, true) else { return Ok(Mentions::default()) };
    let candidates = db.blocks_where(
        "root_id <> ?1 AND type IN ('d', 'h', 'p', 't') ORDER BY substr(id, 1, 14) DESC, rowid DESC",
        &[text(block, "rootID")],
    )?;
    let columns = ["content", "name", "alias", "memo", "tag"];
    let holds = |row: &Value, wanted: &str| {
        let wanted = wanted.to_lowercase();
        columns.iter().any(|column| text(row, column).to_lowercase().contains(&wanted))
    };
    let fits =
        |row: &Value| names.iter().any(|name| holds(row, name)) && (filter.is_empty() || holds(row, filter));
    let mut out = Mentions::default();
    for row in candidates.into_iter().filter(fits).take(MOST) {
        let tree = db.tree_of(text(&row, "id"))?;
        let node = tree.as_ref().and_then(|tree| tree.root.find(text(&row, "id")));
        // References, code and formulas are no mentions; a document has no text of its own.
        let own: String = node
            .filter(|_| text(&row, "type") != "NodeDocument")
            .map(|node| node.texts().into_iter().flatten().filter(|span| is_text(span)))
            .into_iter()
            .flatten()
            .map(|span| span.text.as_str())
            .collect();
        let own = own.trim();
        let found: Vec<String> =
            pattern.find_iter(own).filter(|m| is_whole(own, m.end())).map(|m| m.as_str().into()).collect();
        let named =
            || ["name", "alias", "memo"].iter().any(|field| names.iter().any(|n| n == text(&row, field)));
        if own.is_empty() || (found.is_empty() && !named()) {
            continue;
        }
        out.words.extend(found);
        if !links.excluded.contains(text(&row, "id")) {
            out.blocks.push(row);
        }
    }
    let mut seen = std::collections::HashSet::new();
    out.words.retain(|word| seen.insert(word.clone()));
    Ok(out)
}

fn is_text(span: &Span) -> bool {
    !["block-ref", "code", "inline-math"].iter().any(|kind| span.is(kind))
}

/// A match that continues with letters does not count.
fn is_whole(text: &str, end: usize) -> bool {
    !text.get(end..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Any of some words in any case; on request, words of ASCII letters and digits only as a whole.
fn pattern<T: AsRef<str>>(words: &[T], whole: bool) -> Option<Regex> {
    let one = |word: &T| {
        let word = word.as_ref();
        let edge = if whole && word.bytes().all(|b| b.is_ascii_alphanumeric()) { r"(?-u:\b)" } else { "" };
        format!("{edge}{}{edge}", regex::escape(word))
    };
    let words: Vec<String> = words.iter().filter(|word| !word.as_ref().is_empty()).map(one).collect();
    if words.is_empty() { None } else { Regex::new(&format!("(?i)(?:{})", words.join("|"))).ok() }
}

/// Marks words in a text of spans, as results of a search.
pub(in crate::endpoints) fn mark<T: AsRef<str>>(spans: &mut Vec<Span>, words: &[T]) {
    let Some(pattern) = pattern(words, false) else { return };
    let mut out = Vec::new();
    for span in std::mem::take(spans) {
        if span.is("inline-math") || span.is("img") || !pattern.is_match(&span.text) {
            out.push(span);
            continue;
        }
        let mut at = 0;
        let part = |from: usize, to: usize| span.text.get(from..to).unwrap_or_default().to_owned();
        for found in pattern.find_iter(&span.text) {
            out.push(Span { text: part(at, found.start()), ..span.clone() });
            let kind = format!("{} search-mark", span.kind).trim_start().to_owned();
            out.push(Span { kind, text: found.as_str().to_owned(), attrs: span.attrs.clone() });
            at = found.end();
        }
        out.push(Span { text: part(at, span.text.len()), ..span });
    }
    out.retain(|span| !span.text.is_empty() || span.is("img") || span.is("inline-math"));
    *spans = out;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_match_whole_words_longest_first() {
        let pattern = pattern(&["Pear tree", "pear", "梨"], true).unwrap();
        let found = |text: &str| pattern.find_iter(text).map(|m| m.as_str().to_owned()).collect::<Vec<_>>();
        assert_eq!(found("A pear tree, a Pear and pears"), ["pear tree", "Pear"]);
        assert_eq!(found("梨子"), ["梨"]);
        assert!(is_whole("pear, x", 4) && !is_whole("pears", 4));
    }

    #[test]
    fn mention_marks_keep_the_text_style() {
        let mut spans = vec![Span::plain("a Pear b"), Span { kind: "strong".into(), ..Span::plain("pear") }];
        mark(&mut spans, &["pear"]);
        let shown: Vec<_> = spans.iter().map(|s| (s.kind.as_str(), s.text.as_str())).collect();
        assert_eq!(shown, [("", "a "), ("search-mark", "Pear"), ("", " b"), ("strong search-mark", "pear")]);
    }
}
