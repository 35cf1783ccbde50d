//! The program on a terminal of its own: what it draws, and keys that a person presses.
#![cfg(unix)]

use std::io::{Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{self, Command, Pty};

use crate::process::ended;
use crate::world::World;

/// The key that interrupts.
pub(crate) const CTRL_C: &str = "\u{3}";
/// A generous deadline for a text to appear.
const PATIENCE: Duration = Duration::from_secs(60);

/// A window with the program in it.
pub(crate) struct Window {
    pty: Arc<Pty>,
    child: Child,
    drawn: Receiver<String>,
    /// Everything that was drawn.
    pub(crate) shown: String,
    /// The part of it in which nothing was looked for yet.
    seen: usize,
}

impl Window {
    /// Runs a command in a window of so many lines and columns.
    pub(crate) fn open(world: &World, (lines, columns): (u16, u16), words: &[&str]) -> Window {
        Window::of(world, (lines, columns), words, |it| it)
    }

    /// The same with other settings.
    pub(crate) fn of(
        world: &World,
        (lines, columns): (u16, u16),
        words: &[&str],
        set: impl FnOnce(Command) -> Command,
    ) -> Window {
        let (pty, inside) = blocking::open().unwrap();
        pty.resize(Size::new(lines, columns)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        for name in
            ["SIYUAN_TOKEN", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "LESS", "CI"]
        {
            command = command.env_remove(name);
        }
        let command =
            command.env("SIYUAN_API_URL", world.kernel.url()).env("TERM", "xterm").env("PAGER", "cat");
        let command = command.env("LC_ALL", "C.UTF-8");
        let child = set(command.args(words)).spawn(inside).unwrap();
        let pty = Arc::new(pty);
        let (sender, drawn) = channel();
        let screen = pty.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the program has ended, reading fails or returns nothing.
            while let Ok(read @ 1..) = (&*screen).read(&mut bytes) {
                if sender.send(String::from_utf8_lossy(&bytes[..read]).into_owned()).is_err() {
                    break;
                }
            }
        });
        Window { pty, child, drawn, shown: String::new(), seen: 0 }
    }

    /// Waits until a text is drawn behind those that were waited for before.
    pub(crate) fn wait(&mut self, text: &str) {
        loop {
            if let Some(at) = self.shown[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            match self.drawn.recv_timeout(PATIENCE) {
                Ok(more) => self.shown.push_str(&more),
                Err(_) => panic!("there is no {text:?} in:\n{}", self.shown),
            }
        }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end; everything that was drawn, and the exit code.
    pub(crate) fn end(mut self) -> (String, Option<i32>) {
        let code = ended(&mut self.child).code();
        while let Ok(more) = self.drawn.recv_timeout(Duration::from_secs(1)) {
            self.shown.push_str(&more);
        }
        (std::mem::take(&mut self.shown), code)
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
