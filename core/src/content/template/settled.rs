//! The one form of a template that SiYuan is given: printed here, so that its values never become markup.
//!
//! A value comes from anywhere: a title, a cell, a text between quotes. So each action that prints is written again
//! with a filter around it, which leaves words: letters, digits and single marks between them. Only a date in a plain
//! format stands as it is. What the text around may be is in `plain`. Comments are left out, and blanks that an action
//! trims are trimmed here: then the text that is judged is the text that SiYuan reads.

use super::plain::{TemplateUse, VALUE, judge};
use super::{BLANKS, Marks, TemplateAction, TemplatePiece, quoted};

/// The begin and the end of the filter. The first argument finds the words of a text.
const FILTER: [&str; 2] = [
    r#"regexFindAll "-?[\\pL\\pN\\pM%€£¥]+(?:(?:[-.+:,]|[,:] )[\\pL\\pN\\pM%€£¥]+)*" (toString ("#,
    r#")) -1 | join " ""#,
];

/// Behind the filter in a note: a value that is empty would change the block around it.
const NEVER_EMPTY: &str = r#" | default "–""#;

/// Actions that print nothing themselves.
const CONTROLS: [&str; 7] = ["if", "else", "end", "with", "range", "break", "continue"];

const ACTION: &str =
    "a template whose actions each contain one value or keyword, with brackets that are closed";
const JOINED: &str = "a template whose text makes no action when its comments are left out";

/// A template as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedTemplate {
    parts: Vec<PrintedPart>,
    marks: Marks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PrintedPart {
    Text(String),
    /// Sets a variable.
    Silent(String),
    /// A branch or a loop.
    Control(String),
    Value(String),
}

impl PrintedTemplate {
    /// Reads a template and judges it.
    ///
    /// # Errors
    /// Returns the expectation that the template breaks.
    pub fn of(
        pieces: &[TemplatePiece<'_>],
        marks: Marks,
        place: TemplateUse,
    ) -> Result<PrintedTemplate, &'static str> {
        let trims = |at: Option<usize>| match at.and_then(|at| pieces.get(at)) {
            Some(TemplatePiece::Action(action)) => action.trims,
            _ => (false, false),
        };
        let mut parts: Vec<PrintedPart> = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let part = match piece {
                TemplatePiece::Text(text) => {
                    let text =
                        if trims(at.checked_sub(1)).1 { text.trim_start_matches(BLANKS) } else { text };
                    let text = if trims(Some(at + 1)).0 { text.trim_end_matches(BLANKS) } else { text };
                    PrintedPart::Text(text.to_owned())
                }
                // A comment.
                TemplatePiece::Action(action) if action.inside.is_empty() => continue,
                TemplatePiece::Action(action) => part(action, place)?,
            };
            match (part, parts.last_mut()) {
                (PrintedPart::Text(text), Some(PrintedPart::Text(before))) => before.push_str(&text),
                (PrintedPart::Text(text), _) if text.is_empty() => {}
                (part, _) => parts.push(part),
            }
        }
        let settled = PrintedTemplate { parts, marks };
        settled.check(place)?;
        Ok(settled)
    }

    fn check(&self, place: TemplateUse) -> Result<(), &'static str> {
        if self.has_actions() && self.texts().any(|it| it.contains(VALUE)) {
            return Err("a template without characters for private use");
        }
        judge(&self.with_word(VALUE.encode_utf8(&mut [0; 4])), place, self.has_branches())?;
        if self.is_read_again(&self.printed()) { Ok(()) } else { Err(JOINED) }
    }

    /// Whether a text is read as these parts.
    fn is_read_again(&self, text: &str) -> bool {
        let mut parts = self.parts.iter();
        super::pieces(text, self.marks).is_ok_and(|pieces| {
            pieces.iter().all(|piece| match (piece, parts.next()) {
                (TemplatePiece::Text(text), Some(PrintedPart::Text(own))) => text == own,
                (
                    TemplatePiece::Action(action),
                    Some(PrintedPart::Silent(own) | PrintedPart::Control(own) | PrintedPart::Value(own)),
                ) => action.inside == own && action.trims == (false, false),
                _ => false,
            })
        }) && parts.next().is_none()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .filter_map(|it| if let PrintedPart::Text(text) = it { Some(text.as_str()) } else { None })
    }

    /// Whether anything in it is filled in.
    pub fn has_actions(&self) -> bool {
        self.parts.iter().any(|it| !matches!(it, PrintedPart::Text(_)))
    }

    /// Whether some of its text may be left out or repeated.
    pub fn has_branches(&self) -> bool {
        self.parts.iter().any(|it| matches!(it, PrintedPart::Control(_)))
    }

    /// The template.
    pub fn printed(&self) -> String {
        let each = self.parts.iter().map(|part| match part {
            PrintedPart::Text(text) => text.clone(),
            PrintedPart::Silent(it) | PrintedPart::Control(it) | PrintedPart::Value(it) => {
                format!("{}{it}{}", self.marks.open(), self.marks.close())
            }
        });
        each.collect()
    }

    /// Its text with this word for each value: the structure of everything that it may become.
    pub fn with_word(&self, word: &str) -> String {
        let each = self.parts.iter().map(|part| match part {
            PrintedPart::Text(text) => text.as_str(),
            PrintedPart::Silent(_) | PrintedPart::Control(_) => "",
            PrintedPart::Value(_) => word,
        });
        each.collect()
    }
}

/// The inside of an action without its marks for trimming.
fn body<'a>(action: &TemplateAction<'a>) -> &'a str {
    let (before, after) = action.trims;
    let inside = action.inside;
    let inside = if before { inside.get(1..).unwrap_or_default() } else { inside };
    let inside = if after { inside.strip_suffix('-').unwrap_or(inside) } else { inside };
    inside.trim_matches(BLANKS)
}

fn part(action: &TemplateAction<'_>, place: TemplateUse) -> Result<PrintedPart, &'static str> {
    let inner = unfiltered(action);
    let body = inner.as_ref().map_or_else(|| body(action), |it| it.inside);
    if body.is_empty() || !is_closed(body) {
        return Err(ACTION);
    }
    if inner.is_none() {
        let word = body.find(|it: char| it != '_' && !it.is_alphanumeric()).unwrap_or(body.len());
        if body.get(..word).is_some_and(|it| CONTROLS.contains(&it)) {
            return Ok(PrintedPart::Control(body.to_owned()));
        }
        if is_assignment(body) {
            return Ok(PrintedPart::Silent(body.to_owned()));
        }
    }
    if is_date(body) {
        return Ok(PrintedPart::Value(body.to_owned()));
    }
    let [begin, end] = FILTER;
    let never_empty = if place == TemplateUse::Note { NEVER_EMPTY } else { "" };
    Ok(PrintedPart::Value(format!("{begin}{body}{end}{never_empty}")))
}

/// The action inside of the filter, where an action is one that was printed here.
pub(super) fn unfiltered<'a>(action: &TemplateAction<'a>) -> Option<TemplateAction<'a>> {
    let [begin, end] = FILTER;
    let whole = body(action);
    let filtered = whole.strip_suffix(NEVER_EMPTY).unwrap_or(whole);
    let inner = filtered.strip_prefix(begin)?.strip_suffix(end)?;
    // Its texts and brackets must close in itself: others would reach out of the filter.
    if inner.is_empty() || !is_closed(inner) {
        return None;
    }
    super::whole(inner)
}

/// The pieces of a template without the filters.
pub fn own<'a>(pieces: &[TemplatePiece<'a>]) -> Vec<TemplatePiece<'a>> {
    let each = pieces.iter().map(|piece| match piece {
        TemplatePiece::Action(action) => {
            TemplatePiece::Action(unfiltered(action).unwrap_or_else(|| action.clone()))
        }
        text => text.clone(),
    });
    each.collect()
}

/// Whether all texts and round brackets of an action are closed in it, in their order.
fn is_closed(body: &str) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(first) = body.get(at..).and_then(|it| it.chars().next()) {
        let rest = body.get(at..).unwrap_or_default();
        at += match first {
            '"' | '\'' => match quoted(rest, first) {
                Ok(length) => length,
                Err(_) => return false,
            },
            '`' => match rest.get(1..).and_then(|it| it.find('`')) {
                Some(end) => end + 2,
                None => return false,
            },
            '(' => {
                depth += 1;
                1
            }
            ')' => match depth.checked_sub(1) {
                Some(less) => {
                    depth = less;
                    1
                }
                None => return false,
            },
            it => it.len_utf8(),
        };
    }
    depth == 0
}

/// Whether an action sets a variable, and so prints nothing.
fn is_assignment(body: &str) -> bool {
    let Some(rest) = body.strip_prefix('$') else { return false };
    let rest =
        rest.trim_start_matches(|it: char| it == '_' || it.is_alphanumeric()).trim_start_matches(BLANKS);
    rest.starts_with(":=") || (rest.starts_with('=') && !rest.starts_with("=="))
}

/// Whether an action prints the present time in a plain format: words of letters and digits with one mark between two.
fn is_date(body: &str) -> bool {
    let format = body.strip_prefix("now").and_then(|it| {
        let piped = it.trim_start_matches(BLANKS).strip_prefix('|').map(|it| it.trim_start_matches(BLANKS));
        piped.and_then(|it| it.strip_prefix("date")).or_else(|| it.strip_prefix(".Format"))
    });
    let format =
        format.filter(|it| it.starts_with(BLANKS) || it.starts_with('"')).map(|it| it.trim_matches(BLANKS));
    let format = format.and_then(|it| it.strip_prefix('"')?.strip_suffix('"'));
    format.is_some_and(|it| {
        let mut before_mark = true;
        let mut letters = it.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_word = letter.is_alphanumeric();
            if !is_word && (before_mark || !"-./:, ".contains(letter)) {
                return false;
            }
            if letter == ',' && letters.peek() == Some(&' ') {
                letters.next();
            }
            before_mark = !is_word;
        }
        !before_mark
    })
}

#[cfg(test)]
#[path = "settled_tests.rs"]
mod tests;
