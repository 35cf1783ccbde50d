//! The texts that SiYuan's editor reads as its API does, and the form in which the editor gets them.
//!
//! The editor reads Markdown with other settings: it takes inline tags such as `<kbd>` for text, and drops zero-width
//! spaces. Both are written in another way for it. The rules were measured with SiYuan 3.7.3, whose answers for the
//! recorded inputs are equal for every text that passes them (`e2e/kernel/editor_dom.py`).

use super::CURSOR;
use super::code::mask;

/// The character that stands for a zero-width space.
const STAND_IN: char = '\u{e7a3}';

/// Inline tags, each with the mark that SiYuan makes of it.
const MARKS: [(&str, &str); 12] = [
    ("kbd", "kbd"),
    ("u", "u"),
    ("sub", "sub"),
    ("sup", "sup"),
    ("b", "strong"),
    ("strong", "strong"),
    ("i", "em"),
    ("em", "em"),
    ("s", "s"),
    ("del", "s"),
    ("strike", "s"),
    ("mark", "mark"),
];

/// Signs beside which a tag may be part of something else, or stand in code.
const SIGNS: [&str; 12] = ["`", "$", "\\", "[", "#", "*", "_", "~", "^", "((", "{", "=="];

/// Beginnings of text that is not read as paragraphs beyond blank lines.
const SPANNING: [&str; 7] = ["$$", "<!", "<?", "<pre", "<script", "<style", "<textarea"];

/// A checked text as the editor reads it like the API; `None` for a text that it would read otherwise.
pub fn for_editor(markdown: &str) -> Option<String> {
    if is_read_otherwise(markdown) {
        return None;
    }
    let text = if has_mark(markdown) { with_spans(markdown)? } else { markdown.to_owned() };
    Some(text.replace('\u{200b}', &STAND_IN.to_string()))
}

/// What the editor made of such a text, as the API would make it.
pub fn from_editor(dom: &str) -> String {
    // SiYuan puts one behind code and tags, unless one is there.
    let dom = dom.replace(&format!("</span>\u{200b}{STAND_IN}"), "</span>\u{200b}");
    dom.replace(STAND_IN, "\u{200b}")
}

fn is_read_otherwise(markdown: &str) -> bool {
    let odd = |it: char| it == STAND_IN || it == CURSOR || (it.is_control() && !matches!(it, '\n' | '\t'));
    let folded = markdown.to_ascii_lowercase();
    markdown.contains(odd)
        // The editor's own words for the cursor.
        || ["caretreplacement", "<wbr"].iter().any(|it| folded.contains(it))
        // It decodes character references in spans less often.
        || (folded.contains("<span") && folded.contains('&'))
        || has_stacked_lists(markdown)
}

/// Whether an attribute list follows another one of the same block.
fn has_stacked_lists(markdown: &str) -> bool {
    let mut before = None;
    markdown.lines().any(|line| {
        let list = line.trim_start();
        let indent = list.starts_with("{:").then(|| line.len() - list.len());
        let is_stacked = indent.is_some() && indent == before;
        before = indent;
        is_stacked
    })
}

/// Whether a text has one of the tags, of any case.
fn has_mark(text: &str) -> bool {
    text.split('<').skip(1).any(|behind| {
        let name = behind.split('>').next().unwrap_or_default();
        let name = name.strip_prefix('/').unwrap_or(name);
        behind.len() > name.len() && MARKS.iter().any(|it| it.0.eq_ignore_ascii_case(name))
    })
}

/// A text with spans for its tags; `None` if one of them may not be a tag.
fn with_spans(markdown: &str) -> Option<String> {
    let masked = mask(markdown);
    let folded = markdown.to_ascii_lowercase();
    let spans_lines = markdown.starts_with("---") || SPANNING.iter().any(|it| folded.contains(it));
    if masked.is_doubtful || spans_lines {
        return None;
    }
    let mut out = String::with_capacity(markdown.len());
    let (mut start, mut at) = (0, 0);
    for (line, seen) in markdown.split_inclusive('\n').zip(masked.text.split_inclusive('\n')) {
        let is_blank = line.trim().is_empty();
        let is_code = !is_blank && seen.trim().is_empty();
        let is_fence = ["```", "~~~"].iter().any(|it| seen.trim_start().starts_with(it));
        if is_blank || is_code || is_fence {
            if has_mark(line) && (is_fence || line.contains('&')) {
                return None;
            }
            out.push_str(&paragraph(markdown.get(start..at)?)?);
            out.push_str(line);
            start = at + line.len();
        }
        at += line.len();
    }
    out.push_str(&paragraph(markdown.get(start..)?)?);
    Some(out)
}

/// The lines of a paragraph with spans for its tags.
fn paragraph(text: &str) -> Option<String> {
    if !has_mark(text) {
        return Some(text.to_owned());
    }
    let is_list = |line: &&str| line.trim_start().starts_with("{:") && !line.contains('<');
    let odd = |line: &str| SIGNS.iter().any(|it| line.contains(it));
    if text.lines().filter(|it| !is_list(it)).any(odd) {
        return None;
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once('<') {
        let (name, behind) = behind.split_once('>')?;
        let (_, mark) = MARKS.iter().find(|it| it.0 == name)?;
        let (inside, behind) = behind.split_once(&format!("</{name}>"))?;
        if inside.is_empty() || inside.contains(['<', '>', '&', '\n', '|', ':']) {
            return None;
        }
        out.push_str(&format!("{before}<span data-type=\"{mark}\">{inside}</span>"));
        rest = behind;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{for_editor, from_editor};

    #[test]
    fn tags_become_spans_and_zero_width_spaces_stay() {
        for (text, expected) in [
            ("H<sub>2</sub>O", "H<span data-type=\"sub\">2</span>O"),
            ("- x<i>y</i>\n{: memo=\"z\"}", "- x<span data-type=\"em\">y</span>\n{: memo=\"z\"}"),
            ("```\n<b>x</b>\n```\n\n<b>y</b>", "```\n<b>x</b>\n```\n\n<span data-type=\"strong\">y</span>"),
            ("a <font>b</font> & `c`", "a <font>b</font> & `c`"),
            ("a\u{200b}b", "a\u{e7a3}b"),
            ("- a\n  {: id=\"x\"}\n{: id=\"y\"}", "- a\n  {: id=\"x\"}\n{: id=\"y\"}"),
        ] {
            assert_eq!(for_editor(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(from_editor("<div>a\u{e7a3}b</div>"), "<div>a\u{200b}b</div>");
        assert_eq!(from_editor("</span>\u{200b}\u{e7a3}\u{e7a3}b"), "</span>\u{200b}\u{200b}b");
    }

    #[test]
    fn texts_that_the_editor_reads_otherwise_are_not_for_it() {
        for text in [
            "a\u{e7a3}b",
            "a\u{1}b",
            "a caretreplacement",
            "<SPAN data-type=\"text\">&lt;</SPAN>",
            "a\n{: memo=\"x\"}\n{: alias=\"y\"}",
            "Use `<b>` and `<i>`",
            "**a <u>b</u>**",
            "<u>a <b>c</b></u>",
            "x <b>&amp;</b>",
            "x <u>:smile</u>:",
            "<B>x</B>",
            "a <u>x</u> <font>y</font>",
            "a\n{: memo=\"<b>x</b>\"}",
            "```\n<b>&lt;</b>\n```",
            "<!--\n\n<b>x</b>\n\n-->",
            "$$\n\n<b>x</b>\n\n$$",
            "```a~b\n<sup>x</sup>\n```",
            "<b>x",
        ] {
            assert_eq!(for_editor(text), None, "{text}");
        }
    }
}
