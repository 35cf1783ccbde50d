//! The clients of this user that know this program.

use puppy_core::clients::Client;

use super::Finding;
use crate::installed::{self, Found};

const ABOUT: &str = "clients";

pub(super) fn look() -> Vec<Finding> {
    let found: Vec<(Client, Found)> = Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect();
    let mut findings: Vec<Finding> = found.iter().filter_map(|(client, found)| of(*client, found)).collect();
    findings.push(set_up(&found));
    findings
}

/// Those that are set up, in one line.
pub(super) fn ready() -> Finding {
    set_up(&Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect::<Vec<_>>())
}

fn set_up(found: &[(Client, Found)]) -> Finding {
    let ready: Vec<&str> =
        found.iter().filter(|(_, found)| is_ready(found)).map(|(client, _)| client.title()).collect();
    if ready.is_empty() {
        let fix = "Run `siyuan-puppy list` to see them, then for example `siyuan-puppy install claude-code`.";
        return Finding::note(ABOUT, "None of the supported clients is set up on this machine.", fix);
    }
    Finding::good(ABOUT, format!("Set up: {}.", ready.join(", ")))
}

/// The fault of a client; `None` if it is set up.
fn of(client: Client, found: &Found) -> Option<Finding> {
    let again = format!("Run `siyuan-puppy install {}`.", client.id());
    match found {
        Found::Stale => {
            let says = format!("{} starts a program that no longer exists.", client.title());
            Some(Finding::bad(ABOUT, says, again))
        }
        Found::Broken(why) => {
            let fix =
                "Fix the file. Until then its servers may be missing, and `install` does not change it.";
            Some(Finding::bad(ABOUT, format!("{}: {why}", client.title()), fix))
        }
        Found::Form | Found::NoFile | Found::Absent | Found::Ready | Found::Http => None,
    }
}

const fn is_ready(found: &Found) -> bool {
    matches!(found, Found::Ready | Found::Http)
}
