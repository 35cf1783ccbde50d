//! Find and replace: in text, in marks by their kinds, in titles and in blocks of code.

use regex::Regex;
use serde_json::Value;

use super::query;
use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::history;
use crate::kernel::Kernel;
use crate::markdown::inline::{self, ZERO_WIDTH};
use crate::markdown::write::wants_room;
use crate::markdown::{Kind, Node, Span};
use crate::store::Db;

/// A mark, and its name in requests; the first that a span has decides.
const MARKS: [(&str, &str); 15] = [
    ("code", "code"),
    ("a", "a"),
    ("em", "em"),
    ("strong", "strong"),
    ("kbd", "kbd"),
    ("mark", "mark"),
    ("s", "s"),
    ("sub", "sub"),
    ("sup", "sup"),
    ("tag", "tag"),
    ("u", "u"),
    ("inline-math", "inlineMath"),
    ("inline-memo", "inlineMemo"),
    ("text", "text"),
    ("block-ref", "blockRef"),
];

/// The text to find, its replacement, and where.
struct Job<'a> {
    find: &'a str,
    with: &'a str,
    /// The regular expression, if the method uses one; an invalid one finds nothing.
    pattern: Option<Regex>,
    is_pattern: bool,
    any_case: Option<Regex>,
    wanted: Vec<&'a str>,
}

impl Job<'_> {
    fn wants(&self, kind: &str) -> bool {
        self.wanted.contains(&kind)
    }

    /// A text with everything replaced.
    fn plain(&self, text: &str) -> String {
        self.with(text, self.with)
    }

    fn with(&self, text: &str, with: &str) -> String {
        match (&self.pattern, self.is_pattern) {
            (Some(pattern), true) => pattern.replace_all(text, with).into_owned(),
            (None, true) => text.to_owned(),
            _ => text.replace(self.find, with),
        }
    }

    /// As above for text without marks, ignoring case.
    fn any_case(&self, text: &str) -> String {
        match &self.any_case {
            Some(pattern) if !self.is_pattern => pattern.replace_all(text, self.with).into_owned(),
            _ => self.plain(text),
        }
    }
}

pub(in crate::endpoints) fn run(kernel: &Kernel, args: &Args) -> Outcome {
    let (find, with) = (args.text("k")?, args.text("r")?);
    let ids = args.texts("ids")?;
    let refuse = |why: &str| Refusal::code(1, why).closing_after(5000);
    let method = args.int_or("method", 0);
    if method == 2 {
        let why = "SQL search mode does not support the replace operation, please use another search method";
        return Err(refuse(why));
    }
    if args.int_or("groupBy", 0) != 0 {
        let why = "The replacement operation is not supported after grouping by document. Please use ungrouping and \
                   then replace";
        return Err(refuse(why));
    }
    if find == with {
        return Ok(Value::Null);
    }
    let given = args.get("replaceTypes").and_then(Value::as_object).into_iter().flatten();
    let job = Job {
        find,
        with,
        pattern: Regex::new(find).ok(),
        is_pattern: method == 3,
        any_case: Regex::new(&format!("(?i){}", regex::escape(&find.to_lowercase()))).ok(),
        wanted: given.filter(|(_, on)| **on == Value::Bool(true)).map(|(name, _)| name.as_str()).collect(),
    };
    let mut targets: Vec<String> = ids.into_iter().map(str::to_owned).collect();
    if targets.is_empty() {
        // Without ids, all results on all pages.
        let mut search = query(args, find);
        (search.method, search.page, search.size) = (if method == 3 { 3 } else { 0 }, 1, super::MOST);
        let found = kernel.store.search(&search)?.blocks;
        targets.extend(found.iter().filter_map(|block| block.get("id")?.as_str().map(str::to_owned)));
    }
    targets.dedup();
    kernel.store.write(|db| {
        let mut kept = Vec::new();
        for id in &targets {
            let Some(tree) = db.tree_of(id)? else { continue };
            if !kept.contains(&tree.id().to_owned()) {
                history::keep(kernel, &tree, "replace")?;
                kept.push(tree.id().to_owned());
            }
            in_block(db, id, &job)?;
        }
        Ok(Value::Null)
    })
}

fn in_block(db: &Db<'_>, id: &str, job: &Job<'_>) -> Result<(), Refusal> {
    let mut tree = db.need_tree(id)?;
    if tree.id() != id {
        let Some(node) = tree.root.find_mut(id) else { return Ok(()) };
        let mut changed = Vec::new();
        let now = crate::id::stamp();
        node.walk_mut(&mut |node| {
            if in_node(node, job) {
                node.attrs.set("updated", &now);
                changed.push(node.id.clone());
            }
        });
        changed.iter().for_each(|id| crate::edit::touch(&mut tree.root, id));
        return db.save(&tree);
    }
    if !job.wants("docTitle") {
        return Ok(());
    }
    let without_hashes = job.with.trim_start_matches('#').trim_end_matches('#');
    let tags = job.with(tree.root.attrs.text("tags"), without_hashes).replace(ZERO_WIDTH, "");
    tree.root.attrs.set("tags", &tags);
    // A title cannot contain a slash; a similar character replaces it.
    let title = job.with(tree.title(), &job.with.replace('/', "\u{ff0f}"));
    if title == tree.title() { db.save(&tree) } else { db.rename_tree(tree, title.trim()) }
}

/// Replaces in one block, not in its descendants; returns whether its text changed.
fn in_node(node: &mut Node, job: &Job<'_>) -> bool {
    match &mut node.kind {
        Kind::Code { text, .. } if job.wants("codeBlock") => *text = job.plain(text),
        Kind::Math(text) if job.wants("mathBlock") => *text = job.plain(text).trim().to_owned(),
        Kind::Html(text) if job.wants("htmlBlock") => *text = job.plain(text),
        _ => {}
    }
    let mut changed = false;
    for spans in node.texts_mut() {
        let before = spans.clone();
        spans.clear();
        for (at, span) in before.iter().enumerate() {
            let new = in_span(span, job);
            let left = wants_room(span) && !span.is("img") && !new.iter().any(wants_room);
            spans.extend(new);
            if left {
                // The spaces around a removed mark are kept.
                spans.push(Span::plain(ZERO_WIDTH.to_string().repeat(if at == 0 { 2 } else { 1 })));
            }
        }
        inline::join_all(spans);
        let plain = |spans: &[Span]| -> String {
            spans.iter().filter(|span| span.kind.is_empty()).map(|span| span.text.as_str()).collect()
        };
        changed |= plain(&before) != plain(spans);
    }
    changed
}

/// A span with everything replaced; a mark that would be empty is removed.
fn in_span(span: &Span, job: &Job<'_>) -> Vec<Span> {
    let mut new = span.clone();
    if span.kind.is_empty() {
        let text = if job.wants("text") { job.any_case(&span.text) } else { span.text.clone() };
        // New text may have marks of its own.
        return if text == span.text { vec![new] } else { parsed(&text) };
    }
    if span.is("img") {
        let parts = [("imgTitle", "title"), ("imgSrc", "data-src")];
        for (_, attr) in parts.iter().filter(|(kind, _)| job.wants(kind)) {
            let old = span.attrs.text(attr);
            let value = if *attr == "data-src" { job.with(old, job.with.trim()) } else { job.plain(old) };
            new.attrs.set(attr, &value);
        }
        if job.wants("imgText") {
            new.text = job.plain(&span.text);
        }
        let gone = new.attrs.text("data-src").is_empty();
        return if gone { Vec::new() } else { vec![new] };
    }
    let Some((mark, kind)) = MARKS.iter().find(|(mark, _)| span.is(mark)) else { return vec![new] };
    match *mark {
        "a" => {
            if job.wants("aText") {
                new.text = job.plain(&span.text);
            }
            for (_, attr) in
                [("aTitle", "data-title"), ("aHref", "data-href")].iter().filter(|(k, _)| job.wants(k))
            {
                new.attrs.set(attr, &job.plain(span.attrs.text(attr)));
            }
            if new.attrs.text("data-href").is_empty() && !new.text.is_empty() {
                new = Span::plain(new.text);
            }
        }
        _ if !job.wants(kind) => return vec![new],
        "tag" if span.kind == "tag" && !job.is_pattern => return in_tag(span, job),
        "block-ref" => {
            new.text = job.plain(&span.text);
            if new.text != span.text {
                new.attrs.set("data-subtype", "s");
            }
        }
        "inline-memo" => {
            let memo = span.attrs.text("data-inline-memo-content");
            new.attrs.set("data-inline-memo-content", &job.plain(memo));
            new.text = job.plain(&span.text);
        }
        _ => new.text = job.plain(&span.text).replace(ZERO_WIDTH, ""),
    }
    if new.text.is_empty() { Vec::new() } else { vec![new] }
}

/// A whole tag becomes text, unless a tag is put in its place; of a part of one the tag stays.
fn in_tag(span: &Span, job: &Job<'_>) -> Vec<Span> {
    let find = job.find.trim_start_matches('#').trim_end_matches('#');
    let tag = job.with.strip_prefix('#').and_then(|with| with.strip_suffix('#'));
    if tag.is_none() && span.text == find {
        return parsed(job.with);
    }
    let text = span.text.replace(find, tag.unwrap_or(job.with)).replace(ZERO_WIDTH, "");
    if text.is_empty() { Vec::new() } else { vec![Span { text, ..span.clone() }] }
}

/// Text as spans, with the spaces at its ends, which the reader drops.
fn parsed(text: &str) -> Vec<Span> {
    let inner = text.trim();
    let lead = text.len() - text.trim_start().len();
    let (before, after) =
        (text.get(..lead).unwrap_or_default(), text.get(lead + inner.len()..).unwrap_or_default());
    let mut spans = vec![Span::plain(before)];
    spans.extend(inline::parse(inner));
    spans.push(Span::plain(after));
    spans.retain(|span| !span.kind.is_empty() || !span.text.is_empty());
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::write::{Style, spans};

    fn replaced(text: &str, find: &str, with: &str, pattern: bool, wanted: &[&str]) -> String {
        let job = Job {
            find,
            with,
            pattern: Regex::new(find).ok(),
            is_pattern: pattern,
            any_case: Regex::new(&format!("(?i){}", regex::escape(find))).ok(),
            wanted: wanted.to_vec(),
        };
        let mut node = crate::markdown::scan(text).remove(0);
        in_node(&mut node, &job);
        spans(&node.spans, Style::Plain)
    }

    #[test]
    fn replace_changes_selected_types_only() {
        let text = "Pear **pear** `pear` [pear](pear.org \"pear\")";
        assert_eq!(
            replaced(text, "pear", "x", false, &["text"]),
            "x **pear** `pear` [pear](pear.org \"pear\")"
        );
        assert_eq!(
            replaced(text, "pear", "x", false, &["strong"]),
            "Pear **x** `pear` [pear](pear.org \"pear\")"
        );
        assert_eq!(
            replaced(text, "pear", "x", false, &["aHref", "aTitle"]),
            "Pear **pear** `pear` [pear](x.org \"x\")"
        );
    }

    #[test]
    fn replacement_may_contain_marks_and_empty_marks_are_removed() {
        assert_eq!(replaced("a pear b", "pear", "**big**", false, &["text"]), "a **big** b");
        assert_eq!(replaced("a **pear** b", "pear", "", false, &["strong"]), "a  b");
        assert_eq!(replaced("a #pear# #pear/x#", "pear", "y", false, &["tag"]), "a y #y/x#");
    }

    #[test]
    fn regex_replacement_uses_groups_and_invalid_regex_finds_nothing() {
        assert_eq!(replaced("pear Pear", "p(e)ar", "${1}x", true, &["text"]), "ex Pear");
        assert_eq!(replaced("a (", "(", "x", true, &["text"]), "a (");
    }
}
