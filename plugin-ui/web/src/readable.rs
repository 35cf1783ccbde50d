//! The names behind the ids of an event, for places that agents may know.

use puppy_core::config::GRANTS_FILE;
use puppy_core::id::DocId;
use puppy_core::kernel::api::filetree;
use puppy_core::kernel::api::notebook::{Notebook, ls_notebooks};
use puppy_core::kernel::{ask, files};
use puppy_core::permission::{Grants, LevelTable};

use crate::kernel::PageKernel;
use crate::state::bubble::place;

/// The notebooks that agents may read.
#[derive(Debug)]
pub struct Readable(Vec<Notebook>);

impl Readable {
    /// Reads them; `None` in case of doubt.
    pub async fn read() -> Option<Readable> {
        let table = files::read(&PageKernel, &files::stored(GRANTS_FILE)).await.ok()?;
        let grants =
            Grants::of(table.map_or(Some(LevelTable::default()), |bytes| LevelTable::parse(&bytes))?);
        // The kernel's own rows, narrowed to what agents may read.
        Some(Readable(ask(&PageKernel, ls_notebooks()).await.ok()?.visible(&grants).notebooks))
    }

    /// The names of a notebook and perhaps a document; `None` for a closed or locked notebook, and in case of doubt.
    pub async fn names(&self, notebook: &str, doc: Option<&str>) -> Option<String> {
        let name = |id: &str| self.0.iter().find(|it| it.id == id).map(|it| it.name.clone());
        let Some(doc) = doc else { return Some(place(&name(notebook)?, None)) };
        let doc = DocId::parse(doc)?;
        // It may have been moved since; its present place counts.
        let now = ask(&PageKernel, filetree::get_path_by_id(&doc)).await.ok()?;
        let notebook = name(&now.notebook)?;
        let hpath = ask(&PageKernel, filetree::get_hpath_by_id(&doc)).await.ok()?;
        Some(place(&notebook, hpath.rsplit('/').next()))
    }
}
