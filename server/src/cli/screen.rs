//! The stream that a text is written to: a terminal with its size and colours, or something else.

use std::io::IsTerminal;

use anstream::{AutoStream, ColorChoice};
use terminal_size::{Height, Width, terminal_size_of};

/// A stream for people.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    /// Whether it is a terminal.
    pub(super) is_terminal: bool,
    /// Whether colours are wanted: NO_COLOR, CLICOLOR_FORCE, TERM and `--color` count.
    pub(super) is_coloured: bool,
    /// The columns of its window; `None` where a line may have any length.
    pub(super) width: Option<usize>,
    /// The lines of its window.
    pub(super) height: Option<usize>,
}

impl Screen {
    /// The screen of answers.
    pub(super) fn out() -> Screen {
        let out = std::io::stdout();
        Screen::new(out.is_terminal(), AutoStream::choice(&out), terminal_size_of(&out))
    }

    /// The screen of questions and errors.
    pub(super) fn err() -> Screen {
        let err = std::io::stderr();
        Screen::new(err.is_terminal(), AutoStream::choice(&err), terminal_size_of(&err))
    }

    fn new(is_terminal: bool, choice: ColorChoice, size: Option<(Width, Height)>) -> Screen {
        // The variables `COLUMNS` and `LINES` override the size that the terminal reports.
        let set =
            |name: &str| -> Option<usize> { std::env::var(name).ok()?.parse().ok().filter(|it| *it > 0) };
        // A terminal that does not know its size says 0.
        let measured = |size: u16| Some(usize::from(size)).filter(|it| *it > 0);
        Screen {
            is_terminal,
            is_coloured: choice != ColorChoice::Never,
            width: set("COLUMNS").or_else(|| measured(size?.0.0)),
            height: set("LINES").or_else(|| measured(size?.1.0)),
        }
    }

    /// Whether the cursor can be sent back over a line.
    pub(super) fn can_rewrite(&self) -> bool {
        self.is_terminal && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
    }
}

/// Sets when colours are used, over what the environment says.
pub(super) fn choose_colours(when: &str) {
    let choice = match when {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    choice.write_global();
}
