//! Assets, exports and templates.

mod asset_name;
pub mod delete_assets;
pub mod delete_template;
mod everywhere;
pub mod export;
mod exported;
pub mod format;
pub mod list_assets;
pub mod list_templates;
pub mod read_asset;
pub mod read_template;
pub mod rename_asset;
pub mod render_template;
pub mod save_template;
pub mod set_asset_text;
mod templates;
#[cfg(test)]
mod testing;
mod transfer;
mod unused;
pub mod upload_asset;

actions! {
    upload_asset::UploadAsset,
    list_assets::ListAssets,
    read_asset::ReadAsset,
    rename_asset::RenameAsset,
    delete_assets::DeleteAssets,
    set_asset_text::SetAssetText,
    export::Export,
    list_templates::ListTemplates,
    read_template::ReadTemplate,
    save_template::SaveTemplate,
    render_template::RenderTemplate,
    delete_template::DeleteTemplate,
}
