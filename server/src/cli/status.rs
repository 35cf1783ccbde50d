//! `siyuan-puppy status`: how things stand, in five lines.

use clap::Command;
use puppy_core::ask::words::capital;
use serde_json::json;

use super::doctor::{exit_code, lines, rows};
use super::people::ago;
use super::print::CommandOutput;
use crate::doctor::{self, Calls, Finding, Overview, Patient, State};
use crate::words::{AboutWords, AnswerWords, HelpWords};

pub(super) fn command() -> Command {
    let words = HelpWords::here();
    let example = words.example("siyuan-puppy status");
    Command::new("status").about(words.status()).after_help(format!("{}\n\n{example}", words.status_codes()))
}

/// Returns the text or JSON to print, and the exit code.
pub(super) async fn run(patient: Result<Patient, String>, as_json: bool) -> (CommandOutput, u8) {
    let Overview { mut findings, calls } = doctor::overview(patient).await;
    let code = exit_code(&findings);
    if as_json {
        let calls = calls.map(|it| json!({ "all": it.all, "last": it.last, "running": it.running }));
        return (
            CommandOutput::Json(json!({ "ok": code == 0, "findings": rows(&findings), "calls": calls })),
            code,
        );
    }
    let words = AnswerWords::here();
    let last = calls.map_or_else(|| words.last_unknown().to_owned(), last_call);
    let about = AboutWords::here().last_call();
    findings.push(Finding { about, state: State::Note, says: last, fix: String::new() });
    (CommandOutput::Text(lines(&findings)), code)
}

fn last_call(Calls { all, last, now, running }: Calls) -> String {
    let words = AnswerWords::here();
    let when = ago(now.saturating_sub(last) / 1_000);
    match running {
        // A program that was killed leaves a call without an end.
        Some(call) => words.last_running(call, when, all),
        None if all == 0 => words.last_none().to_owned(),
        None => words.last_call(capital(&when), all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_call_is_told_from_now() {
        for (all, minutes, due) in [
            (0, 9, "None yet."),
            (3, 0, "Just now; 3 in all."),
            (3, 1, "1 minute ago; 3 in all."),
            (3, 125, "2 hours ago; 3 in all."),
            (3, 3_000, "2 days ago; 3 in all."),
        ] {
            let now = 10_000 * 60_000;
            assert_eq!(last_call(Calls { all, now, last: now - minutes * 60_000, running: None }), due);
        }
        let running = Some("fs read".to_owned());
        let due = "fs read started just now and has not ended; 3 before it.";
        assert_eq!(last_call(Calls { all: 3, now: 5, last: 5, running }), due);
    }
}
