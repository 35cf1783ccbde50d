//! `siyuan-puppy doctor`: looks at everything that must be right, and says what to do (B-103).

use clap::Command;
use serde_json::json;

use super::exit;
use super::print::Told;
use crate::doctor::{self, Fault, Finding, Patient, State};

/// The command.
pub(super) fn command() -> Command {
    Command::new("doctor")
        .about("Look for what is wrong, and say what to do")
        .after_help(
            "Exit codes: 0 all is well, 3 SiYuan unreachable, 4 not authorised, 1 anything else must be mended.\n\n\
             Example: siyuan-puppy doctor --json",
        )
}

/// What to print, and the exit code: that of the first fault.
pub(super) async fn run(patient: Result<Patient, String>, as_json: bool) -> (Told, u8) {
    let findings = doctor::look(patient).await;
    let first = findings.iter().find_map(|it| match it.state {
        State::Bad(fault) => Some(fault),
        State::Good | State::Note => None,
    });
    let code = match first {
        None => 0,
        Some(Fault::Other) => exit::FAILED,
        Some(Fault::Unreachable) => exit::UNREACHABLE,
        Some(Fault::NotAuthorised) => exit::NOT_AUTHORISED,
    };
    (if as_json { for_programs(&findings) } else { for_people(&findings) }, code)
}

fn for_programs(findings: &[Finding]) -> Told {
    let all: Vec<_> = findings
        .iter()
        .map(|it| json!({ "about": it.about, "state": it.state.word(), "says": it.says, "mend": it.mend }))
        .collect();
    let is_well = !findings.iter().any(|it| matches!(it.state, State::Bad(_)));
    Told::Json(json!({ "ok": is_well, "findings": all }))
}

fn for_people(findings: &[Finding]) -> Told {
    let wide = findings.iter().map(|it| it.about.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Finding { about, state, says, mend } in findings {
        let mark = match state {
            State::Good => '✓',
            State::Note => '·',
            State::Bad(_) => '✗',
        };
        text.push_str(&format!("{mark} {about:wide$}  {says}\n"));
        if !mend.is_empty() {
            text.push_str(&format!("  {:wide$}  → {mend}\n", ""));
        }
    }
    let bad = findings.iter().filter(|it| matches!(it.state, State::Bad(_))).count();
    text.push_str(&match bad {
        0 => "\nAll is well.\n".to_owned(),
        1 => "\n1 thing must be mended.\n".to_owned(),
        bad => format!("\n{bad} things must be mended.\n"),
    });
    Told::Text(text)
}
