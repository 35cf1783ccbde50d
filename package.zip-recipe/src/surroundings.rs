//! The time, place and language of the steps; an ordinary run has those of the machine.

use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The surroundings of a run.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// Time zone and language, also for compilers.
    pub(crate) place: Vec<(&'static str, OsString)>,
    /// The clock of programs that run. Compilers keep the true clock, since they compare the times of files.
    pub(crate) clock: Option<Clock>,
}

/// A clock that libfaketime shows to a program and to all its descendants.
pub(crate) struct Clock {
    library: OsString,
    start: i64,
    /// One for all processes of a step, so that they agree.
    ahead: OnceLock<i64>,
}

impl Clock {
    /// Shows `start` (Unix time) when the first program reads it, however long the build took.
    pub(crate) const fn new(library: OsString, start: i64) -> Self {
        Self { library, start, ahead: OnceLock::new() }
    }

    /// The environment. Waits use the true monotonic clock, and times of files are true, too.
    fn variables(&self) -> [(&'static str, OsString); 4] {
        let ahead = *self.ahead.get_or_init(|| self.start.saturating_sub(now()));
        [
            ("LD_PRELOAD", self.library.clone()),
            ("FAKETIME", format!("{ahead:+}").into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
            ("NO_FAKE_STAT", "1".into()),
        ]
    }
}

/// The true time, in seconds.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

impl Surroundings {
    /// Whether they are the same as on most machines.
    pub(crate) fn is_usual(&self) -> bool {
        self.clock.is_none() && self.place.iter().all(|(name, value)| *name == "TZ" && value == "UTC")
    }

    /// The environment of compilers.
    pub(crate) fn compiling<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.envs(self.place.iter().map(|(name, value)| (name, value)))
    }

    /// The environment of programs that run.
    pub(crate) fn running<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        self.compiling(command).envs(self.clock.iter().flat_map(Clock::variables))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    fn tomorrow() -> Surroundings {
        let clock = Clock::new("/lib/faketime.so".into(), now() + DAY);
        Surroundings { place: vec![("TZ", "UTC".into())], clock: Some(clock) }
    }

    fn variable(command: &Command, name: &str) -> Option<String> {
        let found = command.get_envs().find(|(key, _)| *key == name)?;
        Some(found.1?.to_str()?.to_owned())
    }

    #[test]
    fn what_compiles_has_the_place_and_the_true_clock() {
        let mut command = Command::new("x");
        tomorrow().compiling(&mut command);
        assert_eq!(variable(&command, "TZ").as_deref(), Some("UTC"));
        assert_eq!(variable(&command, "LD_PRELOAD"), None);
    }

    #[test]
    fn all_that_runs_in_a_step_has_one_clock() {
        let surroundings = tomorrow();
        let ahead = || {
            let mut command = Command::new("x");
            surroundings.running(&mut command);
            variable(&command, "FAKETIME").unwrap()
        };
        let first = ahead();
        let seconds: i64 = first.strip_prefix('+').unwrap().parse().unwrap();
        assert!((1..=DAY).contains(&seconds), "{first}");
        assert_eq!(first, ahead());
    }

    #[test]
    fn only_another_clock_or_place_is_unusual() {
        assert!(Surroundings::default().is_usual());
        assert!(!tomorrow().is_usual() && Surroundings { clock: None, ..tomorrow() }.is_usual());
    }
}
