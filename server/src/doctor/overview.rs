//! The state at a glance: SiYuan, the server, the clients, the levels, and the calls.

use puppy_core::activity::coins::{self, PurseCache};
use puppy_core::activity::events::{CallStatus, EVENTS_FILE, Event, EventFile};
use puppy_core::activity::stats::Stats;
use puppy_core::config::{GRANTS_FILE, HttpSettings, Policy};
use puppy_core::kernel::{Ambient, files};
use puppy_core::permission::Closed;

use super::{Finding, Patient, clients, machine, notes};
use crate::kernel::HttpKernel;
use crate::words::{AboutWords, DoctorWords};

/// The calls so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Calls {
    /// The number of all calls that have ended.
    pub(crate) all: u64,
    /// The time of the last one, and the present, in milliseconds since 1970.
    pub(crate) last: u64,
    pub(crate) now: u64,
    /// The last call, such as `fs read`, if it has not ended.
    pub(crate) running: Option<String>,
}

/// The state at a glance.
#[derive(Debug)]
pub(crate) struct Overview {
    /// Each thing in a line.
    pub(crate) findings: Vec<Finding>,
    /// The calls; `None` if they are not known.
    pub(crate) calls: Option<Calls>,
}

/// Looks at each thing.
pub(crate) async fn overview(patient: Result<Patient, String>) -> Overview {
    let about = AboutWords::here();
    let siyuan = super::address(&patient);
    let (mut findings, kernel) = match patient {
        Ok(patient) => notes::reach(patient).await,
        Err(why) => (vec![Finding::bad(about.settings(), why, DoctorWords::here().run_doctor())], None),
    };
    // Good findings about SiYuan need one line; `doctor` has the rest.
    let is_shown = |it: &Finding| it.about == about.siyuan() || it.state.word() == "bad";
    findings.retain(is_shown);
    let (mut settings, mut calls) = (None, None);
    let mut of_notes = Vec::new();
    if let Some(kernel) = kernel {
        settings = HttpSettings::read(&kernel).await.ok();
        of_notes.extend(notes::settings(&kernel).await.into_iter().filter(is_shown));
        let policy = Policy::read(&kernel).await;
        of_notes.push(notes::levels(&policy).unwrap_or_else(|| no_levels(&policy)));
        of_notes.extend(notes::pause(&policy));
        calls = self::calls(&kernel).await;
    }
    findings.extend(
        machine::look(settings, siyuan.as_deref()).await.into_iter().filter(|it| it.about == about.server()),
    );
    findings.push(clients::ready());
    findings.extend(of_notes);
    Overview { findings, calls }
}

/// The line where the table of levels cannot be used; the line about the file says what to do.
fn no_levels(policy: &Policy) -> Finding {
    let says = match &policy.scope.grants.table {
        Err(Closed::Kernel(error)) => notes::words(error.clone()),
        _ => DoctorWords::here().no_levels(GRANTS_FILE),
    };
    Finding::bad(AboutWords::here().levels(), says, "")
}

/// The calls; `None` if SiYuan returns no record of them.
async fn calls(kernel: &HttpKernel) -> Option<Calls> {
    let stats = coins::sum(kernel, &mut PurseCache::default()).await.ok();
    let events = files::read(kernel, &format!("{}{EVENTS_FILE}", files::TEMP)).await;
    let events = events.ok().map(|bytes| bytes.and_then(|it| EventFile::parse(&it)).unwrap_or_default());
    if stats.is_none() && events.is_none() {
        return None;
    }
    Some(latest(&stats.unwrap_or_default(), &events.unwrap_or_default(), kernel.now_ms()))
}

/// Returns the newer of both records. Events are written immediately, the totals some seconds after a call ends.
fn latest(stats: &Stats, events: &EventFile, now: u64) -> Calls {
    let all = stats.total_calls.max(events.total_calls);
    let newest = events.events.iter().max_by_key(|it| it.ts).filter(|it| it.ts > stats.updated_at);
    let running = newest.filter(|it| it.status == CallStatus::Running).map(command);
    Calls { all, last: newest.map_or(stats.updated_at, |it| it.ts), now, running }
}

fn command(event: &Event) -> String {
    format!("{} {}", event.tool, event.action.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn event(status: &str, ts: u64) -> Value {
        json!({ "seq": ts, "instance": "i", "tool": "fs", "action": "read_all", "status": status, "ts": ts })
    }

    /// A call that runs, or has just ended, is in the events before it is in the totals.
    #[test]
    fn newest_record_of_a_call_counts() {
        let stats = Stats::parse(br#"{"total_calls":3,"updated_at":50}"#);
        for (events, all, last, running) in [
            (json!([]), 3, 50, None),
            (json!([event("success", 40)]), 3, 50, None),
            (json!([event("running", 60), event("success", 70)]), 4, 70, None),
            (json!([event("success", 60), event("running", 70)]), 4, 70, Some("fs read-all")),
            (json!([event("running", 40)]), 3, 50, None),
        ] {
            let total = if last > 50 { 4 } else { 2 };
            let file = json!({ "events": events, "total_calls": total }).to_string();
            let found = latest(&stats, &EventFile::parse(file.as_bytes()).unwrap(), 99);
            assert_eq!(found, Calls { all, last, now: 99, running: running.map(str::to_owned) });
        }
    }
}
