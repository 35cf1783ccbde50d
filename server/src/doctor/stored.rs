//! Stored text that SiYuan runs when a note opens or a job of its index runs.

use puppy_core::content::stored_code::{self, CodeKind, StoredCode};
use puppy_core::kernel::Kernel;
use puppy_core::permission::{Level, Scope};
use puppy_core::visible;

use super::Finding;
use crate::words::{AboutWords, StoredWords, colon, full_stop};

/// The maximum number of documents whose embeds are named.
const NAMED: usize = 20;
/// The maximum number of blocks of another kind whose ids are named.
const IDS: usize = 5;

/// A kind that a person may have written for good reasons: the thing, the words for one block and for several, and the
/// next step.
struct Kind {
    runs: CodeKind,
    about: &'static str,
    one: &'static str,
    several: fn(StoredWords, usize) -> String,
    fix: &'static str,
}

fn others() -> [Kind; 7] {
    let (about, words) = (AboutWords::here(), StoredWords::here());
    let kind = |runs, about, one, several, fix| Kind { runs, about, one, several, fix };
    [
        kind(
            CodeKind::Script,
            about.script_embeds(),
            words.script(),
            StoredWords::scripts,
            words.script_fix(),
        ),
        kind(
            CodeKind::Drawing,
            about.drawings(),
            words.drawing(),
            StoredWords::drawings,
            words.drawing_fix(),
        ),
        kind(
            CodeKind::Formula,
            about.formulas(),
            words.formula(),
            StoredWords::formulas,
            words.formula_fix(),
        ),
        kind(
            CodeKind::Template,
            about.template_columns(),
            words.template(),
            StoredWords::templates,
            words.template_fix(),
        ),
        kind(CodeKind::Frame, about.frames(), words.frame(), StoredWords::frames, words.frame_fix()),
        kind(
            CodeKind::Address,
            about.addresses(),
            words.address(),
            StoredWords::addresses,
            words.address_fix(),
        ),
        kind(
            CodeKind::Markup,
            about.database_texts(),
            words.markup(),
            StoredWords::markups,
            words.markup_fix(),
        ),
    ]
}

/// Findings about embeds that run statements, by document, and about the other kinds, by block. Blocks in a
/// notebook at No access are counted, not named: people paste these lines into reports.
pub(super) async fn look(kernel: &dyn Kernel, scope: &Scope) -> Vec<Finding> {
    let Ok(found) = stored_code::find(kernel).await else {
        let words = StoredWords::here();
        return vec![Finding::note(AboutWords::here().stored_text(), words.no_answer(), words.again())];
    };
    let (open, hidden): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|it| scope.grants.level_of(&it.notebook) > Level::None);
    let mut findings = embeds(&open, &hidden, scope);
    let of = |all: &[StoredCode], kind| -> Vec<String> {
        all.iter().filter(|it| it.runs == kind).map(|it| it.block.clone()).collect()
    };
    findings.extend(others().iter().filter_map(|kind| {
        let says = said(kind, &of(&open, kind.runs), of(&hidden, kind.runs).len())?;
        Some(Finding::note(kind.about, says, kind.fix))
    }));
    findings
}

fn said(kind: &Kind, open: &[String], hidden: usize) -> Option<String> {
    let (words, all) = (StoredWords::here(), open.len() + hidden);
    if all == 0 {
        return None;
    }
    let ids: Vec<&str> = open.iter().take(IDS).map(String::as_str).collect();
    let more = if open.len() > IDS { ", ..." } else { "" };
    let ids = if ids.is_empty() { String::new() } else { format!("{}{}{more}", colon(), ids.join(", ")) };
    let hidden = if hidden == 0 { String::new() } else { words.hidden(hidden) };
    let what = if all == 1 { kind.one.to_owned() } else { (kind.several)(words, all) };
    Some(format!("{what}{hidden}{ids}{}", full_stop()))
}

/// The documents whose embeds run statements.
fn embeds(open: &[StoredCode], hidden: &[StoredCode], scope: &Scope) -> Vec<Finding> {
    let documents = |all: &[StoredCode]| {
        let mut all: Vec<StoredCode> =
            all.iter().filter(|it| it.runs == CodeKind::Statements).cloned().collect();
        all.dedup_by(|one, other| one.doc == other.doc);
        all
    };
    let (about, words) = (AboutWords::here().query_embeds(), StoredWords::here());
    let (open, hidden) = (documents(open), documents(hidden));
    if open.is_empty() && hidden.is_empty() {
        return vec![Finding::good(about, words.embeds_good())];
    }
    let bad = |says: String| Finding::bad(about, says, words.embeds_fix());
    let mut findings: Vec<Finding> = open.iter().take(NAMED).map(|it| bad(named(it, scope))).collect();
    let more = open.len().saturating_sub(NAMED);
    findings.extend((more > 0).then(|| bad(words.embeds_more(more))));
    findings.extend((!hidden.is_empty()).then(|| bad(words.embeds_hidden(hidden.len()))));
    findings
}

fn named(StoredCode { notebook, hpath, doc, .. }: &StoredCode, scope: &Scope) -> String {
    let name = scope.visible_notebooks().find(|it| it.id == *notebook).map_or("", |it| it.name.as_str());
    let place: String = format!("/{name}{hpath}").chars().take(80).collect();
    StoredWords::here().embed_in(visible::shown(&place), doc)
}
