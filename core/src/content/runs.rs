//! Runs as a caller may see them: an agent as far as the levels of today reach, a person all.

use std::borrow::Cow;
use std::str::FromStr;

use futures_util::future::join_all;

use super::stamp;
use crate::agents::Identity;
use crate::args::Checked;
use crate::id::is_node_id;
use crate::kernel::Route;
use crate::kernel::api::file;
use crate::prelude::*;
use crate::runs::MOST_RUNS;
use crate::runs::record::{self, RunDocument, RunRecord};
use crate::spec::Interpreter;

/// A person, to a person and to agents.
pub const YOU: &str = "you";
/// See `YOU`.
pub const PERSON: &str = "a person";
/// The author of changes of which nobody knows whether a run made them.
pub const SOMEBODY: &str = "somebody";
/// The number of runs that are read side by side.
pub const AT_ONCE: usize = 16;

/// The same of runs of any size, of which no more files are read when this many bytes have been.
const FEW_AT_ONCE: usize = 4;
const MOST_BYTES: usize = 512 * 1_024;

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[file::READ_DIR, file::GET_FILE];

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
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The ids of the runs with the times of their files, in seconds since 1970, the newest first: ids begin with the time.
pub async fn entries(cx: &Cx<'_>) -> Result<Vec<(String, u64)>, ToolError> {
    cx.declares(CALLS)?;
    cx.settle_runs().await;
    let listed = match cx.ask(file::read_dir(&record::folder())).await {
        // There is no folder before the first run.
        Err(error) if error.code == Some(404) => Vec::new(),
        listed => listed?,
    };
    let named = listed
        .iter()
        .filter(|it| !it.is_dir)
        .filter_map(|it| Some((record::id_of(&it.name)?.to_owned(), it.updated)));
    let mut entries: Vec<(String, u64)> = named.collect();
    entries.sort_unstable();
    entries.reverse();
    entries.truncate(MOST_RUNS);
    Ok(entries)
}

/// The ids of the runs, the newest first. With a day (`2025-06-15`), those whose last change may have been on that day
/// or later.
pub async fn ids(since: Option<&str>, cx: &Cx<'_>) -> Result<Vec<String>, ToolError> {
    let is_due =
        |seconds: u64| since.is_none_or(|day| time(seconds.saturating_mul(1_000), cx).as_str() >= day);
    let entries = entries(cx).await?;
    Ok(entries.into_iter().filter(|(_, updated)| is_due(*updated)).map(|(id, _)| id).collect())
}

/// The runs with a change since a day (`2025-06-15`), the newest first, at most so many and no more than their files of
/// about half a megabyte, and whether there are more.
pub async fn since(day: &str, most: usize, cx: &Cx<'_>) -> Result<(Vec<RunRecord>, bool), ToolError> {
    let ids = ids(Some(day), cx).await?;
    let (mut runs, mut count, mut bytes) = (Vec::new(), 0, 0);
    for some in ids.get(..most).unwrap_or(&ids).chunks(FEW_AT_ONCE) {
        if bytes >= MOST_BYTES {
            break;
        }
        let files =
            join_all(some.iter().map(|id| async move { cx.read_file(&record::path_of(id)).await })).await;
        for (id, file) in some.iter().zip(files) {
            let Some(file) = file? else { continue };
            bytes += file.len();
            let run = RunRecord::parse(&file).filter(|it| it.id == *id);
            runs.extend(run.filter(|it| time(it.latest, cx).as_str() >= day));
        }
        count += some.len();
    }
    Ok((runs, count < ids.len()))
}

/// A moment on the local clock.
pub fn time(ms: u64, cx: &Cx<'_>) -> String {
    let offset = i64::try_from(ms).map_or(0, |it| cx.ambient().local_offset(it));
    stamp::with_offset(ms / 1_000, offset)
}

/// The maker of a run. A client chooses its own name, which must pass neither for a person nor for an agent that a person
/// has named.
pub fn author<'r>(run: &'r RunRecord, cx: &Cx<'_>) -> Cow<'r, str> {
    let name = run.agent.as_ref().map_or(run.client.as_str(), |it| it.name.as_str());
    let is_mistakable = || {
        let claimed = Identity::Claimed(name.to_owned());
        run.agent.is_none() && cx.scope().agents().is_ok_and(|all| all.of(&claimed).is_some())
    };
    match name {
        _ if run.is_person && sees_all(cx) => YOU.into(),
        _ if run.is_person => PERSON.into(),
        name if name.is_empty()
            || [YOU, PERSON, SOMEBODY, "person"].iter().any(|it| name.eq_ignore_ascii_case(it)) =>
        {
            "an agent".into()
        }
        name if is_mistakable() => format!("{name} (unknown caller)").into(),
        name => name.into(),
    }
}

/// A run; `None` if there is none, or its file is torn.
pub async fn read(id: &str, cx: &Cx<'_>) -> Result<Option<RunRecord>, ToolError> {
    cx.declares(CALLS)?;
    if !record::is_run_id(id) {
        return Ok(None);
    }
    cx.settle_runs().await;
    let bytes = cx.read_file(&record::path_of(id)).await?;
    Ok(bytes.and_then(|bytes| RunRecord::parse(&bytes)).filter(|it| it.id == id))
}

/// Whether the caller made the run: the same client in the same session.
pub fn is_own(run: &RunRecord, cx: &Cx<'_>) -> bool {
    cx.is_author(&run.author)
}

/// Whether a person asks, who sees every run whole.
pub fn sees_all(cx: &Cx<'_>) -> bool {
    cx.author().is_some_and(|it| it.is_person)
}

/// Whether the caller may know of a document of a run: it is in a readable notebook, and was before, or it is gone from
/// one.
pub fn is_seen(document: &RunDocument, is_known: bool, cx: &Cx<'_>) -> bool {
    let notebook = document.notebook.as_str();
    let was_readable = is_node_id(notebook) && cx.readable_boxes().contains(&notebook);
    sees_all(cx) || (was_readable && is_known)
}

/// The change of a document in a word.
pub fn kind(document: &RunDocument) -> &'static str {
    match document {
        it if it.is_unfinished() => "unfinished",
        it if it.created => "created",
        it if it.removed => "removed",
        it if !it.moved_to.is_empty() => "moved",
        _ => "changed",
    }
}
