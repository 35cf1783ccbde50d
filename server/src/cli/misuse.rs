//! Errors about the command line in Chinese; in English the parser words them itself.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use unicode_width::UnicodeWidthChar;

use crate::words::{ErrorWords, Language, UsageWords, colon, comma, language};

/// The error as it is printed; `None` where the parser's own words stay: in English, for help, and for rare errors.
pub(super) fn worded(error: &clap::Error) -> Option<String> {
    if language() == Language::English {
        return None;
    }
    let sentence = sentence(error)?;
    let words = UsageWords::here();
    let mut text = format!("{}{sentence}\n", ErrorWords::here().prefix());
    let mut hint = |hint: String| text.push_str(&format!("  {hint}\n"));
    for kind in [ContextKind::ValidValue, ContextKind::ValidSubcommand] {
        if let Some(values) = values(error, kind) {
            hint(words.values(values.join(comma())));
        }
    }
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        if let Some(names) = values(error, kind) {
            hint(ErrorWords::here().tip(words.similar(names.join(comma()))));
        }
    }
    if let Some(usage) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        text.push_str(&format!("\n{}{usage}\n", words.usage()));
    }
    text.push_str(&format!("\n{}\n", words.more()));
    Some(text)
}

/// Help as it is printed; `None` in English, and for errors. The parser puts its own colon behind a heading.
pub(super) fn help(error: &clap::Error) -> Option<String> {
    let is_help =
        matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand);
    if language() == Language::English || !is_help {
        return None;
    }
    let text = error.render().ansi().to_string();
    let lines = text.lines().map(|line| {
        let bare = line.trim_end_matches("\u{1b}[0m");
        match bare.strip_suffix(':') {
            Some(heading) if heading.ends_with(|it: char| it.width() == Some(2)) => {
                format!("{heading}{}{}\n", colon(), line.get(bare.len()..).unwrap_or_default())
            }
            _ => format!("{line}\n"),
        }
    });
    Some(lines.collect())
}

fn sentence(error: &clap::Error) -> Option<String> {
    let words = UsageWords::here();
    let of = |kind| values(error, kind).map(|it| it.join(comma()));
    let argument = || of(ContextKind::InvalidArg);
    Some(match error.kind() {
        ErrorKind::UnknownArgument => words.unknown_argument(argument()?),
        ErrorKind::InvalidSubcommand => words.unknown_command(of(ContextKind::InvalidSubcommand)?),
        ErrorKind::InvalidValue => match of(ContextKind::InvalidValue) {
            Some(value) => words.invalid_value(argument()?, value),
            None => words.needs_value(argument()?),
        },
        ErrorKind::ValueValidation => {
            let value = of(ContextKind::InvalidValue).unwrap_or_default();
            match error.source() {
                Some(why) => words.invalid_value_because(argument()?, value, why),
                None => words.invalid_value(argument()?, value),
            }
        }
        ErrorKind::NoEquals => words.needs_equals(argument()?),
        ErrorKind::MissingRequiredArgument => words.missing(argument()?),
        ErrorKind::MissingSubcommand => words.missing_command(of(ContextKind::InvalidSubcommand)?),
        ErrorKind::ArgumentConflict => match of(ContextKind::PriorArg) {
            Some(others) if Some(&others) != argument().as_ref() => words.conflict(argument()?, others),
            _ => words.repeated(argument()?),
        },
        ErrorKind::TooManyValues => words.too_many(argument()?, of(ContextKind::InvalidValue)?),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => words.too_few(argument()?),
        ErrorKind::InvalidUtf8 => words.not_utf8().to_owned(),
        _ => return None,
    })
}

/// The texts of a part of an error; `None` if it has none.
fn values(error: &clap::Error, kind: ContextKind) -> Option<Vec<String>> {
    let all = match error.get(kind)? {
        ContextValue::String(text) => vec![text.clone()],
        ContextValue::Strings(texts) => texts.clone(),
        other => vec![other.to_string()],
    };
    let all: Vec<String> = all.into_iter().filter(|it| !it.is_empty()).collect();
    (!all.is_empty()).then_some(all)
}
