//! `cargo verify`: runs the steps in order, goes on after a failure, and closes with a table.

use crate::house::House;
use crate::process;
use crate::progress::clock;
use crate::steps::{Outcome, STEPS, Step};
use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// Runs all steps or the named ones; true when none failed.
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let Some(choice) = Choice::parse(arguments)? else {
        for step in STEPS {
            println!("{:12} {}", step.name, step.what);
        }
        return Ok(true);
    };
    let house = House::find()?;
    let started = Instant::now();
    let mut rows = Vec::new();
    for step in &choice.steps {
        println!("\n━━ {} ━━ {}", step.name, step.what);
        let begin = Instant::now();
        let result = (step.run)(&house);
        let took = begin.elapsed();
        match &result {
            Ok(Outcome::Passed(_)) => {}
            Ok(Outcome::NotChecked(why)) => println!("not checked: {why}"),
            Err(error) => println!("FAILED: {error:#}"),
        }
        let failed = result.is_err();
        rows.push(Row { name: step.name, result, took });
        if process::interrupted() || (failed && choice.stop) {
            break;
        }
    }
    println!("\n{}", summary(&rows, choice.steps.len(), started.elapsed()));
    Ok(rows.len() == choice.steps.len() && rows.iter().all(|row| row.result.is_ok()))
}

struct Choice {
    steps: Vec<&'static Step>,
    stop: bool,
}

impl Choice {
    /// `None` asks for the list of steps.
    fn parse(arguments: &[String]) -> Result<Option<Self>> {
        let mut choice = Self { steps: Vec::new(), stop: false };
        for argument in arguments {
            match argument.as_str() {
                "--list" => return Ok(None),
                "--stop" => choice.stop = true,
                name => match STEPS.iter().find(|step| step.name == name) {
                    Some(step) => choice.steps.push(step),
                    None => bail!("there is no step `{name}`; `cargo verify --list` names them"),
                },
            }
        }
        if choice.steps.is_empty() {
            choice.steps.extend(STEPS);
        }
        Ok(Some(choice))
    }
}

struct Row {
    name: &'static str,
    result: Result<Outcome>,
    took: Duration,
}

/// The table, and a last line that counts.
fn summary(rows: &[Row], wanted: usize, took: Duration) -> String {
    let mut text = String::from("━━ summary ━━\n");
    let (mut passed, mut failed, mut skipped) = (0, 0, wanted.saturating_sub(rows.len()));
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
        text.push_str(&format!("{:12} {:11} {:>8}  {note}\n", row.name, word, clock(row.took)));
    }
    text.push_str(&format!("{:12} {:11} {:>8}\n\n", "all", "", clock(took)));
    text.push_str(&format!("steps: {passed} passed, {failed} failed, {skipped} skipped"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn the_last_line_counts_every_step_that_was_asked_for() {
        let row = |result| Row { name: "x", result, took: Duration::from_secs(61) };
        let rows = [
            row(Ok(Outcome::Passed("fine".into()))),
            row(Ok(Outcome::NotChecked("no network".into()))),
            row(Err(anyhow!("broken\nlong story"))),
        ];
        let text = summary(&rows, 5, Duration::from_secs(9));
        assert_eq!(text.lines().last(), Some("steps: 1 passed, 1 failed, 3 skipped"));
        assert!(text.contains("FAILED      1 min 01  broken\n") && !text.contains("long story"), "{text}");
    }

    #[test]
    fn an_unknown_step_is_named_and_known_ones_keep_their_order() {
        let words = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
        let error = Choice::parse(&words(&["fmtt"])).err().unwrap().to_string();
        assert!(error.contains("`fmtt`"), "{error}");
        let choice = Choice::parse(&words(&["--stop", "deny", "fmt"])).unwrap().unwrap();
        assert!(choice.stop);
        assert_eq!(choice.steps.iter().map(|s| s.name).collect::<Vec<_>>(), ["deny", "fmt"]);
        assert_eq!(Choice::parse(&[]).unwrap().unwrap().steps.len(), STEPS.len());
    }
}
