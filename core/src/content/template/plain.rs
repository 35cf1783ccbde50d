//! The text around the actions of a template: plain enough that a value between it never becomes markup.
//!
//! A value is a word, so every character that means something to the parser stands in the text. The rules here keep
//! those characters away from values: not in the paragraph of one, and never open across paragraphs.

use crate::content::kramdown;

/// The use of a template, which decides what the text around its values may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateUse {
    /// Markdown of a note.
    Note,
    /// The cell of a template column, which is HTML in the page.
    Cell,
    /// A path of documents.
    Path,
}

/// The mark of a value in a text that is judged here.
pub(super) const VALUE: char = '\u{e000}';

/// ASCII marks that a paragraph with a value may have next to letters, digits and blanks.
const MARKS: &str = ".,;:!?'\"-/+*_%()|";

const PARAGRAPH: &str = "a template whose paragraphs with actions contain only plain text: letters, digits, blanks and . , ; : ! ? ' \" - / + * _ % ( ) | after the marks of lists, tasks, quotes and headings; put links, references, code and attributes into paragraphs of their own, after a blank line";
const BRANCHES: &str = "a template that is plain text, without code, links, brackets and attributes, because it has if, range or with";
const MARKUP: &str = "a template without < and query embeds, because it has actions, and with { and } only in attribute lists {: name=\"value\"} and super blocks on lines of their own";
const NUMBERED: &str = "a template without numbers of lists from actions; put another word before the action";
const CELL: &str = "a text of letters, digits, blanks and . , ; : ! ? - / + * _ % ( ) | around the actions";
const ODD: &str = "a text without control characters, invisible characters and characters for private use";

/// Judges the text of a template in which each value is [`VALUE`] and everything that prints nothing is left out.
pub(super) fn judge(text: &str, place: TemplateUse, has_branches: bool) -> Result<(), &'static str> {
    let has_values = text.contains(VALUE);
    if !has_values && !has_branches {
        return Ok(());
    }
    if text.chars().any(is_odd) {
        return Err(ODD);
    }
    match place {
        TemplateUse::Cell | TemplateUse::Path => {
            let fits = |it: char| is_plain(it) && !matches!(it, '\'' | '"' | '\n' | '\r');
            let joined: String = text.chars().filter(|it| *it != VALUE).collect();
            if text.chars().all(fits) && !doubles(&joined) { Ok(()) } else { Err(CELL) }
        }
        // A branch may leave out any piece of the text, so nothing in it may need its other half.
        TemplateUse::Note if has_branches => {
            let plain = text.split('\n').all(is_plain_line) && !text.contains(['(', ')']);
            if plain { numbered(text) } else { Err(BRANCHES) }
        }
        TemplateUse::Note => {
            if text.contains('<') || !text.split('\n').all(has_whole_braces) {
                return Err(MARKUP);
            }
            for paragraph in paragraphs(text).filter(|it| it.contains(VALUE)) {
                let plain = |line: &str| is_plain_line(line) || is_list(line);
                if !paragraph.split('\n').all(plain) || doubles(paragraph) {
                    return Err(PARAGRAPH);
                }
            }
            numbered(text)
        }
    }
}

/// The pieces of a text between blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            ends.push((from, at));
            from = end;
        }
        at = end;
    }
    ends.push((from, text.len()));
    ends.into_iter().filter_map(|(from, to)| text.get(from..to)).filter(|it| !it.is_empty())
}

/// Whether brackets of one kind stand next to each other: SiYuan's references.
fn doubles(text: &str) -> bool {
    text.contains("((") || text.contains("))")
}

/// Whether all of a line, behind the marks of its blocks, is plain.
fn is_plain_line(line: &str) -> bool {
    behind_marks(line).chars().all(is_plain)
}

fn is_plain(it: char) -> bool {
    let ascii = it.is_ascii_alphanumeric() || " \t\n".contains(it) || MARKS.contains(it);
    ascii || it == VALUE || (!it.is_ascii() && !is_odd(it))
}

/// Whether a character is none that a person writes: parsers remove them, move them or print others.
fn is_odd(it: char) -> bool {
    let is_emoji = matches!(it, '\u{200d}' | '\u{fe0f}');
    let is_invisible = matches!(it, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2038}' | '\u{2060}'..='\u{206f}')
        || matches!(it, '\u{e001}'..='\u{f8ff}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..);
    (it.is_control() && !matches!(it, '\n' | '\t')) || (is_invisible && !is_emoji)
}

/// A line without the marks of quotes, lists, tasks, callouts and headings at its start.
pub(super) fn behind_marks(line: &str) -> &str {
    let mut rest = line;
    loop {
        let text = rest.trim_start_matches([' ', '\t']);
        let next = mark(text);
        if next.is_none() {
            return text;
        }
        rest = next.unwrap_or_default();
    }
}

/// The text behind the one mark that it begins with.
fn mark(text: &str) -> Option<&str> {
    let ends = |rest: &&str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let first = text.chars().next()?;
    match first {
        '>' => text.get(1..),
        '-' | '*' | '+' => text.get(1..).filter(ends),
        '#' => {
            let rest = text.trim_start_matches('#');
            (text.len() - rest.len() <= 6).then_some(rest).filter(ends)
        }
        '[' => {
            let (inside, rest) = text.get(1..)?.split_once(']')?;
            let word = inside.strip_prefix('!');
            let is_callout =
                word.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphabetic()));
            (is_callout || matches!(inside, " " | "x" | "X")).then_some(rest).filter(ends)
        }
        it if it.is_ascii_digit() => {
            let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
            rest.strip_prefix(['.', ')']).filter(ends)
        }
        _ => None,
    }
}

/// Refuses a line that would be an item of a list where its value is a number.
fn numbered(text: &str) -> Result<(), &'static str> {
    let numbers = |line: &str| {
        let text = behind_marks(line);
        let rest = text.trim_start_matches(|it: char| it == VALUE || it.is_ascii_digit());
        rest.len() < text.len() && text.starts_with(|it: char| it == VALUE || it.is_ascii_digit()) && {
            let begin = text.get(..text.len() - rest.len()).unwrap_or_default();
            begin.contains(VALUE) && rest.starts_with(['.', ')'])
        }
    };
    if text.split('\n').any(numbers) { Err(NUMBERED) } else { Ok(()) }
}

/// Whether a line is one attribute list, as it is printed.
fn is_list(line: &str) -> bool {
    let line = line.trim();
    matches!(&*kramdown::lists(line), [one] if line.starts_with("{: ") && one.attributes.to_string() == line)
}

/// Whether the braces of a line open nothing that goes on behind it: each belongs to an attribute list, as it is
/// printed, or to the mark of a super block.
fn has_whole_braces(line: &str) -> bool {
    let text = behind_marks(line).trim();
    if matches!(text, "{{{" | "{{{row" | "{{{col" | "}}}") {
        return true;
    }
    let (mut between, mut from) = (String::new(), 0);
    for list in kramdown::lists(line) {
        if line.get(list.range.clone()) == Some(list.attributes.to_string().as_str()) {
            between.push_str(line.get(from..list.range.start).unwrap_or_default());
            from = list.range.end;
        }
    }
    between.push_str(line.get(from..).unwrap_or_default());
    !between.contains(['{', '}'])
}
