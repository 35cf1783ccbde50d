//! Prints an answer: one line of JSON for programs, a status mark and a table for people (B-099).

use std::io::{IsTerminal, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use puppy_core::error::ToolError;
use puppy_core::output::{Output, Picture};
use puppy_core::render::result::{self, Audience};
use puppy_core::render::visible;
use puppy_core::spec::ActionSpec;
use serde_json::{Map, Value, json};

use super::table::{cell, table};

const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const PLAIN: &str = "\u{1b}[0m";

/// Prints the answer of a call that succeeded.
pub(super) fn output(spec: &ActionSpec, output: &Output, as_json: bool) {
    let audience = if as_json { Audience::Model } else { Audience::Terminal };
    let pictures = &output.pictures;
    let output = result::presented(output, audience);
    let text = if as_json {
        one_line(output, pictures)
    } else {
        for_people(spec, &output, std::io::stdout().is_terminal() && colour())
    };
    // A reader that closes the pipe early (`| head`) is not a failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints the error of a call that failed: to stdout for programs, to stderr for people.
pub(super) fn error(error: &ToolError, as_json: bool) {
    let whole = result::error(error, Audience::Terminal);
    if as_json {
        let _ = writeln!(std::io::stdout(), "{whole}");
        return;
    }
    let (red, plain) = if std::io::stderr().is_terminal() && colour() { (RED, PLAIN) } else { ("", "") };
    let mut text = format!("{red}✗{plain} {}\n", visible::shown(&error.message));
    if let Some(hint) = result::hint(error, Audience::Terminal) {
        text.push_str(&format!("  Try: {hint}\n"));
    }
    let mut details = error.details.clone();
    visible::show_all(&mut details);
    text.push_str(&fields(&details));
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Whether to use colour on a terminal.
fn colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// Data, body and pictures in one object, on one line.
fn one_line(output: Output, pictures: &[Picture]) -> String {
    let mut data = output.data;
    if !pictures.is_empty() {
        let each = pictures.iter().map(|it| json!({ "type": it.mime, "base64": STANDARD.encode(&it.bytes) }));
        data.insert("pictures".to_owned(), each.collect());
    }
    if let Some(body) = output.body {
        data.insert("body".to_owned(), Value::from(body));
    }
    format!("{}\n", Value::Object(data))
}

fn for_people(spec: &ActionSpec, output: &Output, coloured: bool) -> String {
    let (green, plain) = if coloured { (GREEN, PLAIN) } else { ("", "") };
    let mut text = format!("{green}✓{plain} {} {}\n", spec.tool.name(), spec.name.replace('_', "-"));
    text.push_str(&fields(&output.data));
    if let Some(body) = &output.body {
        text.push_str(&format!("\n{}\n", body.trim_end()));
    }
    text
}

/// One field per line, then lists of objects as tables.
pub(super) fn fields(data: &Map<String, Value>) -> String {
    let mut lines = String::new();
    let mut tables = String::new();
    for (name, value) in data {
        let title = name.replace('_', " ");
        match value {
            Value::Array(items) if items.is_empty() => lines.push_str(&format!("  {title}: none\n")),
            Value::Array(items) => match table(items) {
                Some(table) => {
                    // The main list needs no title.
                    let title = if name == "items" { String::new() } else { format!("  {title}:\n") };
                    tables.push_str(&format!("\n{title}{table}\n"));
                }
                None => {
                    let items: Vec<String> = items.iter().map(cell).collect();
                    lines.push_str(&format!("  {title}: {}\n", items.join(", ")));
                }
            },
            Value::Object(inner) => {
                let inner: Vec<String> = inner
                    .iter()
                    .map(|(name, value)| format!("{} {}", name.replace('_', " "), cell(value)))
                    .collect();
                lines.push_str(&format!("  {title}: {}\n", inner.join(", ")));
            }
            value => lines.push_str(&format!("  {title}: {}\n", cell(value))),
        }
    }
    lines + &tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Output {
        Output::new().with("items", vec![json!({ "name": "Garden", "level": "rw" })]).with("total", 1)
    }

    /// B-099: a status mark and a table for people.
    #[test]
    fn output_for_people_has_a_mark_and_a_table() {
        let spec = puppy_core::registry::ACTIONS[0];
        let text = for_people(spec, &sample().body("A\n\nB\n".to_owned()), false);
        let rest = text.split_once('\n').unwrap().1;
        assert_eq!(rest, "  total: 1\n\n name    level\n Garden  rw\n\nA\n\nB\n");
        assert!(text.starts_with('✓') && !text.contains('\u{1b}'));
        assert!(for_people(spec, &sample(), true).starts_with("\u{1b}[32m✓"));
    }

    /// B-099: one line for programs.
    #[test]
    fn output_for_programs_is_one_line() {
        let line = one_line(sample().body("A\nB".to_owned()), &[]);
        assert_eq!(
            line,
            "{\"items\":[{\"name\":\"Garden\",\"level\":\"rw\"}],\"total\":1,\"body\":\"A\\nB\"}\n"
        );
    }
}
