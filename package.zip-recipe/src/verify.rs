//! `cargo verify`: runs the steps in order, continues after a failure, and ends with a table.

use crate::builds::{self, Build};
use crate::house::House;
use crate::outcome::Outcome;
use crate::process;
use crate::progress::clock;
use crate::steps::{LIVE, QUICK, STEPS, Step};
use crate::times::{self, Times};
use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// Runs all steps or the named ones; returns whether none failed.
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let Some(choice) = StepChoice::parse(arguments)? else {
        for step in STEPS.iter().chain(LIVE) {
            println!("{:12} {}", step.name, step.what);
        }
        return Ok(true);
    };
    let house = House::find()?;
    let mut times = Times::read(&house);
    let started = Instant::now();
    let mut rows = Vec::new();
    // Optimizers with one thread each: the steps before have a use for the other processor.
    let needs = |step: &&Step| step.builds.contains(&Build::Released);
    let is_later = choice.steps.iter().skip(1).any(needs);
    // The step that needs the programs reports a failure of this build again.
    let _running = if is_later { builds::begin_released(&house).unwrap_or_default() } else { Vec::new() };
    for step in &choice.steps {
        println!("\n━━ {} ━━ {}", step.name, step.what);
        let begin = Instant::now();
        let result = step.perform(&house);
        let took = begin.elapsed();
        match &result {
            Ok(Outcome::Passed(_)) => {}
            Ok(Outcome::NotChecked(why)) => println!("not checked: {why}"),
            Err(error) => println!("FAILED: {error:#}"),
        }
        let failed = result.is_err();
        rows.push(Row { name: step.name, result, took, last: times.last(step.name) });
        // The time of a failed or skipped step says nothing about its usual duration.
        if matches!(rows.last(), Some(Row { result: Ok(Outcome::Passed(_)), .. })) {
            times.keep(step.name, took);
        }
        if process::interrupted() || (failed && choice.stop) {
            break;
        }
    }
    let all = Total {
        wanted: choice.steps.len(),
        took: started.elapsed(),
        last: choice.whole.and_then(|it| times.last(it)),
    };
    println!("\n{}", summary(&rows, &all));
    let passed = rows.len() == choice.steps.len() && rows.iter().all(|row| row.result.is_ok());
    if let Some(name) = choice.whole.filter(|_| passed) {
        times.keep(name, all.took);
    }
    times.write();
    Ok(passed)
}

struct StepChoice {
    steps: Vec<&'static Step>,
    stop: bool,
    /// The name under which the total time is kept; `None` if steps were left out.
    whole: Option<&'static str>,
}

impl StepChoice {
    /// Parses the arguments; `None` is a request for the list of steps.
    fn parse(arguments: &[String]) -> Result<Option<Self>> {
        let mut choice = Self { steps: Vec::new(), stop: false, whole: None };
        let mut own = None;
        for argument in arguments {
            match argument.as_str() {
                "--list" => return Ok(None),
                "--stop" => choice.stop = true,
                "--quick" | "--live" if own.is_some() => bail!("one of `--quick` and `--live` at a time"),
                "--quick" => own = Some((QUICK, times::QUICK)),
                "--live" => own = Some((LIVE, times::LIVE)),
                name => match STEPS.iter().find(|step| step.name == name) {
                    Some(step) => choice.steps.push(step),
                    None => bail!("there is no step `{name}`; `cargo verify --list` names them"),
                },
            }
        }
        match (own, choice.steps.is_empty()) {
            (Some(_), false) => {
                bail!("`--quick` and `--live` have steps of their own; leave the names of others out")
            }
            (Some((steps, whole)), true) => {
                (choice.steps, choice.whole) = (steps.iter().collect(), Some(whole));
            }
            (None, true) => (choice.steps, choice.whole) = (STEPS.iter().collect(), Some(times::ALL)),
            (None, false) => {}
        }
        Ok(Some(choice))
    }
}

struct Row {
    name: &'static str,
    result: Result<Outcome>,
    took: Duration,
    /// The duration of the last run that passed.
    last: Option<Duration>,
}

/// The line for all steps.
struct Total {
    wanted: usize,
    took: Duration,
    last: Option<Duration>,
}

/// The table, with the time of the last run after each time, and a closing line with the counts.
fn summary(rows: &[Row], all: &Total) -> String {
    let mut text = format!("━━ summary ━━\n{:12} {:11} {:>9} {:>9}\n", "", "", "time", "last time");
    let last = |time: Option<Duration>| time.map(clock).unwrap_or_default();
    let (mut passed, mut failed, mut skipped) = (0, 0, all.wanted.saturating_sub(rows.len()));
    for row in rows {
        let (word, note) = match &row.result {
            Ok(Outcome::Passed(note)) => {
                passed += 1;
                ("passed", note.clone())
            }
            Ok(Outcome::NotChecked(why)) => {
                skipped += 1;
                ("not checked", why.clone())
            }
            Err(error) => {
                failed += 1;
                ("FAILED", format!("{error:#}"))
            }
        };
        let note = note.lines().next().unwrap_or_default();
        let line =
            format!("{:12} {:11} {:>9} {:>9}  {note}", row.name, word, clock(row.took), last(row.last));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let line = format!("{:12} {:11} {:>9} {:>9}", "all", "", clock(all.took), last(all.last));
    text.push_str(line.trim_end());
    text.push_str("\n\n");
    text.push_str(&format!("steps: {passed} passed, {failed} failed, {skipped} skipped"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn the_last_line_counts_every_step_that_was_asked_for() {
        let row = |result| Row { name: "x", result, took: Duration::from_secs(61), last: None };
        let rows = [
            row(Ok(Outcome::Passed("fine".into()))),
            row(Ok(Outcome::NotChecked("no network".into()))),
            row(Err(anyhow!("broken\nlong story"))),
        ];
        let text = summary(&rows, &Total { wanted: 5, took: Duration::from_secs(9), last: None });
        assert_eq!(text.lines().last(), Some("steps: 1 passed, 1 failed, 3 skipped"));
        assert!(
            text.contains("FAILED       1 min 01            broken\n") && !text.contains("long story"),
            "{text}"
        );
    }

    #[test]
    fn an_unknown_step_is_named_and_known_ones_keep_their_order() {
        let words = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
        let error = StepChoice::parse(&words(&["fmtt"])).err().unwrap().to_string();
        assert!(error.contains("`fmtt`"), "{error}");
        let choice = StepChoice::parse(&words(&["--stop", "deny", "fmt"])).unwrap().unwrap();
        assert!(choice.stop);
        assert_eq!(choice.steps.iter().map(|s| s.name).collect::<Vec<_>>(), ["deny", "fmt"]);
        assert_eq!(choice.whole, None);
        assert_eq!(StepChoice::parse(&[]).unwrap().unwrap().steps.len(), STEPS.len());
    }

    #[test]
    fn quick_and_live_run_steps_of_their_own_and_take_no_other() {
        let words = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
        let choice = StepChoice::parse(&words(&["--quick"])).unwrap().unwrap();
        assert_eq!(
            choice.steps.iter().map(|s| s.name).collect::<Vec<_>>(),
            ["fmt", "spelling", "commits", "unused", "scripts", "clippy", "core", "changed"]
        );
        assert!(StepChoice::parse(&words(&["--quick", "deny"])).is_err());
        let choice = StepChoice::parse(&words(&["--live"])).unwrap().unwrap();
        assert_eq!(choice.steps.iter().map(|s| s.name).collect::<Vec<_>>(), ["live"]);
        assert!(StepChoice::parse(&words(&["--live", "--quick"])).is_err());
        assert!(!STEPS.iter().any(|step| step.name == "live"), "nobody's notes are touched unasked");
    }

    #[test]
    fn each_time_stands_beside_that_of_the_last_run() {
        let seconds = Duration::from_secs;
        let row =
            |last| Row { name: "x", result: Ok(Outcome::Passed(String::new())), took: seconds(9), last };
        let text = summary(
            &[row(Some(seconds(70))), row(None)],
            &Total { wanted: 2, took: seconds(18), last: Some(seconds(140)) },
        );
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[2], "x            passed          9.0 s  1 min 10");
        assert_eq!(lines[3], "x            passed          9.0 s");
        assert_eq!(lines[4], "all                         18.0 s  2 min 20");
    }
}
