//! Templates: their actions, and the functions that these may name.
//!
//! A template runs inside the kernel with functions that read every notebook, and one that writes SQL. So each name in
//! an action must be on a list. The text is split as Go's `text/template` splits it; what Go would refuse is refused
//! here too, so that the two never disagree about what is an action.

mod functions;
#[cfg(test)]
mod fuzz;
mod growth;
mod plain;
#[cfg(test)]
mod recorded;
mod settled;

use std::collections::BTreeSet;

pub use functions::{is_harmless, is_query};
pub use growth::check_growth;
pub use plain::TemplateUse;
pub use settled::{PrintedTemplate, own};

use crate::error::ToolError;

/// The marks around an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// `.action{ }`, in template files.
    File,
    /// `{{ }}`, in a text of its own.
    Braces,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplatePiece<'a> {
    /// Text that stays as it is.
    Text(&'a str),
    /// The inside of an action.
    Action(TemplateAction<'a>),
}

/// The inside of an action.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplateAction<'a> {
    /// All of it.
    pub inside: &'a str,
    /// The functions and keywords that it names.
    pub names: Vec<&'a str>,
    /// The texts between quotes.
    pub literals: Vec<&'a str>,
    /// The positions of each `$` that stands alone: the document that the template is for.
    pub roots: Vec<usize>,
    /// Whether it removes the blanks before it and after it.
    pub trims: (bool, bool),
}

impl Marks {
    const fn open(self) -> &'static str {
        match self {
            Marks::File => ".action{",
            Marks::Braces => "{{",
        }
    }

    const fn close(self) -> &'static str {
        match self {
            Marks::File => "}",
            Marks::Braces => "}}",
        }
    }
}

/// The pieces of a template.
///
/// # Errors
/// Returns the expectation that the template breaks.
pub fn pieces(mut text: &str, marks: Marks) -> Result<Vec<TemplatePiece<'_>>, &'static str> {
    let mut all = Vec::new();
    while let Some((before, rest)) = text.split_once(marks.open()) {
        if !before.is_empty() {
            all.push(TemplatePiece::Text(before));
        }
        let (action, length) = action(rest, marks.close())?;
        all.push(TemplatePiece::Action(action));
        text = rest.get(length..).unwrap_or_default().strip_prefix(marks.close()).unwrap_or_default();
    }
    if !text.is_empty() {
        all.push(TemplatePiece::Text(text));
    }
    Ok(all)
}

const UNCLOSED: &str = "a template whose actions, texts and comments are all closed";

/// The characters that `text/template` counts as blanks.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The action that a text begins with, and its length.
fn action<'a>(text: &'a str, close: &str) -> Result<(TemplateAction<'a>, usize), &'static str> {
    let mut found = TemplateAction::default();
    let trimmed = text.strip_prefix('-').filter(|rest| rest.starts_with(BLANKS));
    if let Some(comment) = trimmed
        .unwrap_or(text)
        .trim_start_matches(|it: char| trimmed.is_some() && it.is_ascii_whitespace())
        .strip_prefix("/*")
    {
        let (_, behind) = comment.split_once("*/").ok_or(UNCLOSED)?;
        let rest = behind.strip_prefix(" -").unwrap_or(behind);
        found.trims = (trimmed.is_some(), rest.len() < behind.len());
        if !rest.starts_with(close) {
            return Err("a template whose comments have an action of their own");
        }
        return Ok((found, text.len() - rest.len()));
    }
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with(close) {
            found.inside = text.get(..at).unwrap_or_default();
            let trims_behind = found.inside.strip_suffix('-').is_some_and(|it| it.ends_with(BLANKS));
            found.trims = (trimmed.is_some(), trims_behind);
            return Ok((found, at));
        }
        at += token(rest, at, &mut found)?.ok_or(UNCLOSED)?;
    }
}

/// A text as the inside of one action.
fn whole(text: &str) -> Option<TemplateAction<'_>> {
    let (mut found, mut at) = (TemplateAction::default(), 0);
    while let Some(length) = token(text.get(at..)?, at, &mut found).ok()? {
        at += length;
    }
    found.inside = text;
    Some(found)
}

/// Adds the token that a text begins with to an action, and returns its length; `None` at the end of the text.
fn token<'a>(
    rest: &'a str,
    at: usize,
    found: &mut TemplateAction<'a>,
) -> Result<Option<usize>, &'static str> {
    let Some(first) = rest.chars().next() else { return Ok(None) };
    let is_name = |it: char| it == '_' || it.is_alphanumeric();
    let word = |from: usize| {
        rest.get(from..).unwrap_or_default().find(|it| !is_name(it)).map_or(rest.len(), |end| from + end)
    };
    Ok(Some(match first {
        '"' | '\'' => {
            let end = quoted(rest, first)?;
            found.literals.extend(rest.get(1..end - 1));
            end
        }
        '`' => {
            let end = rest.get(1..).and_then(|it| it.find('`')).ok_or(UNCLOSED)? + 2;
            found.literals.extend(rest.get(1..end - 1));
            end
        }
        '.' => word(1),
        '$' => {
            let end = word(1);
            if end == 1 {
                found.roots.push(at);
            }
            end
        }
        it if it.is_ascii_digit() => word(0),
        it if is_name(it) => {
            let end = word(0);
            found.names.extend(rest.get(..end));
            end
        }
        it if it.is_ascii_graphic() || it.is_ascii_whitespace() => 1,
        _ => return Err("a template whose actions hold no odd characters outside of texts"),
    }))
}

/// The length of a quoted text, with its quotes.
fn quoted(text: &str, quote: char) -> Result<usize, &'static str> {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                None | Some((_, '\n')) => return Err(UNCLOSED),
                Some(_) => {}
            },
            '\n' => return Err(UNCLOSED),
            it if it == quote => return Ok(at + 1),
            _ => {}
        }
    }
    Err(UNCLOSED)
}

/// Whether a template names only functions that read no notes. One that cannot be read to its end may do anything.
pub fn only_computes(text: &str, marks: Marks) -> bool {
    pieces(text, marks).is_ok_and(|pieces| names(&pieces).into_iter().all(is_harmless))
}

/// Like `only_computes`, and the result stays small: for templates that an agent gives to SiYuan.
pub fn computes_within_bounds(text: &str, marks: Marks) -> bool {
    only_computes(text, marks) && pieces(text, marks).is_ok_and(|pieces| growth::is_bounded(&own(&pieces)))
}

/// A template that an agent gives to SiYuan, as it may be stored: it only computes, its result stays small, and no
/// value in it becomes markup.
///
/// # Errors
/// Returns the error for the argument of this name.
pub fn settle(
    text: &str,
    (marks, place): (Marks, TemplateUse),
    field: &str,
) -> Result<PrintedTemplate, ToolError> {
    let wrong = |expected| ToolError::field(field, expected);
    let pieces = pieces(text, marks).map_err(wrong)?;
    check(&pieces, field, is_harmless)?;
    check_growth(&own(&pieces), field)?;
    PrintedTemplate::of(&pieces, marks, place).map_err(wrong)
}

/// Every function and keyword that a template names, each once. The filter that [`Settled`] prints around values does
/// not count.
pub fn names<'a>(pieces: &[TemplatePiece<'a>]) -> BTreeSet<&'a str> {
    let actions = pieces
        .iter()
        .filter_map(|it| if let TemplatePiece::Action(action) = it { Some(action) } else { None });
    let own = |it: &TemplateAction<'a>| settled::unfiltered(it).unwrap_or_else(|| it.clone()).names;
    actions.flat_map(own).collect()
}

/// Refuses a template that names a function which `allowed` does not have.
///
/// # Errors
/// Returns the error for the argument of this name, with the functions.
pub fn check(
    pieces: &[TemplatePiece<'_>],
    field: &str,
    allowed: impl Fn(&str) -> bool,
) -> Result<(), ToolError> {
    let refused: Vec<&str> = names(pieces).into_iter().filter(|it| !allowed(it)).collect();
    if refused.is_empty() {
        return Ok(());
    }
    let expected = "a template without these functions, which could read every notebook, make secrets or grow without end";
    Err(ToolError::field(field, expected).with("functions", refused))
}

/// Fields of a document that tries everything: titles, names and aliases are texts that anybody may have written.
pub const HOSTILE: [(&str, &str); 4] = [
    ("title", "1. ((2025 'x')) <img src=x onerror=\"x\"> ![x](javascript:x) #x# `x` $x$ {{SELECT 1}}"),
    ("id", "20250101000000"),
    ("name", "x}\n{: onclick=\"x\" id=\"2025\"}\n\n```\n<script>x</script>"),
    ("alias", ""),
];

/// A template file as a text with braces, with these fields of the document that it is for.
pub fn with_braces(pieces: &[TemplatePiece<'_>], fields: [(&str, &str); 4]) -> String {
    const ROOT: &str = "$theDocument";
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!(" {} {}", literal(name), literal(value))).collect();
    let mut text = format!("{{{{with {ROOT} := dict{}}}}}", fields.concat());
    for piece in pieces {
        match piece {
            // A single brace could join the mark behind it.
            TemplatePiece::Text(it) => text.push_str(&it.replace('{', "{{\"{\"}}")),
            TemplatePiece::Action(TemplateAction { inside, roots, .. }) if !inside.is_empty() => {
                text.push_str("{{");
                let mut from = 0;
                for at in roots {
                    text.push_str(inside.get(from..*at).unwrap_or_default());
                    text.push_str(ROOT);
                    from = at + 1;
                }
                text.push_str(inside.get(from..).unwrap_or_default());
                text.push_str("}}");
            }
            TemplatePiece::Action(_) => {}
        }
    }
    text + "{{end}}"
}

/// A text as Go writes it between quotes.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            it if it.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(it))),
            it => out.push(it),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(text: &str, marks: Marks) -> Result<Vec<String>, &'static str> {
        Ok(names(&pieces(text, marks)?).into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn functions_are_told_from_texts_fields_and_variables() {
        let text = "# .action{now | date \"querySQL }\"} .action{- .title | upper -} .action{$querySQL := 1}\n.action{/* querySQL */}";
        assert_eq!(named(text, Marks::File).unwrap(), ["date", "now", "upper"]);
        assert_eq!(
            named("{{`querySQL`}}{{'x'}}{{-3}}{{1querySQL}}", Marks::Braces).unwrap(),
            Vec::<String>::new()
        );
        assert_eq!(named("{{(querySQL \"x\")}}", Marks::Braces).unwrap(), ["querySQL"]);
        assert_eq!(
            named(".action{ (index(queryBlocks`x`)0).ID }", Marks::File).unwrap(),
            ["index", "queryBlocks"]
        );
        // Marks of the other form are text.
        assert_eq!(named("{{querySQL}}", Marks::File).unwrap(), Vec::<String>::new());
    }

    /// Text that Go refuses is refused, so that nothing hides in it.
    #[test]
    fn what_is_not_closed_is_refused() {
        for text in [
            "{{",
            "{{\"}}",
            "{{`}}",
            "{{/* }}",
            "{{/* */ querySQL}}",
            "{{\"\n\"}}",
            "{{\"\\\n\"}}",
            "{{\u{200b}now}}",
        ] {
            assert!(pieces(text, Marks::Braces).is_err(), "{text:?}");
        }
    }

    /// B-058: templates count as SQL.
    #[test]
    fn functions_that_read_every_notebook_are_not_harmless() {
        for name in [
            "queryBlocks",
            "querySpans",
            "querySQL",
            "getBlock",
            "getHPathByID",
            "statBlock",
            "genPrivateKey",
            "repeat",
            "until",
            "seq",
            "env",
            "define",
            "template",
            // Changes a value that the next round of a loop reads again.
            "set",
            "merge",
            "mergeOverwrite",
        ] {
            assert!(!is_harmless(name), "{name}");
            let text = format!("{{{{ {name} \"x\" }}}}");
            let refused = check(&pieces(&text, Marks::Braces).unwrap(), "text", is_harmless).unwrap_err();
            assert_eq!(refused.details["functions"], serde_json::json!([name]));
        }
        assert!(
            is_query("queryBlocks") && !is_query("querySQL") && is_harmless("now") && is_harmless("true")
        );
    }

    #[test]
    fn a_file_becomes_a_text_with_braces() {
        let pieces = pieces("{{a}} .action{- .title -}{ .action{$.id}.action{/* x */}", Marks::File).unwrap();
        let fields = [("title", "A \"b\"\n"), ("id", "1"), ("name", ""), ("alias", "")];
        assert_eq!(
            with_braces(&pieces, fields),
            "{{with $theDocument := dict \"title\" \"A \\\"b\\\"\\u000a\" \"id\" \"1\" \"name\" \"\" \"alias\" \"\"}}\
             {{\"{\"}}{{\"{\"}}a}} {{- .title -}}{{\"{\"}} {{$theDocument.id}}{{end}}"
        );
    }

    #[test]
    fn what_computes_is_known() {
        for template in [
            "/daily note/{{now | date \"2006/01\"}}/{{now | date \"2006-01-02\"}}",
            "no action",
            "{{/* getBlock */}}{{- $x := dict \"a\" 1 -}}{{ $x.querySQL }} {{`queryBlocks }}`}}{{ 'x' }}",
            "{{ if eq .title \"queryBlocks\" }}{{ now.Format \"2006\" }}{{ end }}",
        ] {
            assert!(only_computes(template, Marks::Braces), "{template}");
        }
        assert!(only_computes("# .action{.title}\n{{SELECT * FROM blocks}}", Marks::File));
        for template in
            ["{{ now }}{{ (querySQL \"x\") }}", "{{ \"a\\\"\" | getBlock }}", "{{ now", "{{ \"a }}"]
        {
            assert!(!only_computes(template, Marks::Braces), "{template}");
        }
        assert!(!only_computes(".action{ range querySpans \"}\" }", Marks::File));
    }

    proptest! {
        /// However a text is put together, its pieces are read again as the same actions.
        #[test]
        fn no_text_of_a_file_becomes_an_action(text in "[a-z{}.\"`$ -]{0,40}") {
            if let Ok(before) = pieces(&text, Marks::File) {
                let braces = with_braces(&before, [("title", ""), ("id", ""), ("name", ""), ("alias", "")]);
                let after = pieces(&braces, Marks::Braces);
                let own: BTreeSet<&str> = ["with", "dict", "end"].into();
                if let Ok(after) = after {
                    let all: BTreeSet<&str> = names(&before).into_iter().chain(own).collect();
                    prop_assert_eq!(names(&after), all);
                }
            }
        }
    }
}
