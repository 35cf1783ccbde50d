//! Runs as a caller may see them: an agent as far as the levels of today reach, a person all.

use std::str::FromStr;

use crate::args::Checked;
use crate::id::is_node_id;
use crate::kernel::Route;
use crate::kernel::api::file;
use crate::prelude::*;
use crate::runs::MOST_RUNS;
use crate::runs::record::{self, RunDocument, RunRecord};
use crate::spec::Interpreter;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[file::READ_DIR, file::GET_FILE];

/// The id of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunId(String);

impl Checked for RunId {
    const MOST: usize = 40;
    const READ_BY: &'static [Interpreter] = &[];
    const EXPECTED: &'static str = "a run as list_runs lists it";

    fn parse(text: &str) -> Result<RunId, &'static str> {
        if record::is_run_id(text) { Ok(RunId(text.to_owned())) } else { Err(RunId::EXPECTED) }
    }
}

impl FromStr for RunId {
    type Err = ();

    fn from_str(text: &str) -> Result<RunId, ()> {
        RunId::parse(text).map_err(|_| ())
    }
}

impl RunId {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The ids of the runs, the newest first: they begin with the time.
pub(super) async fn ids(cx: &Cx<'_>) -> Result<Vec<String>, ToolError> {
    cx.declares(CALLS)?;
    let listed = match cx.ask(file::read_dir(&record::folder())).await {
        // There is no folder before the first run.
        Err(error) if error.code == Some(404) => Vec::new(),
        listed => listed?,
    };
    let mut ids: Vec<String> =
        listed.iter().filter_map(|it| record::id_of(&it.name)).map(str::to_owned).collect();
    ids.sort_unstable();
    ids.reverse();
    ids.truncate(MOST_RUNS);
    Ok(ids)
}

/// A run; `None` if there is none, or its file is torn.
pub(super) async fn read(id: &str, cx: &Cx<'_>) -> Result<Option<RunRecord>, ToolError> {
    cx.declares(CALLS)?;
    if !record::is_run_id(id) {
        return Ok(None);
    }
    let bytes = cx.read_file(&record::path_of(id)).await?;
    Ok(bytes.and_then(|bytes| RunRecord::parse(&bytes)).filter(|it| it.id == id))
}

/// Whether the caller made the run: the same client in the same session.
pub(super) fn is_own(run: &RunRecord, cx: &Cx<'_>) -> bool {
    cx.is_author(&run.author)
}

/// Whether a person asks, who sees every run whole.
pub(super) fn sees_all(cx: &Cx<'_>) -> bool {
    cx.author().is_some_and(|it| it.is_person)
}

/// Whether the caller may know of a document of a run: it is in a readable notebook, and was before, or it is gone from
/// one.
pub(super) fn is_seen(document: &RunDocument, is_known: bool, cx: &Cx<'_>) -> bool {
    let notebook = document.notebook.as_str();
    let was_readable = is_node_id(notebook) && cx.readable_boxes().contains(&notebook);
    sees_all(cx) || (was_readable && is_known)
}

/// The change of a document in a word.
pub(super) fn kind(document: &RunDocument) -> &'static str {
    match document {
        it if it.is_unfinished() => "unfinished",
        it if it.created => "created",
        it if it.removed => "removed",
        it if !it.moved_to.is_empty() => "moved",
        _ => "changed",
    }
}
