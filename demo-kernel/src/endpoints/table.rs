//! The table of endpoints: one line each.

use super::handler::Handler;
use super::{
    asset, attr, av, block, broadcast, export, file, filetree, history, lute, notebook, notification, petal,
    query, repo, riff, search, setting, storage, sync, system, template, ui,
};

/// One line of the table.
pub(crate) struct Endpoint {
    path: &'static str,
    pub(crate) handler: Handler,
    /// Whether GET is answered too.
    pub(crate) get: bool,
}

const fn post(path: &'static str, handler: Handler) -> Endpoint {
    Endpoint { path, handler, get: false }
}

const fn any(path: &'static str, handler: Handler) -> Endpoint {
    Endpoint { path, handler, get: true }
}

use Handler::{Bare, File, Form, Json, Lenient, Rows};

#[rustfmt::skip]
const TABLE: &[Endpoint] = &[
    post("/api/asset/getDocAssets", Json(asset::used::of_document)),
    post("/api/asset/getDocImageAssets", Json(asset::used::images_of_document)),
    post("/api/asset/getImageOCRText", Json(asset::ocr_text)),
    post("/api/asset/getMissingAssets", Lenient(asset::used::missing)),
    post("/api/asset/getUnusedAssets", Lenient(asset::used::unused)),
    post("/api/asset/ocr", Json(asset::read_picture)),
    post("/api/asset/removeUnusedAsset", Json(asset::used::remove_one)),
    post("/api/asset/renameAsset", Json(asset::used::rename)),
    post("/api/asset/setImageOCRText", Json(asset::set_ocr_text)),
    post("/api/asset/statAsset", Json(asset::stat)),
    post("/api/asset/upload", Form(asset::upload)),

    post("/api/attr/batchGetBlockAttrs", Json(attr::batch_get)),
    post("/api/attr/batchSetBlockAttrs", Json(attr::batch_set)),
    post("/api/attr/getBlockAttrs", Json(attr::get)),
    post("/api/attr/setBlockAttrs", Json(attr::set_one)),

    post("/api/av/addAttributeViewBlocks", Json(av::change::add_rows)),
    post("/api/av/addAttributeViewKey", Json(av::change::add_key)),
    post("/api/av/appendAttributeViewDetachedBlocksWithValues", Json(av::change::append_rows)),
    post("/api/av/batchSetAttributeViewBlockAttrs", Json(av::change::set_cells)),
    post("/api/av/changeAttrViewLayout", Bare(av::change::change_layout)),
    post("/api/av/duplicateAttributeViewBlock", Json(av::change::duplicate)),
    post("/api/av/getAttributeView", Json(av::get)),
    post("/api/av/getAttributeViewBoundBlockIDsByItemIDs", Json(av::blocks_by_items)),
    post("/api/av/getAttributeViewFilterSort", Json(av::filter_sort)),
    post("/api/av/getAttributeViewItemIDsByBoundIDs", Json(av::items_by_blocks)),
    post("/api/av/getAttributeViewKeys", Json(av::keys_of_block)),
    post("/api/av/getAttributeViewKeysByAvID", Json(av::keys_by_database)),
    post("/api/av/getAttributeViewKeysByID", Json(av::keys_by_id)),
    post("/api/av/getAttributeViewPrimaryKeyValues", Json(av::primary_values)),
    post("/api/av/getMirrorDatabaseBlocks", Json(av::mirrors)),
    post("/api/av/getUnusedAttributeViews", Lenient(av::unused)),
    post("/api/av/removeAttributeViewBlocks", Json(av::change::remove_rows)),
    post("/api/av/removeAttributeViewKey", Json(av::change::remove_key)),
    post("/api/av/renderAttributeView", Bare(av::render)),
    post("/api/av/searchAttributeView", Json(av::search)),
    post("/api/av/searchAttributeViewRelationKey", Json(av::relation_keys)),
    post("/api/av/searchAttributeViewRollupDestKeys", Json(av::rollup_keys)),
    post("/api/av/setAttrViewFilters", Bare(av::change::set_filters)),
    post("/api/av/setAttrViewGroup", Bare(av::change::set_group)),
    post("/api/av/setAttrViewSorts", Bare(av::change::set_sorts)),
    post("/api/av/setAttributeViewBlockAttr", Json(av::change::set_cell)),
    post("/api/av/setDatabaseBlockView", Json(av::change::show_view)),
    post("/api/av/sortAttributeViewKey", Json(av::change::sort_key)),
    post("/api/av/sortAttributeViewViewKey", Json(av::change::sort_view_key)),

    post("/api/block/appendBlock", Json(block::write::append)),
    post("/api/block/appendDailyNoteBlock", Json(filetree::daily::append)),
    post("/api/block/batchAppendBlock", Json(block::write::batch_append)),
    post("/api/block/batchInsertBlock", Json(block::write::batch_insert)),
    post("/api/block/batchPrependBlock", Json(block::write::batch_prepend)),
    post("/api/block/batchUpdateBlock", Json(block::write::batch_update)),
    post("/api/block/batchUpdateTaskListItemMarker", Json(block::task::set_task_markers)),
    post("/api/block/checkBlockExist", Json(block::exists)),
    post("/api/block/checkBlockFold", Json(block::fold::check)),
    post("/api/block/checkBlockRef", Json(block::refs::any)),
    post("/api/block/checkBlocksExist", Json(block::all_exist)),
    post("/api/block/deleteBlock", Json(block::write::delete)),
    post("/api/block/foldBlock", Json(block::fold::fold)),
    post("/api/block/getBlockBreadcrumb", Json(block::breadcrumb)),
    post("/api/block/getBlockDOM", Json(block::block_dom)),
    post("/api/block/getBlockDOMs", Json(block::block_doms)),
    post("/api/block/getBlockDefIDsByRefText", Json(block::refs::blocks_called)),
    post("/api/block/getBlockIndex", Json(block::place::index)),
    post("/api/block/getBlockInfo", Json(block::block_info)),
    post("/api/block/getBlockKramdown", Json(block::kramdown)),
    post("/api/block/getBlockKramdowns", Json(block::kramdowns)),
    post("/api/block/getBlockRelevantIDs", Json(block::place::relevant)),
    post("/api/block/getBlockSiblingID", Json(block::place::siblings)),
    post("/api/block/getBlockTreeInfos", Json(block::tree_infos)),
    post("/api/block/getBlocksIndexes", Json(block::place::indexes)),
    post("/api/block/getBlocksWordCount", Json(block::stat::word_count)),
    post("/api/block/getChildBlocks", Json(block::child_blocks)),
    post("/api/block/getContentWordCount", Json(block::stat::content_word_count)),
    post("/api/block/getDOMText", Json(block::refs::dom_text)),
    post("/api/block/getDocInfo", Json(block::doc_info)),
    post("/api/block/getDocsInfo", Json(block::docs_info)),
    post("/api/block/getHeadingChildrenIDs", Json(block::heading_children_ids)),
    post("/api/block/getHeadingLevelTransaction", Json(block::heading::level_transaction)),
    post("/api/block/getRecentUpdatedBlocks", Json(block::recent)),
    post("/api/block/getRefIDs", Json(block::refs::ids)),
    post("/api/block/getRefText", Json(block::ref_text)),
    post("/api/block/getTailChildBlocks", Json(block::tail_child_blocks)),
    post("/api/block/getTreeStat", Json(block::stat::tree_stat)),
    post("/api/block/getUnfoldedParentID", Json(block::fold::unfolded_parent)),
    post("/api/block/insertBlock", Json(block::write::insert)),
    post("/api/block/moveBlock", Json(block::write::move_block)),
    post("/api/block/moveOutlineHeading", Json(block::heading::move_section)),
    post("/api/block/prependBlock", Json(block::write::prepend)),
    post("/api/block/prependDailyNoteBlock", Json(filetree::daily::prepend)),
    post("/api/block/swapBlockRef", Json(block::refs::swap)),
    post("/api/block/transferBlockRef", Json(block::refs::transfer_references)),
    post("/api/block/unfoldBlock", Json(block::fold::unfold)),
    post("/api/block/updateBlock", Json(block::write::update)),

    post("/api/broadcast/postMessage", Json(broadcast::post_message)),

    post("/api/export/exportAsciiDoc", Json(|kernel, args| export::documents::converted(kernel, args, ".adoc"))),
    post("/api/export/exportAttributeView", Json(export::csv::of_database)),
    post("/api/export/exportEPUB", Json(|kernel, args| export::documents::converted(kernel, args, ".epub"))),
    post("/api/export/exportMdContent", Json(export::markdown_content)),
    post("/api/export/exportMds", Json(export::documents::many)),
    post("/api/export/exportMediaWiki", Json(|kernel, args| export::documents::converted(kernel, args, ".wiki"))),
    post("/api/export/exportNotebookMd", Json(export::documents::notebook)),
    post("/api/export/exportNotebookSY", Json(export::own_format::notebook)),
    post("/api/export/exportODT", Json(|kernel, args| export::documents::converted(kernel, args, ".odt"))),
    post("/api/export/exportOPML", Json(|kernel, args| export::documents::converted(kernel, args, ".opml"))),
    post("/api/export/exportOrgMode", Json(|kernel, args| export::documents::converted(kernel, args, ".org"))),
    post("/api/export/exportRTF", Json(|kernel, args| export::documents::converted(kernel, args, ".rtf"))),
    post("/api/export/exportReStructuredText", Json(|kernel, args| export::documents::converted(kernel, args, ".rst"))),
    post("/api/export/exportSYs", Json(export::own_format::many)),
    post("/api/export/exportTextile", Json(|kernel, args| export::documents::converted(kernel, args, ".textile"))),

    post("/api/file/getFile", File(file::get_file)),
    post("/api/file/getUniqueFilename", Json(file::unique_name)),
    post("/api/file/putFile", Form(file::put_file)),
    post("/api/file/readDir", Json(file::read_dir)),
    post("/api/file/removeFile", Json(file::remove_file)),
    post("/api/file/renameFile", Json(file::rename_file)),

    post("/api/filetree/changeSort", Json(filetree::change_sort)),
    post("/api/filetree/createDailyNote", Json(filetree::daily::create)),
    post("/api/filetree/createDocWithMd", Json(filetree::create_with_markdown)),
    post("/api/filetree/doc2Heading", Json(filetree::convert::document_to_heading)),
    post("/api/filetree/duplicateDoc", Json(filetree::copy::duplicate)),
    post("/api/filetree/getHPathByID", Json(filetree::hpath_by_id)),
    post("/api/filetree/getIDsByHPath", Json(filetree::ids_by_hpath)),
    post("/api/filetree/getPathByID", Json(filetree::path_by_id)),
    post("/api/filetree/heading2Doc", Json(filetree::convert::heading_to_document)),
    post("/api/filetree/li2Doc", Json(filetree::copy::item_to_document)),
    post("/api/filetree/listDocsByPath", Json(filetree::list::by_path)),
    post("/api/filetree/moveDocsByID", Json(filetree::move_by_id)),
    post("/api/filetree/removeDocByID", Json(filetree::remove_by_id)),
    post("/api/filetree/renameDocByID", Json(filetree::rename_by_id)),

    post("/api/history/createDocHistory", Json(history::create)),
    post("/api/history/getDocHistoryContent", Json(history::content)),
    post("/api/history/getHistoryItems", Json(history::items)),
    post("/api/history/getNotebookHistory", Lenient(history::notebooks)),
    post("/api/history/reindexHistory", Lenient(history::reindex)),
    post("/api/history/rollbackDocHistory", Json(history::rollback)),
    post("/api/history/searchHistory", Json(history::times)),

    post("/api/lute/spinBlockDOM", Json(lute::spin)),

    post("/api/notebook/changeSortNotebook", Json(notebook::change_sort)),
    post("/api/notebook/closeNotebook", Json(notebook::close)),
    post("/api/notebook/createNotebook", Json(notebook::create)),
    post("/api/notebook/getNotebookConf", Json(notebook::get_conf)),
    post("/api/notebook/getNotebookInfo", Json(notebook::get_info)),
    post("/api/notebook/lsNotebooks", Lenient(notebook::list)),
    post("/api/notebook/openNotebook", Json(notebook::open)),
    post("/api/notebook/removeNotebook", Json(notebook::remove)),
    post("/api/notebook/renameNotebook", Json(notebook::rename)),
    post("/api/notebook/setNotebookConf", Json(notebook::set_conf)),
    post("/api/notebook/setNotebookIcon", Json(notebook::set_icon)),

    post("/api/notification/pushErrMsg", Json(notification::push)),
    post("/api/notification/pushMsg", Json(notification::push)),

    post("/api/petal/loadPetals", Json(petal::load)),
    post("/api/petal/setPetalEnabled", Json(petal::set_enabled)),

    post("/api/query/sql", Rows(query::sql)),

    post("/api/repo/createSnapshot", Json(repo::create)),
    post("/api/repo/getRepoSnapshots", Json(repo::list)),
    post("/api/repo/getRepoTagSnapshots", Lenient(repo::list_tagged)),
    post("/api/repo/initRepoKey", Lenient(repo::init_key)),
    post("/api/repo/tagSnapshot", Json(repo::tag)),

    post("/api/riff/addRiffCards", Json(riff::add_cards)),
    post("/api/riff/batchSetRiffCardsDueTime", Json(riff::set_due)),
    post("/api/riff/createRiffDeck", Json(riff::create_deck)),
    post("/api/riff/getNotebookRiffCards", Json(riff::cards_in_notebook)),
    post("/api/riff/getNotebookRiffDueCards", Json(riff::due_in_notebook)),
    post("/api/riff/getRiffCards", Json(riff::cards)),
    post("/api/riff/getRiffCardsByBlockIDs", Json(riff::cards_by_blocks)),
    post("/api/riff/getRiffDecks", Lenient(riff::decks)),
    post("/api/riff/getRiffDueCards", Json(riff::due)),
    post("/api/riff/getTreeRiffCards", Json(riff::cards_in_tree)),
    post("/api/riff/getTreeRiffDueCards", Json(riff::due_in_tree)),
    post("/api/riff/removeRiffCards", Json(riff::remove_cards)),
    post("/api/riff/removeRiffDeck", Json(riff::remove_deck)),
    post("/api/riff/renameRiffDeck", Json(riff::rename_deck)),
    post("/api/riff/resetRiffCards", Json(riff::reset)),
    post("/api/riff/reviewRiffCard", Json(riff::review)),
    post("/api/riff/skipReviewRiffCard", Json(riff::skip)),

    post("/api/search/fullTextSearchAssetContent", Json(search::files::asset_contents)),
    post("/api/search/fullTextSearchBlock", Json(search::full_text)),
    post("/api/search/getAssetContentByPath", Json(search::files::content_of_asset)),
    post("/api/search/removeTemplate", Json(template::remove)),
    post("/api/search/searchAsset", Json(asset::search::by_name)),
    post("/api/search/searchTemplate", Json(template::search)),
    post("/api/search/semanticSearchBlock", Json(search::by_meaning)),

    post("/api/setting/setAI", Json(setting::set_ai)),

    post("/api/sqlite/flushTransaction", Lenient(query::flush)),

    post("/api/storage/getLocalStorage", Lenient(storage::values)),
    post("/api/storage/getLocalStorageVal", Json(storage::value)),
    post("/api/storage/getLocalStorageVals", Json(storage::some_values)),
    post("/api/storage/getOutlineStorage", Json(storage::outline)),
    post("/api/storage/getRecentDocs", Lenient(storage::recent)),
    post("/api/storage/removeLocalStorageVal", Json(storage::remove_value)),
    post("/api/storage/removeLocalStorageVals", Json(storage::remove_values)),
    post("/api/storage/removeOutlineStorage", Json(storage::remove_outline)),
    post("/api/storage/setLocalStorage", Json(storage::set_all_deprecated)),
    post("/api/storage/setLocalStorageVal", Json(storage::set_value)),
    post("/api/storage/setLocalStorageVals", Json(storage::set_values)),
    post("/api/storage/setOutlineStorage", Json(storage::set_outline)),
    post("/api/storage/updateRecentDocCloseTime", Json(storage::note_closed)),
    post("/api/storage/updateRecentDocOpenTime", Json(storage::note_opened)),
    post("/api/storage/updateRecentDocViewTime", Json(storage::note_viewed)),

    post("/api/sync/getSyncInfo", Lenient(sync::info)),
    post("/api/sync/performSync", Json(sync::run)),
    post("/api/sync/setSyncEnable", Json(sync::set_enabled)),

    any("/api/system/bootProgress", Lenient(system::boot_progress)),
    post("/api/system/currentTime", Lenient(system::current_time)),
    post("/api/system/getConf", Lenient(system::get_conf)),
    post("/api/system/getWorkspaceInfo", Lenient(system::workspace_info)),
    any("/api/system/version", Lenient(system::version)),

    post("/api/template/docSaveAsTemplate", Json(template::save_document)),
    post("/api/template/render", Json(template::render)),
    post("/api/template/renderSprig", Json(template::render_sprig)),

    post("/api/transactions", Json(block::transactions::run)),
    post("/api/transactions/redo", Json(block::transactions::redo)),
    post("/api/transactions/undo", Json(block::transactions::undo)),
    post("/api/transactions/undoState", Json(block::transactions::undo_state)),

    post("/api/ui/reloadAttributeView", Json(ui::reload)),
    post("/api/ui/reloadFiletree", Lenient(ui::reload)),
    post("/api/ui/reloadProtyle", Json(ui::reload)),
    post("/api/ui/reloadTag", Lenient(ui::reload)),
];

/// The endpoint of a path.
pub(crate) fn find(path: &str) -> Option<&'static Endpoint> {
    TABLE.iter().find(|endpoint| endpoint.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_table_is_sorted_and_unique() {
        let paths: Vec<_> = TABLE.iter().map(|e| e.path).collect();
        let mut sorted = paths.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(paths, sorted);
    }
}
