//! The last duration of each step, kept in the target folder per machine.

use crate::house::House;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;

/// The names under which the total times of all steps, of `--quick` and of `--live` are kept.
pub(crate) const ALL: &str = "all";
pub(crate) const QUICK: &str = "quick";
pub(crate) const LIVE: &str = "all live";

/// The times of this machine, with those of other machines, which are preserved.
pub(crate) struct Times {
    file: PathBuf,
    machine: String,
    all: Map<String, Value>,
}

impl Times {
    /// Reads the times; a missing or unreadable file counts as empty.
    pub(crate) fn read(house: &House) -> Self {
        Self::at(house.target.join("verify-times.json"), machine())
    }

    fn at(file: PathBuf, machine: String) -> Self {
        let text = std::fs::read(&file).unwrap_or_default();
        Self { all: serde_json::from_slice(&text).unwrap_or_default(), file, machine }
    }

    /// The duration of a step when it last passed on this machine.
    pub(crate) fn last(&self, step: &str) -> Option<Duration> {
        let seconds = self.all.get(&self.machine)?.get(step)?.as_f64()?;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Records the duration of a step.
    pub(crate) fn keep(&mut self, step: &str, took: Duration) {
        let machine = self.all.entry(self.machine.clone()).or_insert_with(|| Value::Object(Map::new()));
        if let Some(steps) = machine.as_object_mut() {
            steps.insert(step.to_owned(), Value::from(took.as_secs_f64()));
        }
    }

    /// Writes the file; an error is ignored, because no step depends on it.
    pub(crate) fn write(&self) {
        if let Err(error) = std::fs::write(&self.file, Value::Object(self.all.clone()).to_string()) {
            println!("the times of the steps could not be kept: {error}");
        }
    }
}

/// The properties of a machine that determine the duration of a step, as far as they can be detected.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = std::env::var("CARGO_BUILD_JOBS").map(|jobs| format!(", {jobs} at once")).unwrap_or_default();
    format!("{} {}, {cores} cores{jobs}", std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_kept_by_machine_and_step() {
        let file = std::env::temp_dir().join(format!("recipe-times-{}", std::process::id()));
        let read = |machine: &str| Times::at(file.clone(), machine.to_owned());
        let mut times = read("slow");
        assert_eq!(times.last("fmt"), None);
        times.keep("fmt", Duration::from_millis(1500));
        times.write();
        let mut other = read("quick");
        assert_eq!(other.last("fmt"), None);
        other.keep("fmt", Duration::from_secs(1));
        other.write();
        assert_eq!(read("slow").last("fmt"), Some(Duration::from_millis(1500)));
        assert_eq!(read("quick").last("fmt"), Some(Duration::from_secs(1)));
        std::fs::write(&file, "{\"slow\":").unwrap();
        assert_eq!(read("slow").last("fmt"), None);
        std::fs::remove_file(&file).unwrap();
    }
}
