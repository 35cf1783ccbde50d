//! `siyuan-puppy status`: how things stand, in five lines.

use clap::Command;
use puppy_core::ask::words::capital;
use serde_json::json;

use super::doctor::{exit_code, lines, rows};
use super::print::Told;
use crate::doctor::{self, Calls, Finding, Overview, Patient, State};

pub(super) fn command() -> Command {
    Command::new("status").about("Show SiYuan, server, clients, levels and the last call").after_help(
        "Exit codes are the same as for `doctor`, which checks more.\n\nExample: siyuan-puppy status",
    )
}

/// Returns the text or JSON to print, and the exit code.
pub(super) async fn run(patient: Result<Patient, String>, as_json: bool) -> (Told, u8) {
    let Overview { mut findings, calls } = doctor::overview(patient).await;
    let code = exit_code(&findings);
    if as_json {
        let calls = calls.map(|it| json!({ "all": it.all, "last": it.last, "running": it.running }));
        return (Told::Json(json!({ "ok": code == 0, "findings": rows(&findings), "calls": calls })), code);
    }
    let last =
        calls.map_or_else(|| "Unknown, because the record of calls could not be read.".to_owned(), told);
    findings.push(Finding { about: "last call", state: State::Note, says: last, fix: String::new() });
    (Told::Text(lines(&findings)), code)
}

fn told(Calls { all, last, now, running }: Calls) -> String {
    let minutes = now.saturating_sub(last) / 60_000;
    let (count, unit) = match minutes {
        0 => (0, ""),
        1..60 => (minutes, "minute"),
        60..1_440 => (minutes / 60, "hour"),
        _ => (minutes / 1_440, "day"),
    };
    let when = match count {
        0 => "just now".to_owned(),
        1 => format!("1 {unit} ago"),
        count => format!("{count} {unit}s ago"),
    };
    match running {
        // A program that was killed leaves a call without an end.
        Some(call) => format!("{call} started {when} and has not ended; {all} before it."),
        None if all == 0 => "None yet.".to_owned(),
        None => format!("{}; {all} in all.", capital(&when)),
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
            assert_eq!(told(Calls { all, now, last: now - minutes * 60_000, running: None }), due);
        }
        let running = Some("fs read".to_owned());
        let due = "fs read started just now and has not ended; 3 before it.";
        assert_eq!(told(Calls { all: 3, now: 5, last: 5, running }), due);
    }
}
