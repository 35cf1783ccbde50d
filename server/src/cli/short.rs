//! The short help of an action: one line for each argument, so that all of it fits a window. The long help has the rest.

use clap::{Arg, ArgAction};
use unicode_width::UnicodeWidthStr;

use crate::words::HelpWords;

/// The columns of the smallest usual window.
const WINDOW: usize = 80;
/// The blanks before an option, and between it and its words.
pub(super) const BLANKS: usize = 8;

/// The arguments, each with as many words as fit its line.
pub(super) fn lines(args: Vec<Arg>) -> Vec<Arg> {
    let widest = args.iter().map(width).max().unwrap_or_default();
    let room = WINDOW.saturating_sub(BLANKS + widest);
    let cut = |arg: Arg| match arg.get_help().map(ToString::to_string) {
        Some(help) if help.width() > room => arg.help(shortened(&help, room)),
        _ => arg,
    };
    args.into_iter().map(cut).collect()
}

/// The option that prints help; in the short help it would say what the reader has just done.
pub(super) fn help() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .hide_short_help(true)
        .help(HelpWords::here().help())
}

/// The columns of an option with its value.
pub(super) fn width(arg: &Arg) -> usize {
    let name = arg.get_long().map_or(0, |it| it.width() + "--".len());
    let value = arg.get_value_names().into_iter().flatten().map(|it| it.width() + " <>".len()).sum::<usize>();
    let is_optional = arg.get_num_args().is_some_and(|it| it.min_values() == 0) && value > 0;
    name + value + if is_optional { "[]".len() } else { 0 }
}

/// As many whole words as fit.
fn shortened(text: &str, room: usize) -> String {
    let mut short = String::new();
    for word in text.split(' ') {
        // The mark of what is left out needs a column.
        if short.width() + word.width() + 2 > room {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    format!("{}…", short.trim_end_matches([',', ';', ':', '.', '(']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_left_out_whole() {
        assert_eq!(shortened("Such as text, number, date", 16), "Such as text…");
        assert_eq!(shortened("Such as text, number, date", 14), "Such as text…");
        assert_eq!(shortened("Such as text, number, date", 13), "Such as…");
        assert_eq!(shortened("Such as text, number, date", 12), "Such as…");
    }

    #[test]
    fn short_words_stay() {
        let args =
            lines(vec![Arg::new("a").long("a").help("Short"), Arg::new("b").long("b").help("x ".repeat(60))]);
        let help: Vec<String> = args.iter().filter_map(|it| Some(it.get_help()?.to_string())).collect();
        assert!(help[0] == "Short" && help[1].ends_with('…') && help[1].width() <= 80 - 8 - 3, "{help:?}");
    }
}
