//! `cargo recipe shifted`: the steps of `cargo verify` that can run on other days, in other places and languages.

mod clocks;

use crate::builds::{self, Build};
use crate::house::House;
use crate::outcome::Outcome;
use crate::process;
use crate::steps::{STEPS, Shift, Step};
use anyhow::{Result, bail};
use clocks::{CLOCKS, ShiftedClock};
use std::time::{Duration, Instant};

/// The result of a step by one clock, and its duration.
type Cell = Option<(Result<Outcome>, Duration)>;

/// Runs all steps by all clocks, or the named ones; returns whether none failed.
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let Some(choice) = ShiftedChoice::parse(arguments)? else {
        println!("Clocks:");
        for clock in CLOCKS {
            println!("  {:12} {}", clock.name, clock.what);
        }
        println!("Steps:");
        for step in STEPS {
            println!("  {:12} {}", step.name, description(step.shift));
        }
        return Ok(true);
    };
    let mut house = House::find()?;
    let library = clocks::library()?;
    prepare(&house, &choice.steps)?;
    let mut rows = Vec::new();
    for clock in &choice.clocks {
        let mut cells: Vec<Cell> = Vec::new();
        for step in &choice.steps {
            if process::interrupted() {
                cells.push(None);
                continue;
            }
            println!("\n━━ {} by {} ━━ {}", step.name, clock.name, clock.what);
            house.surroundings = clock.surroundings(&house, &library)?;
            let begin = Instant::now();
            let result = perform(step, &mut house);
            if let Err(error) = &result {
                println!("FAILED: {error:#}");
            }
            cells.push(Some((result, begin.elapsed())));
        }
        rows.push((clock.name, cells));
    }
    println!("\n{}", table(&choice.steps, &rows));
    Ok(rows.iter().flat_map(|(_, cells)| cells).all(|cell| matches!(cell, Some((Ok(_), _)))))
}

/// Runs a step under as much of the surroundings as it supports.
fn perform(step: &Step, house: &mut House) -> Result<Outcome> {
    if let Shift::Place(why) = step.shift {
        house.surroundings.clock = None;
        if house.surroundings.is_usual() {
            return Ok(Outcome::NotChecked(why.to_owned()));
        }
    }
    step.perform_shifted(house)
}

/// The extent to which a step can be shifted, in words.
fn description(shift: Shift) -> String {
    match shift {
        Shift::Whole => "runs by each clock".to_owned(),
        Shift::Part(_, why) => format!("runs by each clock, but for a part: {why}"),
        Shift::Place(why) => format!("runs in other zones and languages, by the true clock: {why}"),
        Shift::Nothing(why) => format!("is left out: {why}"),
    }
}

/// Builds every program once by the true clock: no compiler starts afterwards.
fn prepare(house: &House, steps: &[&Step]) -> Result<()> {
    let mut builds: Vec<Build> = Vec::new();
    for build in steps.iter().flat_map(|step| step.builds) {
        if !builds.contains(build) {
            builds.push(*build);
        }
    }
    builds::make(house, &builds)
}

struct ShiftedChoice {
    steps: Vec<&'static Step>,
    clocks: Vec<&'static ShiftedClock>,
}

impl ShiftedChoice {
    /// Parses the arguments; `None` is a request for the list of clocks and steps.
    fn parse(arguments: &[String]) -> Result<Option<Self>> {
        let mut choice = Self { steps: Vec::new(), clocks: Vec::new() };
        for argument in arguments {
            if argument == "--list" {
                return Ok(None);
            }
            if let Some(clock) = CLOCKS.iter().find(|clock| clock.name == argument) {
                choice.clocks.push(clock);
                continue;
            }
            match STEPS.iter().find(|step| step.name == argument) {
                Some(Step { shift: Shift::Nothing(why), .. }) => bail!("`{argument}` knows no clock: {why}"),
                Some(step) => choice.steps.push(step),
                None => {
                    bail!("there is no clock or step `{argument}`; `cargo recipe shifted --list` names them")
                }
            }
        }
        if choice.clocks.is_empty() {
            choice.clocks.extend(CLOCKS);
        }
        if choice.steps.is_empty() {
            choice.steps.extend(STEPS.iter().filter(|step| !matches!(step.shift, Shift::Nothing(_))));
        }
        Ok(Some(choice))
    }
}

/// The table of clocks and steps, followed by the failures and by the reasons for skipped parts.
fn table(steps: &[&Step], rows: &[(&str, Vec<Cell>)]) -> String {
    let mut text = format!("━━ summary ━━\n{:12}", "");
    let mut notes = String::new();
    for step in steps {
        text.push_str(&format!(" {:12}", step.name));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    for (clock, cells) in rows {
        text.push_str(&format!("{clock:12}"));
        for (step, cell) in steps.iter().zip(cells) {
            let word = match cell {
                Some((Ok(Outcome::Passed(_)), took)) => &format!("passed {}s", took.as_secs()),
                Some((Ok(Outcome::NotChecked(why)), _)) => {
                    notes.push_str(&format!("{} by {clock} was not checked: {why}\n", step.name));
                    "not checked"
                }
                Some((Err(error), _)) => {
                    let why = format!("{error:#}");
                    let why = why.lines().next().unwrap_or_default();
                    notes.push_str(&format!("{} by {clock} failed: {why}\n", step.name));
                    "FAILED"
                }
                None => "not run",
            };
            text.push_str(&format!(" {word:12}"));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    for step in STEPS {
        if !matches!(step.shift, Shift::Whole) {
            notes.push_str(&format!("{} {}\n", step.name, description(step.shift)));
        }
    }
    text + "\n" + notes.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn clocks_and_steps_are_chosen_by_name_and_default_to_all_that_run() {
        let choice = ShiftedChoice::parse(&words(&["replay", "leap-day"])).unwrap().unwrap();
        assert_eq!(choice.steps.iter().map(|step| step.name).collect::<Vec<_>>(), ["replay"]);
        assert_eq!(choice.clocks.iter().map(|clock| clock.name).collect::<Vec<_>>(), ["leap-day"]);
        let all = ShiftedChoice::parse(&[]).unwrap().unwrap();
        assert_eq!(all.clocks.len(), CLOCKS.len());
        assert!(all.steps.iter().any(|step| step.name == "test"));
        assert!(!all.steps.iter().any(|step| step.name == "fmt"));
    }

    #[test]
    fn a_step_without_a_clock_is_refused_with_its_reason() {
        let error = ShiftedChoice::parse(&words(&["fmt"])).err().unwrap().to_string();
        assert!(error.contains("`fmt` knows no clock"), "{error}");
        let error = ShiftedChoice::parse(&words(&["someday"])).err().unwrap().to_string();
        assert!(error.contains("`someday`"), "{error}");
    }

    #[test]
    fn the_table_hides_nothing() {
        let steps: Vec<&Step> = STEPS.iter().filter(|step| matches!(step.name, "test" | "replay")).collect();
        let cell = |result| Some((result, Duration::from_secs(90)));
        let rows = [
            (
                "next-day",
                vec![cell(Ok(Outcome::Passed("all".into()))), cell(Err(anyhow!("off by a day\nlong")))],
            ),
            ("leap-day", vec![cell(Ok(Outcome::NotChecked("no room".into()))), None]),
        ];
        let text = table(&steps, &rows);
        assert!(text.contains("next-day     passed 90s   FAILED\n"), "{text}");
        assert!(text.contains("leap-day     not checked  not run\n"), "{text}");
        assert!(text.contains("replay by next-day failed: off by a day\n"), "{text}");
        assert!(text.contains("test by leap-day was not checked: no room"), "{text}");
        assert!(text.contains("fmt is left out: "), "{text}");
        assert!(text.contains("test runs by each clock, but for a part: its compile-fail"), "{text}");
    }
}
