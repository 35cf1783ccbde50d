//! `siyuan-puppy doctor`: looks at everything that must be right, and says what to do (B-103).

use clap::Command;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::exit;
use super::print::CommandOutput;
use crate::doctor::{self, Fault, Finding, Patient, State};
use crate::words::{DoctorWords, HelpWords};

pub(super) fn command() -> Command {
    let words = HelpWords::here();
    let example = words.example("siyuan-puppy doctor --json");
    Command::new("doctor").about(words.doctor()).after_help(format!("{}\n\n{example}", words.doctor_codes()))
}

/// Examines everything, and returns the output with the exit code of the first fault.
pub(super) async fn run(patient: Result<Patient, String>, as_json: bool) -> (CommandOutput, u8) {
    let findings = doctor::look(patient).await;
    (if as_json { for_programs(&findings) } else { for_people(&findings) }, exit_code(&findings))
}

/// The exit code of the first fault.
pub(super) fn exit_code(findings: &[Finding]) -> u8 {
    let first = findings.iter().find_map(|it| match it.state {
        State::Bad(fault) => Some(fault),
        State::Good | State::Note => None,
    });
    match first {
        None => 0,
        Some(Fault::Other) => exit::FAILED,
        Some(Fault::Unreachable) => exit::UNREACHABLE,
        Some(Fault::NotAuthorised) => exit::NOT_AUTHORISED,
    }
}

/// The findings for programs.
pub(super) fn rows(findings: &[Finding]) -> Vec<Value> {
    let row =
        |it: &Finding| json!({ "about": it.about, "state": it.state.word(), "says": it.says, "fix": it.fix });
    findings.iter().map(row).collect()
}

/// Each finding in a line, what to do below it.
pub(super) fn lines(findings: &[Finding]) -> String {
    let wide = findings.iter().map(|it| it.about.width()).max().unwrap_or_default();
    let mut text = String::new();
    for Finding { about, state, says, fix } in findings {
        let mark = match state {
            State::Good => '✓',
            State::Note => '·',
            State::Bad(_) => '✗',
        };
        let blanks = wide - about.width();
        text.push_str(&format!("{mark} {about}{:blanks$}  {says}\n", ""));
        if !fix.is_empty() {
            text.push_str(&format!("  {:wide$}  → {fix}\n", ""));
        }
    }
    text
}

fn for_programs(findings: &[Finding]) -> CommandOutput {
    let is_well = !findings.iter().any(|it| matches!(it.state, State::Bad(_)));
    CommandOutput::Json(json!({ "ok": is_well, "findings": rows(findings) }))
}

fn for_people(findings: &[Finding]) -> CommandOutput {
    let mut text = lines(findings);
    let bad = findings.iter().filter(|it| matches!(it.state, State::Bad(_))).count();
    let words = DoctorWords::here();
    let sum = match bad {
        0 => words.no_problems().to_owned(),
        1 => words.one_problem().to_owned(),
        bad => words.problems(bad),
    };
    text.push_str(&format!("\n{sum}\n"));
    CommandOutput::Text(text)
}
