//! The clients of this user that know this program.

use puppy_core::clients::Client;

use super::Finding;
use crate::installed::{self, EntryState};

const ABOUT: &str = "clients";

pub(super) fn look() -> Vec<Finding> {
    let found: Vec<(Client, EntryState)> =
        Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect();
    let mut findings: Vec<Finding> = found.iter().filter_map(|(client, found)| of(*client, found)).collect();
    findings.push(set_up(&found));
    findings
}

/// Those that are set up, in one line.
pub(super) fn ready() -> Finding {
    set_up(&Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect::<Vec<_>>())
}

fn set_up(found: &[(Client, EntryState)]) -> Finding {
    let ready: Vec<&str> =
        found.iter().filter(|(_, found)| is_ready(found)).map(|(client, _)| client.title()).collect();
    if ready.is_empty() {
        let fix = "Run `siyuan-puppy list` to see them, then for example `siyuan-puppy install claude-code`.";
        return Finding::note(ABOUT, "None of the supported clients is set up on this machine.", fix);
    }
    Finding::good(ABOUT, format!("Set up: {}.", ready.join(", ")))
}

/// The fault of a client; `None` if it is set up.
fn of(client: Client, found: &EntryState) -> Option<Finding> {
    let again = format!("Run `siyuan-puppy install {}`.", client.id());
    match found {
        EntryState::Stale => {
            let says = format!("{} starts a program that no longer exists.", client.title());
            Some(Finding::bad(ABOUT, says, again))
        }
        EntryState::Broken(why) => {
            let fix =
                "Fix the file. Until then its servers may be missing, and `install` does not change it.";
            Some(Finding::bad(ABOUT, format!("{}: {why}", client.title()), fix))
        }
        EntryState::Form | EntryState::NoFile | EntryState::Absent | EntryState::Ready | EntryState::Http => {
            None
        }
    }
}

const fn is_ready(found: &EntryState) -> bool {
    matches!(found, EntryState::Ready | EntryState::Http)
}
