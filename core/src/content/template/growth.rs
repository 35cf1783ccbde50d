//! A bound on how long a template's result can get, from its text alone.
//!
//! A variable that holds itself twice doubles with each line, and a function such as `replace` multiplies two texts.
//! The kernel fills a template in without a limit, so one that could exceed the bound is never sent to it.

use super::{Action, Piece};
use crate::error::ToolError;

/// The bound, in bytes. The estimate is far above what any template makes of its text.
const MOST: u64 = 1_000_000_000;
/// The length of values that come from outside of the text: titles, names, dates.
const VALUE: u64 = 512;
/// Functions whose result can be as long as the product of two arguments.
const MULTIPLY: &str = "replace join wrap wrapWith";
/// Functions whose result can be several times as long as their argument.
const STRETCH: &str = "quote squote html urlquery b64enc b32enc toJson toPrettyJson splitList split splitn";
/// Functions whose result is a number, whatever goes in.
const NUMBERS: &str = "add add1 sub mul div mod max min addf add1f subf mulf divf maxf minf ceil floor round atoi int \
    float64 len runeCount wordCount countif pow log biggest toDecimal";

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == name)
}

/// Refuses a template whose result could get longer than the bound.
///
/// # Errors
/// Returns the error for the argument of this name.
pub fn check_growth(pieces: &[Piece<'_>], field: &str) -> Result<(), ToolError> {
    if is_bounded(pieces) {
        return Ok(());
    }
    let expected = "a template that stays small: without nested loops, variables that repeat themselves and functions that multiply long texts";
    Err(ToolError::field(field, expected))
}

/// Whether the result stays below the bound, whatever the template does with what it names.
pub(super) fn is_bounded(pieces: &[Piece<'_>]) -> bool {
    let text: usize = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Action(action) => action.inside.len(),
        })
        .sum();
    let length = u64::try_from(text).unwrap_or(u64::MAX).saturating_add(VALUE);
    // The factor that variables have gathered, and that of all loops around.
    let (mut gathered, mut loops, mut open) = (1_u64, 1_u64, Vec::new());
    for piece in pieces {
        let Piece::Action(action) = piece else { continue };
        let starts = |word| action.names.first() == Some(&word);
        let factor = factor(action, length, loops > 1);
        if is_assignment(action) && !is_number(action) {
            // In a loop a variable that reads a variable gathers with each round.
            if loops > 1 && variables(action) > 0 {
                return false;
            }
            gathered = gathered.saturating_mul(factor);
        }
        if gathered.saturating_mul(factor).saturating_mul(loops).saturating_mul(length) > MOST {
            return false;
        }
        if starts("range") {
            open.push(loops);
            loops = loops.saturating_mul(length);
        } else if starts("if") || starts("with") {
            open.push(loops);
        } else if starts("end") {
            loops = open.pop().unwrap_or(1);
        }
    }
    true
}

/// The factor by which one action can stretch what goes in.
fn factor(action: &Action<'_>, length: u64, in_loop: bool) -> u64 {
    let literal = action.literals.iter().map(|it| it.len()).max().unwrap_or_default();
    let literal = u64::try_from(literal).unwrap_or(u64::MAX).max(VALUE);
    let times = if in_loop || variables(action) > 0 { length } else { literal };
    let of = |name: &&str| {
        if has(MULTIPLY, name) {
            times
        } else if has(STRETCH, name) {
            6
        } else {
            1
        }
    };
    let own = action.names.iter().map(of).fold(1, u64::saturating_mul);
    own.saturating_mul(u64::try_from(variables(action)).unwrap_or(u64::MAX).max(1))
}

/// The number of places where the action reads a variable.
fn variables(action: &Action<'_>) -> usize {
    let all = action.inside.matches('$').count();
    all.saturating_sub(usize::from(is_assignment(action)))
}

fn is_assignment(action: &Action<'_>) -> bool {
    action.inside.contains('$') && action.inside.contains('=')
}

fn is_number(action: &Action<'_>) -> bool {
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
        ] {
            assert!(!bounded(text), "{text}");
        }
    }
}
