//! Assets, exports and templates.

pub mod rename_asset;
