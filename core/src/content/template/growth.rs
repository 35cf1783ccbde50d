//! A bound on how long a template's result can get, from its text alone.
//!
//! A variable or a dot that holds itself twice doubles with each line, a function such as `replace` multiplies two texts,
//! and a loop over a number runs as often as it says. The kernel fills a template in without a limit, so one that could
//! exceed the bound is never sent to it.

use super::{TemplateAction, TemplatePiece, quoted};
use crate::error::ToolError;

/// The bound, in bytes. The estimate is far above what any template makes of its text.
const MOST: u64 = 1_000_000_000;
/// The length of values that come from outside of the text: titles, names, dates.
const VALUE: u64 = 512;
/// Functions whose result can be as long as the product of two arguments.
const MULTIPLY: &str = "replace join wrap wrapWith";
/// Functions whose result can be several times as long as their argument.
const STRETCH: &str =
    "quote squote html urlquery b64enc b32enc toJson toPrettyJson split splitn markdown2content";
/// The function whose width stretches any value, up to this many times the length of its format.
const PRINTF: (&str, u64) = ("printf", 32);
/// Functions whose result is a number, whatever goes in.
const NUMBERS: &str = "add add1 sub mul div mod max min addf add1f subf mulf divf maxf minf ceil floor round atoi int \
    float64 len runeCount wordCount countif pow log biggest toDecimal";
/// Functions whose result is a list or a dictionary, no longer than what goes in or what the workspace has.
const LISTS: &str = "list splitList split splitn concat append prepend push rest initial reverse uniq without compact \
    sortAlpha keys values pluck dict pick omit unset queryBlocks querySpans";

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == name)
}

/// Refuses a template whose result could get longer than the bound.
///
/// # Errors
/// Returns the error for the argument of this name.
pub fn check_growth(pieces: &[TemplatePiece<'_>], field: &str) -> Result<(), ToolError> {
    if is_bounded(pieces) {
        return Ok(());
    }
    let expected = "a template that stays small: without nested loops, loops over other than lists, values that repeat themselves and functions that multiply long texts";
    Err(ToolError::field(field, expected))
}

/// Whether the result stays below the bound, whatever the template does with what it names.
pub(super) fn is_bounded(pieces: &[TemplatePiece<'_>]) -> bool {
    let text: usize = pieces
        .iter()
        .map(|piece| match piece {
            TemplatePiece::Text(text) => text.len(),
            TemplatePiece::Action(action) => action.inside.len(),
        })
        .sum();
    let length = u64::try_from(text).unwrap_or(u64::MAX).saturating_add(VALUE);
    let actions: Vec<ActionCode<'_>> = pieces
        .iter()
        .filter_map(|piece| {
            if let TemplatePiece::Action(action) = piece { Some(ActionCode::of(action)) } else { None }
        })
        .collect();
    // The factor that values have gathered, and that of all loops around.
    let (mut gathered, mut loops, mut open) = (1_u64, 1_u64, Vec::new());
    for read in &actions {
        let starts = |word| read.action.names.first() == Some(&word);
        let factor = factor(read, length, loops > 1);
        if read.keeps_gathering(loops > 1) || (starts("range") && !read.is_over_list(&actions)) {
            return false;
        }
        if !read.has_narrow_formats() {
            return false;
        }
        let sets_dot = read.action.names.iter().take(2).any(|it| matches!(*it, "with" | "range"));
        if sets_dot || (read.is_assignment() && !is_number(read.action)) {
            gathered = gathered.saturating_mul(factor);
        }
        if gathered.saturating_mul(factor).saturating_mul(loops).saturating_mul(length) > MOST {
            return false;
        }
        if starts("range") {
            open.push(loops);
            loops = loops.saturating_mul(length).saturating_mul(gathered);
        } else if starts("if") || starts("with") {
            open.push(loops);
        } else if starts("end") {
            loops = open.pop().unwrap_or(1);
        }
    }
    true
}

/// An action without its texts, each of which is a single quote here.
struct ActionCode<'a> {
    action: &'a TemplateAction<'a>,
    bare: String,
}

impl<'a> ActionCode<'a> {
    fn of(action: &'a TemplateAction<'a>) -> ActionCode<'a> {
        let (mut bare, mut rest) = (String::new(), action.inside);
        while let Some((at, quote)) = rest.char_indices().find(|(_, it)| matches!(it, '"' | '\'' | '`')) {
            let (before, text) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let length = match quote {
                '`' => text.get(1..).and_then(|it| it.find('`')).map(|end| end + 2),
                _ => quoted(text, quote).ok(),
            };
            bare.push_str(before);
            bare.push('"');
            rest = length.and_then(|length| text.get(length..)).unwrap_or_default();
        }
        bare.push_str(rest);
        ActionCode { action, bare }
    }

    /// The value that the action makes: what stands behind the variables that it sets.
    fn value(&self) -> &str {
        self.bare.split_once('=').map_or(&*self.bare, |(_, value)| value)
    }

    fn is_assignment(&self) -> bool {
        self.bare.contains('=')
    }

    /// The number of places where the value reads variables.
    fn variables(&self) -> usize {
        self.value().matches('$').count()
    }

    /// The number of places where the value reads the dot, or a field of it.
    fn dots(&self) -> usize {
        let value = self.value();
        let begins = |at: usize| {
            let before = value.get(..at).and_then(|it| it.chars().next_back());
            !before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | ')' | '"' | '$'))
        };
        value.match_indices('.').filter(|(at, _)| begins(*at)).count()
    }

    /// The number of values that it reads, at least one.
    fn reads(&self) -> u64 {
        u64::try_from(self.variables() + self.dots()).unwrap_or(u64::MAX).max(1)
    }

    /// Whether a variable gathers with each round of a loop: it is set to something that reads a variable, or a dot that
    /// may be one.
    fn keeps_gathering(&self, in_loop: bool) -> bool {
        let declares = self.bare.split_once('=').is_some_and(|(before, _)| before.ends_with(':'));
        let gathers = self.variables() > 0 || (!declares && self.dots() > 0);
        in_loop && self.is_assignment() && !is_number(self.action) && gathers
    }

    /// Whether the value is a list: of a number SiYuan would run a loop as often as it says.
    fn is_over_list(&self, all: &[ActionCode<'_>]) -> bool {
        let value = match self.bare.split_once('=') {
            Some((_, value)) => value,
            None => self.bare.split_once("range").map_or("", |(_, value)| value),
        };
        if is_list(value) {
            return true;
        }
        let Some(name) = value.trim().strip_prefix('$').filter(|it| !it.is_empty()) else { return false };
        let is_word = |text: &str| text.chars().all(|it| it == '_' || it.is_alphanumeric());
        let mut sets = all.iter().filter(|it| it.sets(name)).peekable();
        is_word(name) && sets.peek().is_some() && sets.all(|it| !it.is_loop() && is_list(it.value()))
    }

    fn is_loop(&self) -> bool {
        self.action.names.first() == Some(&"range")
    }

    /// Whether it sets the variable of this name.
    fn sets(&self, name: &str) -> bool {
        let targets = self.bare.split_once('=').map_or("", |(targets, _)| targets);
        targets.split('$').skip(1).any(|it| it.trim_end_matches([':', ',', ' ', '\t', '\r', '\n']) == name)
    }

    /// Whether the formats of all `printf` stand there as texts, with widths of two digits at most.
    fn has_narrow_formats(&self) -> bool {
        let mut calls = self.bare.split(PRINTF.0).skip(1);
        let is_named = self.action.names.contains(&PRINTF.0);
        !is_named
            || (calls.all(|it| it.trim_start().starts_with('"'))
                && self.action.literals.iter().all(|it| is_narrow(it)))
    }
}

/// Whether the last command of a pipeline makes a list.
fn is_list(pipeline: &str) -> bool {
    let last = pipeline.rsplit('|').next().unwrap_or_default().trim_start();
    // A bar or the end of a group inside of parentheses begins no command.
    let is_whole = last.matches('(').count() == last.matches(')').count();
    is_whole && has(LISTS, last.split([' ', '\t', '\r', '\n', '"', '(']).next().unwrap_or_default())
}

/// Whether a format has widths and precisions of at most two digits, none of which is an argument or written as a code.
fn is_narrow(format: &str) -> bool {
    let is_plain = format.split('\\').skip(1).all(|it| it.starts_with(['n', 't', '"']));
    let specs = format.split('%').skip(1);
    let mut flags =
        specs.map(|it| it.split(|c: char| !(c.is_ascii_digit() || "+-# .[]*".contains(c))).next());
    is_plain
        && flags.all(|it| {
            let it = it.unwrap_or_default();
            !it.contains('*') && it.split(|c: char| !c.is_ascii_digit()).all(|digits| digits.len() <= 2)
        })
}

/// The factor by which one action can stretch what goes in.
fn factor(read: &ActionCode<'_>, length: u64, in_loop: bool) -> u64 {
    let action = read.action;
    let literal = action.literals.iter().map(|it| it.len()).max().unwrap_or_default();
    let literal = u64::try_from(literal).unwrap_or(u64::MAX).max(VALUE);
    let times = if in_loop || read.variables() + read.dots() > 0 { length } else { literal };
    let of = |name: &&str| {
        if has(MULTIPLY, name) {
            times
        } else if has(STRETCH, name) {
            6
        } else if *name == PRINTF.0 {
            PRINTF.1
        } else if *name == "splitList" {
            // A printed list has a blank between any two items.
            2
        } else {
            1
        }
    };
    let own = action.names.iter().map(of).fold(1, u64::saturating_mul);
    own.saturating_mul(read.reads())
}

fn is_number(action: &TemplateAction<'_>) -> bool {
    action.names.iter().all(|name| has(NUMBERS, name)) && action.literals.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::{Marks, pieces};
    use super::*;

    fn bounded(text: &str) -> bool {
        is_bounded(&pieces(text, Marks::Braces).unwrap())
    }

    #[test]
    fn templates_that_people_write_are_bounded() {
        for text in [
            "# {{.title}}\n\n{{now | date \"2006-01-02\"}}",
            "{{$x := now}}{{$y := $x | date \"2006\"}}{{$y}}/{{$x | date \"01\"}}/{{.title}}",
            "{{range list \"mon\" \"tue\"}}* {{.}}\n{{end}}",
            "{{range splitList \",\" .title}}{{. | replace \"a\" \"b\" | upper}}{{end}}",
            "{{$n := 0}}{{range list 1 2 3}}{{$n = add $n 1}}{{$n}}{{end}}",
            "{{if eq .name \"x\"}}{{.name | quote}}{{else}}{{.title | quote}}{{end}}",
            "{{$days := list \"mon\" \"tue\"}}{{range $i, $day := $days}}{{printf \"%02d %s\\n\" $i $day}}{{end}}",
            "{{with .name}}{{.}}{{end}}{{range .title | splitList \",\"}}{{. | trim}}{{end}}",
            "{{range concat (list 1 2) (list 3)}}{{if gt . 1}}{{.}}{{end}}{{end}}",
        ] {
            assert!(bounded(text), "{text}");
        }
    }

    #[test]
    fn templates_that_double_or_multiply_are_not() {
        let doubled = format!("{{{{$x := \"ab\"}}}}{}{{{{$x}}}}", "{{$x = print $x $x}}".repeat(40));
        let letters = "a".repeat(4_000);
        let squared =
            format!("{{{{replace \"\" (replace \"\" \"{letters}\" \"{letters}\") \"{letters}\"}}}}");
        let nested = "{{range list 1 2 3 4}}".repeat(4) + "x" + &"{{end}}".repeat(4);
        for text in [
            doubled.as_str(),
            &squared,
            &nested,
            "{{$x := \"ab\"}}{{range splitList \"\" \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}}{{$x = print $x $x}}{{end}}",
            "{{$x := \"ab\"}}{{range list 1 2 3}}{{$x = quote $x}}{{end}}",
            &format!(
                "{{{{with \"aaaaaaaa\"}}}}{}x{}",
                "{{with print . . . . . . . .}}".repeat(10),
                "{{end}}".repeat(11)
            ),
            "{{$x := \"ab\"}}{{range list 1 2 3}}{{with $x}}{{$x = print . .}}{{end}}{{end}}",
            &format!("{}{{{{.}}}}{}", "{{with quote .title}}".repeat(20), "{{end}}".repeat(20)),
            &format!(
                "{}{{{{.}}}}{}",
                "{{with print (splitList \"\" .title)}}".repeat(30),
                "{{end}}".repeat(30)
            ),
            "{{printf \"%999999d\" 1}}",
            "{{printf (print \"%9999\" \"99d\") 1}}",
            "{{$f := \"%99\"}}{{printf $f 1}}",
            "{{printf \"%*d\" 999999 1}}",
            "{{printf \"\\x25999999d\" 1}}",
            "{{1 | printf \"%[1]999999d\"}}",
            "{{range 1000000000}}x{{end}}",
            "{{range $i := 1000000000}}x{{end}}",
            "{{$n := 1000000000}}{{range $n}}x{{end}}",
            "{{$n := list 1}}{{$n = 1000000000}}{{range $n}}x{{end}}",
            "{{range $i, $n := list 1000000000}}{{range $n}}x{{end}}{{end}}",
            "{{range now.Unix}}x{{end}}",
            "{{range list 1000000000 | first}}x{{end}}",
            "{{range index (list 1000000000) 0}}x{{end}}",
            "{{with dict \"k\" 1000000000}}{{range .k}}x{{end}}{{end}}",
        ] {
            assert!(!bounded(text), "{text}");
        }
    }
}
