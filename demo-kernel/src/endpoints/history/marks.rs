//! Marks the words of a search in the text of a version.

use regex::Regex;

use crate::markdown::Span;

/// Any of some words, in any case.
fn pattern(words: &[&str]) -> Option<Regex> {
    let words: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    if words.is_empty() { None } else { Regex::new(&format!("(?i)(?:{})", words.join("|"))).ok() }
}

/// Marks words in a text of spans.
pub(super) fn mark(spans: &mut Vec<Span>, words: &[&str]) {
    let Some(pattern) = pattern(words) else { return };
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
    fn marks_keep_the_text_style() {
        let mut spans = vec![Span::plain("a Pear b"), Span { kind: "strong".into(), ..Span::plain("pear") }];
        mark(&mut spans, &["pear"]);
        let shown: Vec<_> = spans.iter().map(|s| (s.kind.as_str(), s.text.as_str())).collect();
        assert_eq!(shown, [("", "a "), ("search-mark", "Pear"), ("", " b"), ("strong search-mark", "pear")]);
    }
}
