//! `siyuan-puppy doctor`: looks at everything that must be right, and says what to do (B-103).

use clap::Command;
use serde_json::{Value, json};

use super::exit;
use super::print::Told;
use crate::doctor::{self, Fault, Finding, Patient, State};

pub(super) fn command() -> Command {
    Command::new("doctor").about("Check the setup and suggest fixes").after_help(
        "Exit codes: 0 no problems found, 3 SiYuan unreachable, 4 not authorised, 1 any other problem.\n\n\
             Example: siyuan-puppy doctor --json",
    )
}

/// Examines everything, and returns the output with the exit code of the first fault.
pub(super) async fn run(patient: Result<Patient, String>, as_json: bool) -> (Told, u8) {
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
    let wide = findings.iter().map(|it| it.about.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Finding { about, state, says, fix } in findings {
        let mark = match state {
            State::Good => '✓',
            State::Note => '·',
            State::Bad(_) => '✗',
        };
        text.push_str(&format!("{mark} {about:wide$}  {says}\n"));
        if !fix.is_empty() {
            text.push_str(&format!("  {:wide$}  → {fix}\n", ""));
        }
    }
    text
}

fn for_programs(findings: &[Finding]) -> Told {
    let is_well = !findings.iter().any(|it| matches!(it.state, State::Bad(_)));
    Told::Json(json!({ "ok": is_well, "findings": rows(findings) }))
}

fn for_people(findings: &[Finding]) -> Told {
    let mut text = lines(findings);
    let bad = findings.iter().filter(|it| matches!(it.state, State::Bad(_))).count();
    text.push_str(&match bad {
        0 => "\nNo problems found.\n".to_owned(),
        1 => "\n1 problem found.\n".to_owned(),
        bad => format!("\n{bad} problems found.\n"),
    });
    Told::Text(text)
}
