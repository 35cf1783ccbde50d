//! Assets: the files that notes show.

use serde::Deserialize;
use serde_json::Value;

use super::endpoints;
use crate::id::AssetPath;

endpoints! { "/api/asset/";
    /// Size and times of an asset; code 1 if it does not exist.
    read STAT_ASSET stat_asset(path: &AssetPath) -> Value = "statAsset" { "path": path };
    /// Renames a file, keeping its extension, and replaces the old name in every text that contains it. It renames
    /// any file below `data`, so the path must be that of an asset.
    write RENAME_ASSET rename_asset(path: &AssetPath, stem: &str) -> RenamedAsset
        = "renameAsset" { "oldPath": path, "newName": stem };
}

/// Reply of `renameAsset`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenamedAsset {
    /// The new path; empty if nothing was renamed.
    pub new_path: String,
}
