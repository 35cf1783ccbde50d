//! The file of the servers: read, and changed as it is at that moment, one change after the other.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::state::servers::CONNECTIONS_FILE;
use puppy_core::kernel::files;
use puppy_mcp_client::saved::File;
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::{StorageTrouble, content};

type Edit = Box<dyn FnOnce(&mut File)>;

/// The changes on their way to the file; clones share them.
#[derive(Clone, Default)]
pub(crate) struct EditQueue(Rc<PendingEdits>);

#[derive(Default)]
struct PendingEdits {
    edits: RefCell<Vec<Edit>>,
    is_saving: Cell<bool>,
}

impl EditQueue {
    /// Changes the file and reports the outcome to `done`. The work continues after the playground is left.
    pub(crate) fn change(self, edit: Edit, done: impl Fn(Option<StorageTrouble>) + 'static) {
        self.0.edits.borrow_mut().push(edit);
        if self.0.is_saving.replace(true) {
            return;
        }
        host::spawn(async move {
            loop {
                let edits = self.0.edits.take();
                if edits.is_empty() {
                    break;
                }
                done(save(edits).await.err());
            }
            self.0.is_saving.set(false);
        });
    }
}

async fn save(edits: Vec<Edit>) -> Result<(), StorageTrouble> {
    let mut file = read().await?;
    edits.into_iter().for_each(|edit| edit(&mut file));
    Ok(files::write(&PageKernel, &files::stored(CONNECTIONS_FILE), file.to_json().into_bytes()).await?)
}

/// Reads the file; an empty one where there is none.
pub(crate) async fn read() -> Result<File, StorageTrouble> {
    content(files::read(&PageKernel, &files::stored(CONNECTIONS_FILE)).await?, File::parse)
}
