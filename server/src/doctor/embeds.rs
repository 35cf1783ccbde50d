//! Stored query embeds that run more than one SELECT.

use puppy_core::content::odd_embeds::{self, OddEmbed};
use puppy_core::kernel::Kernel;
use puppy_core::permission::{Level, Scope};
use puppy_core::render::visible;

use super::Finding;

/// The maximum number of documents that are named.
const NAMED: usize = 20;
const ABOUT: &str = "query embeds";
const MEND: &str =
    "SiYuan runs embeds by itself. Open the note there, and delete the embed or let it hold one SELECT.";

/// A finding for each document with such an embed. One in a notebook that is closed to agents is counted, not named:
/// people hand these lines on.
pub(super) async fn look(kernel: &dyn Kernel, scope: &Scope) -> Vec<Finding> {
    // A failure is told by what was looked at before.
    let Ok(found) = odd_embeds::find(kernel).await else { return Vec::new() };
    if found.is_empty() {
        return vec![Finding::good(ABOUT, "Each is one SELECT or a script.")];
    }
    let (open, closed): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|it| scope.grants.level_of(&it.notebook) > Level::None);
    let mut findings: Vec<Finding> = open.iter().take(NAMED).map(|it| named(it, scope)).collect();
    let more = open.len().saturating_sub(NAMED);
    for (count, place) in
        [(more, "more notes"), (closed.len(), "notes of notebooks that are closed to agents")]
    {
        if count > 0 {
            let says = format!("In {count} {place} an embed runs more than one SELECT.");
            findings.push(Finding::bad(ABOUT, says, MEND));
        }
    }
    findings
}

fn named(OddEmbed { notebook, hpath, doc }: &OddEmbed, scope: &Scope) -> Finding {
    let name = scope.visible_notebooks().find(|it| it.id == *notebook).map_or("", |it| it.name.as_str());
    let place: String = format!("/{name}{hpath}").chars().take(80).collect();
    let says = format!("{} ({doc}): an embed runs more than one SELECT.", visible::shown(&place));
    Finding::bad(ABOUT, says, MEND)
}
