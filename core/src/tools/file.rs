//! Assets, exports and templates.

pub mod rename_asset;

actions! {
    rename_asset::RenameAsset,
}
