//! Calls of actions with a person's rights, and the files of a document's versions.

use puppy_core::args::Checked as _;
use puppy_core::content::stored::{StoredBlock, StoredDocument};
use puppy_core::content::version::Version;
use puppy_core::id::DocId;
use puppy_core::kernel::api::filetree;
use puppy_core::kernel::{ask, files};
use puppy_core::runs::record;
use puppy_ui_web::host::{self, Host};
use puppy_ui_web::kernel::PageKernel;
use serde_json::{Map, Value, json};

use crate::state::answer;

/// Calls an action. `agreed` is the plan that the person has seen and agreed to; any other plan is asked about.
///
/// # Errors
/// The message of the failure; empty if the call did not run.
pub(crate) async fn call(
    host: &Host,
    tool: &str,
    arguments: Map<String, Value>,
    agreed: Option<Map<String, Value>>,
) -> Result<Value, String> {
    let call = json!({ "tool": tool, "arguments": arguments, "agreed": agreed }).to_string();
    // Calls of the playground have numbers of their own.
    let number = u32::try_from(host::random_bits() >> 33).unwrap_or_default() | 1 << 31;
    answer::data(&host.act(number, &call).await.unwrap_or_default())
}

/// The blocks of a saved version; `None` where it cannot be read.
pub(crate) async fn version(token: &str) -> Option<Vec<StoredBlock>> {
    let version = Version::parse(token).ok()?;
    blocks(&version.path()).await?
}

/// The blocks of a document as it is now: none of one that is not there, `None` where it cannot be read.
pub(crate) async fn present(id: &str) -> Option<Vec<StoredBlock>> {
    let id = DocId::parse(id)?;
    let Ok(place) = ask(&PageKernel, filetree::get_path_by_id(&id)).await else { return Some(Vec::new()) };
    let path = format!("/data/{}{}", place.notebook, place.path);
    blocks(&path).await.map(Option::unwrap_or_default)
}

/// The names of the runs' files with the seconds of their last change; `None` where they cannot be listed.
pub(crate) async fn run_files() -> Option<Vec<(String, u64)>> {
    let files = files::list(&PageKernel, &record::folder()).await.ok()?;
    Some(files.into_iter().map(|it| (it.name, it.updated)).collect())
}

async fn blocks(path: &str) -> Option<Option<Vec<StoredBlock>>> {
    match files::read(&PageKernel, path).await.ok()? {
        Some(bytes) => Some(Some(StoredDocument::parse(&bytes)?.blocks)),
        None => Some(None),
    }
}
