//! Assets: the files that notes show.

use serde::Deserialize;
use serde_json::Value;

use super::endpoints;
use crate::id::AssetPath;

endpoints! { "/api/asset/";
    /// Size and times of an asset; code 1 for one that is not there.
    read STAT_ASSET stat_asset(path: &AssetPath) -> Value = "statAsset" { "path": path };
    /// Gives a file another name, without its extension, and writes the new name into every text where the old one
    /// stands. It takes any file below `data`, so a path must be that of an asset.
    write RENAME_ASSET rename_asset(path: &AssetPath, stem: &str) -> RenamedAsset
        = "renameAsset" { "oldPath": path, "newName": stem };
}

/// Reply of `renameAsset`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenamedAsset {
    /// Where it lies now; empty when nothing was renamed.
    pub new_path: String,
}
