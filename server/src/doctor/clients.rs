//! The clients of this user that know this program.

use puppy_core::clients::Client;

use super::Finding;
use crate::installed::{self, Found};

const ABOUT: &str = "clients";

pub(super) fn look() -> Vec<Finding> {
    let found: Vec<(Client, Found)> = Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect();
    let mut findings: Vec<Finding> = found.iter().filter_map(|(client, found)| of(*client, found)).collect();
    let ready: Vec<&str> =
        found.iter().filter(|(_, found)| is_ready(found)).map(|(client, _)| client.title()).collect();
    findings.push(if ready.is_empty() {
        let mend = "`siyuan-puppy list` names the clients that can be told.";
        Finding::note(ABOUT, "None of this user's clients is told of this program.", mend)
    } else {
        Finding::good(ABOUT, format!("Told of this program: {}.", ready.join(", ")))
    });
    findings
}

/// What is wrong with one.
fn of(client: Client, found: &Found) -> Option<Finding> {
    let again = format!("`siyuan-puppy install {}`", client.id());
    match found {
        Found::Stale => {
            let says = format!("{} starts a program that is not there any more.", client.title());
            Some(Finding::bad(ABOUT, says, again))
        }
        Found::Broken(why) => {
            let mend = "Mend the file: until then its servers may be missing, and `install` leaves it alone.";
            Some(Finding::bad(ABOUT, format!("{}: {why}", client.title()), mend))
        }
        Found::Form | Found::NoFile | Found::Absent | Found::Ready | Found::Http => None,
    }
}

const fn is_ready(found: &Found) -> bool {
    matches!(found, Found::Ready | Found::Http)
}
