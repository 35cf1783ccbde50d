//! Shows a text on stdout: through a pager, if a terminal's window cannot hold it.

use std::io::Write;
use std::process::{Command, Stdio};

use unicode_width::UnicodeWidthStr;

use super::people::painted;
use super::screen::Screen;
use crate::stop;

/// The pager where the variable PAGER names none: it ends at once if the text fits, keeps colours, and leaves the text.
const PAGER: &str = "less -FRX";

/// Writes the text, and waits until a person has read it in the pager.
pub(super) async fn show(screen: &Screen, text: String) {
    let lines = painted(&text, false);
    let text = painted(&text, screen.is_coloured);
    if !is_too_long(screen, &lines) {
        return write(&text);
    }
    let mut reading = tokio::task::spawn_blocking(move || {
        if !paged(&text) {
            write(&text);
        }
    });
    loop {
        tokio::select! {
            _ = &mut reading => return,
            // Ctrl-C is for the pager: ending beside it would leave two programs at one keyboard.
            () = stop::signal() => {}
        }
    }
}

/// Whether the text, as it is drawn, needs more lines than the window has.
fn is_too_long(screen: &Screen, text: &str) -> bool {
    let (Some(width), Some(height)) = (screen.width, screen.height) else { return false };
    let drawn = text.lines().map(|line| line.width().div_ceil(width).max(1));
    // The line after the text is the prompt's.
    screen.can_rewrite() && drawn.sum::<usize>() >= height
}

/// A reader that closes the pipe early (`| head`) is not a failure.
fn write(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Whether a pager showed the text.
fn paged(text: &str) -> bool {
    let named = std::env::var("PAGER").ok();
    let is_named = named.is_some();
    let pager = named.unwrap_or_else(|| if cfg!(windows) { "" } else { PAGER }.to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next().filter(|it| *it != "cat") else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if is_named && std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // A person may quit before the end.
        let _ = input.write_all(text.as_bytes());
    }
    let _ = child.wait();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-100: only a text that does not fit is paged, wide characters and broken lines counted.
    #[test]
    fn only_texts_longer_than_the_window_are_paged() {
        let screen = Screen { is_terminal: true, is_coloured: false, width: Some(10), height: Some(4) };
        for (text, is_paged) in [
            ("a\nb\nc\n", false),
            ("a\nb\nc\nd\n", true),
            ("小白菜小白菜\nb\n", false),
            ("小白菜小白菜小白菜小白菜\nb\n", true),
        ] {
            assert_eq!(is_too_long(&screen, text), is_paged, "{text}");
        }
        let long = "a\n".repeat(99);
        assert!(!is_too_long(&Screen { is_terminal: false, ..screen }, &long));
        assert!(!is_too_long(&Screen { height: None, ..screen }, &long));
    }
}
