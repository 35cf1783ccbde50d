//! The places at which a call may create documents that neither it nor SiYuan's answer names, as they were before it.
//!
//! SiYuan creates the missing documents above a new one, and today's note. Only a look before the call tells them from
//! documents that were there: the times in ids are those of several clocks.

use std::collections::BTreeSet;

use super::look::DocumentFile;
use crate::id::{DocId, NotebookId};
use crate::kernel::api::filetree;
use crate::kernel::{self, Kernel};

/// The maximum number of places that are looked at before a call.
const MOST: usize = 64;

/// Places with the documents that were there.
#[derive(Debug, Clone, Default)]
pub(super) struct Foreseen {
    /// The notebooks and hpaths that were read.
    read: BTreeSet<(String, String)>,
    /// The ids of the documents there.
    present: BTreeSet<String>,
}

impl Foreseen {
    /// Reads what is at these hpaths and above them.
    pub(super) async fn look(kernel: &dyn Kernel, paths: BTreeSet<(NotebookId, String)>) -> Foreseen {
        let mut all = BTreeSet::new();
        for (notebook, hpath) in paths {
            let parts = hpath.split('/').map(str::trim).filter(|it| !it.is_empty());
            let mut above = String::new();
            for part in parts {
                above = format!("{above}/{part}");
                all.insert((notebook.clone(), above.clone()));
            }
        }
        let mut foreseen = Foreseen::default();
        for (notebook, hpath) in all.into_iter().take(MOST) {
            // Without an answer nothing there counts as created.
            if let Ok(ids) = kernel::ask(kernel, filetree::get_ids_by_hpath(&notebook, &hpath)).await {
                foreseen.present.extend(ids.iter().map(ToString::to_string));
                foreseen.read.insert((notebook.to_string(), hpath));
            }
        }
        foreseen
    }

    /// Whether a document was created at one of the places since.
    pub(super) async fn has_new(&self, kernel: &dyn Kernel, id: &str, now: Option<&DocumentFile>) -> bool {
        let (Some(now), Some(doc)) = (now, DocId::parse(id)) else { return false };
        if self.read.is_empty() || self.present.contains(id) {
            return false;
        }
        let hpath = kernel::ask(kernel, filetree::get_hpath_by_id(&doc)).await;
        hpath.is_ok_and(|it| self.read.contains(&(now.notebook.clone(), it)))
    }
}
