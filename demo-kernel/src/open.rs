//! Opens a kernel: makes its workspace, and fills it with the fixture on request.

use std::path::Path;

use crate::answer::Refusal;
use crate::endpoints::asset::used;
use crate::kernel::Kernel;
use crate::store::Store;
use crate::{Content, Options, fixture};

/// Folders of an empty workspace, below `data`.
const FOLDERS: [&str; 8] =
    [".siyuan", "assets", "emojis", "plugins", "public", "storage", "templates", "widgets"];

/// Opens a kernel over new databases, unless those of an earlier one are kept.
pub(crate) fn open(options: Options) -> Result<Kernel, String> {
    let store = if matches!(options.content, Content::Kept) { Store::open_as_it_is } else { Store::open };
    open_with(options, store)
}

/// Opens a kernel over databases that `store` creates or finds in their folder.
pub(crate) fn open_with(
    options: Options,
    store: impl FnOnce(&Path) -> Result<Store, Refusal>,
) -> Result<Kernel, String> {
    let made = |e: std::io::Error| format!("the workspace folder cannot be made: {e}");
    for folder in FOLDERS {
        std::fs::create_dir_all(options.workspace.join("data").join(folder)).map_err(made)?;
    }
    std::fs::create_dir_all(options.workspace.join("temp")).map_err(made)?;
    let workspace = options.workspace.canonicalize().map_err(made)?;
    let store = store(&workspace.join("temp")).map_err(|e| format!("database: {}", e.msg))?;
    let store = store.of(options.siyuan);
    let kernel = Kernel::new(options.siyuan, store, workspace, options.token, options.stage);
    if let Content::Fixture(folder) = options.content {
        fixture::load(&kernel, &folder)?;
    }
    used::files(&kernel).keys().for_each(|path| kernel.assets.add(path));
    Ok(kernel)
}
