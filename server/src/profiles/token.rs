//! Gets the token of a profile from the place that the profile names.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::{Setting, unfolded};
use crate::words::FileWords;

/// The longest time that a program has for its token; a person may have to type a password.
const PATIENCE: Duration = Duration::from_secs(60);
/// The interval at which its end is looked for.
const EVERY: Duration = Duration::from_millis(10);
/// The longest output that is read of it, in bytes.
const LONGEST: u64 = 64 * 1024;

/// The place of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    File(PathBuf),
    /// A variable of the environment.
    Variable(String),
    /// The output of a program: its name and its arguments.
    Command(Vec<String>),
}

/// The permissions of the program that prints a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptPolicy {
    /// Ask the person at the terminal, if there is one.
    Person,
    /// Nothing but print: what comes in belongs to others.
    Nobody,
    /// It does not run: nobody waits for it.
    Never,
}

impl Source {
    /// The setting that names it.
    pub(crate) const fn setting(&self) -> Setting {
        match self {
            Source::File(_) => Setting::TokenFile,
            Source::Variable(_) => Setting::TokenEnv,
            Source::Command(_) => Setting::TokenCommand,
        }
    }

    /// The token of the profile of this name.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub(crate) fn token(&self, name: &str, asking: PromptPolicy) -> Result<String, String> {
        let says = FileWords::here();
        let token = match self {
            Source::File(file) => std::fs::read_to_string(unfolded(file))
                .map_err(|error| says.token_file_failed(name, error.kind()))?,
            Source::Variable(variable) => {
                std::env::var(variable).map_err(|_| says.token_env_missing(name, variable))?
            }
            Source::Command(words) => {
                printed(words, asking, PATIENCE).map_err(|why| says.token_command_failed(name, why))?
            }
        };
        match token.trim() {
            "" => Err(says.token_empty(name)),
            token => Ok(token.to_owned()),
        }
    }
}

/// The output of a program, or what it did instead.
fn printed(words: &[String], asking: PromptPolicy, patience: Duration) -> Result<String, String> {
    let says = FileWords::here();
    let input = match asking {
        PromptPolicy::Never => return Err(says.not_now().to_owned()),
        PromptPolicy::Person if std::io::stdin().is_terminal() => Stdio::inherit(),
        PromptPolicy::Person | PromptPolicy::Nobody => Stdio::null(),
    };
    let (program, arguments) = words.split_first().ok_or(says.no_program())?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(|error| says.not_started(error.kind()))?;
    let output = child.stdout.take();
    let (sender, read) = mpsc::channel();
    // A thread of its own: what the program started may hold the pipe open for ever.
    std::thread::spawn(move || {
        let mut text = String::new();
        let all = output.is_some_and(|it| it.take(LONGEST).read_to_string(&mut text).is_ok());
        let _ = sender.send(all.then_some(text));
    });
    let end = Instant::now() + patience;
    let late = || says.too_slow(patience.as_secs());
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(EVERY),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(late());
            }
        }
    };
    if !status.success() {
        return Err(says.failed().to_owned());
    }
    let text = read.recv_timeout(end.saturating_duration_since(Instant::now())).map_err(|_| late())?;
    text.ok_or_else(|| says.no_output().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Vec<String> {
        words.iter().map(|it| (*it).to_owned()).collect()
    }

    /// B-095: a token comes from the place that is named, and no error shows it.
    #[test]
    fn tokens_come_from_the_place_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, " secret\n").unwrap();
        let token = |source: Source| source.token("home", PromptPolicy::Nobody);
        assert_eq!(token(Source::File(file.clone())), Ok("secret".to_owned()));
        std::fs::write(&file, " \n").unwrap();
        assert!(token(Source::File(file)).unwrap_err().contains("empty"));
        assert!(token(Source::File(PathBuf::from("/no/such"))).is_err());
        let said = token(Source::Variable("NO_SUCH_VARIABLE".to_owned())).unwrap_err();
        assert!(said.contains("NO_SUCH_VARIABLE"), "{said}");
        assert!(token(Source::Command(command(&["/no/such"]))).is_err());
        assert!(token(Source::Command(Vec::new())).is_err());
    }

    /// A program that never ends is ended, also where what it started holds its output.
    #[cfg(unix)]
    #[test]
    fn a_program_has_its_time() {
        assert_eq!(
            printed(&command(&["echo", "a b"]), PromptPolicy::Nobody, PATIENCE),
            Ok("a b\n".to_owned())
        );
        assert_eq!(printed(&command(&["false"]), PromptPolicy::Nobody, PATIENCE), Err("failed".to_owned()));
        let short = Duration::from_millis(100);
        for words in [&["sleep", "600"][..], &["sh", "-c", "sleep 5 & echo x"]] {
            let said = printed(&command(words), PromptPolicy::Nobody, short).unwrap_err();
            assert!(said.contains("did not end"), "{said}");
        }
        let folder = tempfile::tempdir().unwrap();
        let ran = folder.path().join("ran");
        let touch = command(&["touch", ran.to_str().unwrap()]);
        assert!(printed(&touch, PromptPolicy::Never, PATIENCE).is_err() && !ran.exists());
    }
}
