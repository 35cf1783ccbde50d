//! Assets: the files that notes show.

use serde::Deserialize;
use serde_json::Value;

use super::endpoints;
use crate::id::{AssetPath, DocId};

endpoints! { "/api/asset/";
    /// Size and times of an asset; code 1 if it does not exist.
    read STAT_ASSET stat_asset(path: &AssetPath) -> AssetStat = "statAsset" { "path": path };
    /// Renames a file, keeping its extension, and replaces the old name in every text that contains it. It renames
    /// any file below `data`, so the path must be that of an asset.
    write RENAME_ASSET rename_asset(path: &AssetPath, stem: &str) -> RenamedAsset
        = "renameAsset" { "oldPath": path, "newName": stem };
    /// Paths of the assets that a document shows, each once.
    optional GET_DOC_ASSETS get_doc_assets(id: &DocId) -> Option<Vec<String>>
        = "getDocAssets" { "id": id, "retainQueryStr": false };
    /// Addresses of the images that a document shows, of other sites too, one for each time.
    optional GET_DOC_IMAGE_ASSETS get_doc_image_assets(id: &DocId) -> Option<Vec<String>>
        = "getDocImageAssets" { "id": id };
    /// Assets that no document shows, at most 512, folders among them. Some of them are in use all the same.
    optional GET_UNUSED_ASSETS get_unused_assets() -> Option<Vec<Option<ListedAsset>>> = "getUnusedAssets" {};
    /// Assets that documents of any notebook show and that are not there.
    optional GET_MISSING_ASSETS get_missing_assets() -> Option<Vec<Option<ListedAsset>>>
        = "getMissingAssets" {};
    /// Removes a file; history keeps it. It removes any file or folder below `data`, used or not.
    silent REMOVE_UNUSED_ASSET remove_unused_asset(path: &AssetPath) -> Value
        = "removeUnusedAsset" { "path": path };
    /// The text that was recognised in an image; empty for a missing one.
    read GET_IMAGE_OCR_TEXT get_image_ocr_text(path: &AssetPath) -> OcrText = "getImageOCRText" { "path": path };
    /// Sets the text of an image.
    silent SET_IMAGE_OCR_TEXT set_image_ocr_text(path: &AssetPath, text: &str) -> ()
        = "setImageOCRText" { "path": path, "text": text };
    /// Reads the text of an image with the program that the person has set up; code -1 without one.
    write OCR ocr(path: &AssetPath) -> OcrText = "ocr" { "path": path };
}

/// Reply of `statAsset`.
#[derive(Debug, Deserialize)]
pub struct AssetStat {
    /// Bytes.
    pub size: u64,
    /// The time of its last change, in milliseconds since 1970.
    #[serde(default)]
    pub updated: u64,
}

/// An asset of a list.
#[derive(Debug, Deserialize)]
pub struct ListedAsset {
    /// Its path; a folder's too.
    pub item: String,
}

/// Reply of `ocr` and `getImageOCRText`.
#[derive(Debug, Deserialize)]
pub struct OcrText {
    #[serde(default)]
    pub text: String,
}

/// Reply of `renameAsset`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenamedAsset {
    /// The new path; empty if nothing was renamed.
    pub new_path: String,
}
