//! Stored text that SiYuan runs when a note opens or a job of its index runs.

use puppy_core::content::stored_code::{self, Runs, StoredCode};
use puppy_core::kernel::Kernel;
use puppy_core::permission::{Level, Scope};
use puppy_core::visible;

use super::Finding;

/// The maximum number of documents whose embeds are named.
const NAMED: usize = 20;
/// The maximum number of blocks of another kind whose ids are named.
const IDS: usize = 5;
const EMBEDS: &str = "query embeds";
const FIX: &str =
    "SiYuan runs embeds automatically. Open the note there, and delete the embed or reduce it to one SELECT.";

/// The kinds that a person may have written for good reasons: the thing, the words for one block, for several, and the
/// next step.
const OTHERS: [(Runs, &str, [&str; 2], &str); 7] = [
    (
        Runs::Script,
        "script embeds",
        ["query embed is", "query embeds are"],
        "The page runs them as JavaScript when their note opens. Search SiYuan for each id, and delete the embed unless you wrote it.",
    ),
    (
        Runs::Drawing,
        "drawings",
        ["code block runs", "code blocks run"],
        "The page runs the chart, or the links and styles of the diagram, when its note opens. Search SiYuan for each id, and delete the block unless you wrote it.",
    ),
    (
        Runs::Formula,
        "formulas",
        ["block has", "blocks have"],
        "The page runs the command of the formula when its note opens. Search SiYuan for each id, and delete the command unless you wrote it.",
    ),
    (
        Runs::Template,
        "template columns",
        ["database has", "databases have"],
        "SiYuan renders the template when the database is shown, and a template can read every notebook. Search SiYuan for each id, and check the template columns of the database.",
    ),
    (
        Runs::Frame,
        "frames",
        ["block shows", "blocks show"],
        "The page loads it when its note opens, and it can go to SiYuan's own address and run there. Search SiYuan for each id, and delete the frame unless you know the page.",
    ),
    (
        Runs::Address,
        "addresses",
        ["block has", "blocks have"],
        "Loading such an address, or one click on it, makes SiYuan or your system act. Search SiYuan for each id, and remove the link or picture unless you wrote it.",
    ),
    (
        Runs::Markup,
        "database texts",
        ["database has", "databases have"],
        "SiYuan shows some names, descriptions and groups of databases as HTML. Search SiYuan for each id, and replace HTML in its names and cells with plain text.",
    ),
];

/// Findings about embeds that run statements, by document, and about the other kinds, by block. Blocks in a
/// notebook that is closed to agents are counted, not named: people paste these lines into reports.
pub(super) async fn look(kernel: &dyn Kernel, scope: &Scope) -> Vec<Finding> {
    let Ok(found) = stored_code::find(kernel).await else {
        let says = "SiYuan did not answer the search for active content.";
        return vec![Finding::note("stored text", says, "Run `siyuan-puppy doctor` again.")];
    };
    let (open, closed): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|it| scope.grants.level_of(&it.notebook) > Level::None);
    let mut findings = embeds(&open, &closed, scope);
    let of = |all: &[StoredCode], kind| -> Vec<String> {
        all.iter().filter(|it| it.runs == kind).map(|it| it.block.clone()).collect()
    };
    findings.extend(OTHERS.iter().filter_map(|(kind, about, words, fix)| {
        let says = said(*kind, *words, &of(&open, *kind), of(&closed, *kind).len())?;
        Some(Finding::note(about, says, *fix))
    }));
    findings
}

fn said(kind: Runs, [one, several]: [&str; 2], open: &[String], closed: usize) -> Option<String> {
    let what = match kind {
        Runs::Script => "JavaScript",
        Runs::Drawing => "more than a plain drawing",
        Runs::Formula => "a command that links, loads or styles",
        Runs::Template => "a template that is not known to be harmless",
        Runs::Frame => "a page in a frame",
        Runs::Address => "an address that makes SiYuan act or starts a program",
        Runs::Markup => "a name, description or value that is HTML",
        Runs::Statements => return None,
    };
    let all = open.len() + closed;
    if all == 0 {
        return None;
    }
    let ids: Vec<&str> = open.iter().take(IDS).map(String::as_str).collect();
    let more = if open.len() > IDS { ", ..." } else { "" };
    let ids = if ids.is_empty() { String::new() } else { format!(": {}{more}", ids.join(", ")) };
    let closed = match closed {
        0 => String::new(),
        closed => format!(" ({closed} in notebooks at No access)"),
    };
    Some(format!("{all} {} {what}{closed}{ids}.", if all == 1 { one } else { several }))
}

/// The documents whose embeds run statements.
fn embeds(open: &[StoredCode], closed: &[StoredCode], scope: &Scope) -> Vec<Finding> {
    let documents = |all: &[StoredCode]| {
        let mut all: Vec<StoredCode> = all.iter().filter(|it| it.runs == Runs::Statements).cloned().collect();
        all.dedup_by(|one, other| one.doc == other.doc);
        all
    };
    let (open, closed) = (documents(open), documents(closed));
    if open.is_empty() && closed.is_empty() {
        return vec![Finding::good(EMBEDS, "None in the search index runs more than one SELECT.")];
    }
    let mut findings: Vec<Finding> = open.iter().take(NAMED).map(|it| named(it, scope)).collect();
    let more = open.len().saturating_sub(NAMED);
    for (count, place) in [(more, "more notes"), (closed.len(), "notes in notebooks at No access")] {
        if count > 0 {
            let says = format!("In {count} {place} an embed runs more than one SELECT.");
            findings.push(Finding::bad(EMBEDS, says, FIX));
        }
    }
    findings
}

fn named(StoredCode { notebook, hpath, doc, .. }: &StoredCode, scope: &Scope) -> Finding {
    let name = scope.visible_notebooks().find(|it| it.id == *notebook).map_or("", |it| it.name.as_str());
    let place: String = format!("/{name}{hpath}").chars().take(80).collect();
    let says = format!("{} ({doc}): an embed runs more than one SELECT.", visible::shown(&place));
    Finding::bad(EMBEDS, says, FIX)
}
