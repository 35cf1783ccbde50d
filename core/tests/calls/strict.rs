//! Requests and replies against the API contract of SiYuan 3.8, which decodes requests strictly.
//!
//! The contract is data of the demo kernel, `demo-kernel/contract/siyuan-3.8`. Both test kernels of this crate check
//! every request body against it before they answer, so each call of each test here is covered.

use std::collections::{BTreeMap, BTreeSet};

use puppy_core::id::{AssetPath, AvId, BlockId, DeckId, DocId, NotebookId};
use puppy_core::kernel::api::transactions::{BlockPlace, ChangedAttrs, MovedBlock, RemovedBlock, Reversible};
use puppy_core::kernel::api::{
    asset, attr, av, block, export, file, filetree, history, notebook, notification, query, repo, riff,
    search, sync, system, template, transactions, ui,
};
use puppy_core::kernel::{Answer, Body, KernelError, NonEmpty, Route, TypedRequest};
use puppy_core::registry::ACTIONS;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::world::{contract, form_taken_by_3_8, taken_by_3_8};

/// The results over all endpoints.
#[derive(Default)]
struct ContractCheck {
    routes: BTreeSet<&'static str>,
    /// The endpoints whose barest reply cannot be read.
    unread: Vec<&'static str>,
}

impl ContractCheck {
    /// Checks a request against the contract and decodes the fullest and the barest reply that the contract allows.
    fn hold<R: DeserializeOwned>(&mut self, ask: TypedRequest<R>) {
        let request = ask.request();
        let route = request.route;
        self.routes.insert(route.path);
        match request.body {
            Body::Json(body) => taken_by_3_8(route.path, &body),
            Body::File { path, .. } => form_taken_by_3_8(route.path, &path),
        }
        // The reply of `getFile` is the file itself.
        let Some(full) = contract().reply(route.path, true) else { return };
        assert_eq!(read::<R>(route, &full), Ok(()), "the full reply of {}: {full}", route.path);
        let bare = contract().reply(route.path, false).unwrap();
        if read::<R>(route, &bare).is_err() {
            self.unread.push(route.path.rsplit('/').next().unwrap());
        }
    }
}

fn read<R: DeserializeOwned>(route: Route, data: &Value) -> Result<(), KernelError> {
    let body = json!({ "code": 0, "msg": "", "data": data }).to_string().into_bytes();
    Answer { status: 200, retry_after: None, body }.read::<R>(route).map(|_| ())
}

/// Changes with each operation of a transaction.
fn every_change(id: &BlockId) -> [Reversible; 3] {
    let (first, after) = (BlockPlace::FirstIn(id.clone()), BlockPlace::After(id.clone()));
    let removed = RemovedBlock { id: id.clone(), dom: "<div></div>".to_owned(), place: first.clone() };
    let moved = MovedBlock { id: id.clone(), from: first, to: after };
    let changed = BTreeMap::from([("memo".to_owned(), ("a".to_owned(), String::new()))]);
    [
        Reversible::deletion(vec![removed]).unwrap(),
        Reversible::moves(&[moved], id).unwrap(),
        Reversible::attrs([ChangedAttrs { id: id.clone(), changed }]),
    ]
}

/// For every endpoint that actions declare, with and without optional arguments, the request is accepted and the full
/// reply can be decoded.
#[test]
fn every_declared_endpoint_accepts_its_request() {
    let id = "20250101000000-aaaaaaa";
    let (doc, of) = (DocId::parse(id).unwrap(), NotebookId::parse(id).unwrap());
    let leaf = BlockId::parse(id).unwrap();
    let mut held = ContractCheck::default();

    held.hold(notebook::ls_notebooks());
    held.hold(notebook::get_notebook_info(&of));
    held.hold(notebook::get_notebook_conf(&of));
    held.hold(notebook::create_notebook("Garden"));
    held.hold(notebook::set_notebook_icon(&of, ""));
    held.hold(notebook::remove_notebook(&of));
    held.hold(notebook::rename_notebook(&of, "Garden"));
    held.hold(notebook::open_notebook(&of));
    held.hold(notebook::close_notebook(&of));
    held.hold(notebook::change_sort_notebook(NonEmpty::one(&id)));
    held.hold(notebook::set_notebook_conf(&of, &Map::from_iter([("sortMode".to_owned(), json!(4))])));

    held.hold(filetree::get_path_by_id(&leaf));
    held.hold(filetree::get_hpath_by_id(&doc));
    held.hold(filetree::get_ids_by_hpath(&of, "/A"));
    held.hold(filetree::list_docs_by_path(&of, "/"));
    for (parent, tags) in [(None, ""), (Some(&doc), "a,b")] {
        held.hold(filetree::create_doc_with_md(&doc, &of, "/A", parent, tags, ""));
    }
    held.hold(filetree::list_docs_sorted(&of, "/", 3));
    held.hold(filetree::list_all_docs(&of, "/"));
    held.hold(filetree::rename_doc_by_id(&doc, "A"));
    held.hold(filetree::duplicate_doc(&doc));
    held.hold(filetree::change_sort(&of, NonEmpty::one(&"/a.sy".to_owned())));
    held.hold(filetree::create_daily_note(&of));
    held.hold(filetree::doc_to_heading(&doc, &leaf, true));
    for after in [None, Some("/a.sy")] {
        held.hold(filetree::heading_to_doc(&leaf, &of, "/", after));
        held.hold(filetree::item_to_doc(&leaf, &of, "/", after));
    }
    held.hold(filetree::move_docs_by_id(NonEmpty::one(&doc), &doc));
    held.hold(filetree::remove_doc_by_id(&doc));
    held.hold(filetree::rename_doc_by_id(&doc, "A"));

    held.hold(block::get_child_blocks(&leaf));
    held.hold(block::get_tail_child_blocks(&leaf, 3));
    held.hold(block::get_block_kramdown(&leaf));
    held.hold(block::get_block_kramdowns(NonEmpty::one(&leaf)));
    held.hold(block::get_block_tree_infos(NonEmpty::one(&leaf)));
    held.hold(block::get_tree_stat(&doc));
    held.hold(block::check_blocks_exist(NonEmpty::one(&leaf)));
    held.hold(block::append_block(&doc, "text"));
    held.hold(block::prepend_block(&doc, "text"));
    held.hold(block::insert_dom_behind(&leaf, "<div></div>"));
    for anchor in [block::Anchor::Before(&leaf), block::Anchor::After(&leaf), block::Anchor::Into(&leaf)] {
        let new = block::NewBlock::at(anchor, "text");
        held.hold(block::insert_block(&new));
        held.hold(block::batch_insert_block(NonEmpty::one(&new)));
    }
    held.hold(block::update_block(&leaf, "text"));
    held.hold(block::update_one(&block::NewText::of(&leaf, "text").keeping_type()));
    held.hold(block::batch_update_block(NonEmpty::one(&block::NewText::of(&leaf, "text"))));
    held.hold(transactions::delete_blocks(NonEmpty::one(&leaf)));
    held.hold(block::get_block_doms(&[leaf.as_str()]));
    held.hold(block::get_block_breadcrumb(&leaf));
    held.hold(block::get_blocks_word_count(NonEmpty::one(&leaf)));
    held.hold(block::get_heading_level_transaction(&leaf, 2));
    held.hold(block::insert_doms_behind(NonEmpty::one(&(leaf.clone(), "<div></div>".to_owned()))));
    held.hold(transactions::update_doms(NonEmpty::one(&(leaf.clone(), "<div></div>".to_owned()))));
    held.hold(transactions::refresh(NonEmpty::one(&leaf)));
    for change in every_change(&leaf) {
        held.hold(transactions::change_blocks(&change, 1));
    }
    held.hold(block::fold_block(&leaf));
    held.hold(block::unfold_block(&leaf));
    held.hold(block::transfer_block_ref(&leaf, &leaf, NonEmpty::one(&leaf)));
    held.hold(block::swap_block_ref(&leaf, &leaf, true));
    held.hold(block::append_daily_note_block(&of, "text"));
    held.hold(block::prepend_daily_note_block(&of, "text"));
    for (previous, parent) in [(Some(&leaf), None), (None, Some(&leaf)), (None, None)] {
        held.hold(block::move_outline_heading(&leaf, previous, parent));
    }
    for (previous, parent) in [(Some(&leaf), None), (None, Some(&leaf))] {
        held.hold(block::move_block(&leaf, previous, parent));
    }
    let marker = block::TaskMarker::of(&leaf, "X");
    held.hold(block::batch_update_task_list_item_marker(NonEmpty::one(&marker)));

    held.hold(attr::get_block_attrs(&leaf));
    held.hold(attr::set_block_attrs(&leaf, &Map::from_iter([("custom-a".to_owned(), json!("b"))])));
    held.hold(attr::batch_set_block_attrs(NonEmpty::one(&attr::NewAttrs::of(&leaf, "tags", "a"))));
    let removed = attr::NewAttrs::all(&leaf, [("memo", None)]);
    held.hold(attr::batch_set_block_attrs(NonEmpty::one(&removed)));
    held.hold(attr::batch_get_block_attrs(NonEmpty::one(&leaf)));

    let database = AvId::parse(id).unwrap();
    held.hold(av::get_attribute_view(&database));
    let value = json!({ "number": { "content": 1, "isNotEmpty": true } });
    let cell = av::NewCell { column: id.to_owned(), row: id.to_owned(), value };
    held.hold(av::set_cells(&database, NonEmpty::one(&cell)));
    held.hold(av::render_view(&database, id));
    held.hold(av::make_database(&database, id));
    let place = av::RowPlace { view: id, group: "", previous: "", fill: true };
    for block in [None, Some(leaf.clone())] {
        let content = block.is_none().then(|| "Mint".to_owned());
        let row = av::NewRow { row: id.to_owned(), detached: block.is_none(), id: block, content };
        held.hold(av::add_rows(&database, place, NonEmpty::one(&row)));
    }
    held.hold(av::remove_rows(&database, NonEmpty::one(&id.to_owned())));
    held.hold(av::duplicate(&database));
    held.hold(av::change(NonEmpty::one(&av::Operation::rename(&database, "Plants"))));
    held.hold(block::insert_behind(&leaf, "text"));
    let image = AssetPath::parse("assets/image.png").unwrap();
    held.hold(asset::stat_asset(&image));
    held.hold(asset::rename_asset(&image, "picture"));
    held.hold(asset::get_doc_assets(&doc));
    held.hold(asset::get_doc_image_assets(&doc));
    held.hold(asset::get_unused_assets());
    held.hold(asset::get_missing_assets());
    held.hold(asset::remove_unused_asset(&image));
    held.hold(asset::get_image_ocr_text(&image));
    held.hold(asset::set_image_ocr_text(&image, "text"));
    held.hold(asset::ocr(&image));
    held.hold(search::get_asset_content_by_path(&image));

    held.hold(template::search_template(""));
    let listed = json!({ "path": "/x/data/templates/a.md", "content": "", "relativePath": "a.md" });
    held.hold(template::remove_template(&serde_json::from_value(listed).unwrap()));

    held.hold(export::export_mds(NonEmpty::one(&doc)));
    held.hold(export::export_notebook_md(&of));
    held.hold(export::export_sys(NonEmpty::one(&doc)));
    held.hold(export::export_notebook_sy(&of));
    held.hold(export::export_attribute_view(&database, &leaf));
    for route in export::CONVERTED {
        held.hold(export::converted(*route, &doc));
    }

    held.hold(query::sql("SELECT 1 LIMIT 1"));
    held.hold(query::flush_transaction());
    let (paths, types) = (["/".to_owned()], ["document"]);
    for (paths, types) in [(None, None), (NonEmpty::of(&paths), NonEmpty::of(&types))] {
        let words =
            search::FullText { query: "a", method: 0, group: 0, order: 0, page: 1, size: 10, paths, types };
        held.hold(search::full_text_search_block(&words));
    }
    for paths in [None, NonEmpty::of(&paths)] {
        let near = search::ByMeaning { query: "a", size: 10, paths, types: NonEmpty::one(&"document") };
        held.hold(search::semantic_search_block(&near));
    }
    let endings = [".png".to_owned()];
    held.hold(search::search_asset("a", None));
    held.hold(search::full_text_search_asset_content("a", 0, 0, None, 10));
    held.hold(search::full_text_search_asset_content("a", 3, 3, NonEmpty::of(&endings), 10));
    held.hold(search::search_asset("a", NonEmpty::of(&endings)));
    let deck = DeckId::built_in();
    held.hold(riff::get_riff_decks());
    held.hold(riff::create_riff_deck("Botany"));
    held.hold(riff::get_riff_cards(&deck));
    held.hold(riff::get_notebook_riff_cards(&of));
    held.hold(riff::get_tree_riff_cards(&doc));
    held.hold(riff::get_riff_cards_by_block_ids(NonEmpty::one(&leaf)));
    held.hold(riff::get_riff_due_cards(&deck));
    held.hold(riff::get_notebook_riff_due_cards(&of));
    held.hold(riff::get_tree_riff_due_cards(&doc));
    held.hold(riff::add_riff_cards(&deck, NonEmpty::one(&leaf)));
    held.hold(riff::remove_riff_cards(&deck, NonEmpty::one(&leaf)));
    held.hold(riff::review_riff_card(&deck, id, 3));
    held.hold(riff::skip_review_riff_card(&deck, id));
    held.hold(riff::batch_set_riff_cards_due_time(NonEmpty::one(&riff::NewDue::of(id, "20300406000000"))));
    held.hold(riff::reset_riff_cards(&deck, NonEmpty::one(&leaf)));
    held.hold(history::create_doc_history(&doc));
    for notebook in [None, Some(&of)] {
        let asked = history::VersionQuery { query: id, notebook, op: "all" };
        held.hold(history::search_history(&asked, 1));
        held.hold(history::get_history_items(&asked, "1"));
    }
    held.hold(history::rollback_doc_history("/history/x.sy"));
    held.hold(template::render_sprig("/{{now}}"));
    held.hold(system::version());
    held.hold(system::current_time());
    held.hold(system::get_conf());
    held.hold(notification::push_msg("a", 7_000));
    held.hold(notification::push_err_msg("a", 7_000));
    held.hold(ui::reload_protyle(&doc));
    held.hold(ui::reload_attribute_view(&database));
    held.hold(ui::reload_filetree());
    held.hold(ui::reload_tag());
    held.hold(sync::perform_sync());
    held.hold(sync::get_sync_info());
    held.hold(repo::create_snapshot("a"));
    held.hold(repo::get_repo_snapshots(1));
    held.hold(repo::get_repo_tag_snapshots());
    held.hold(repo::tag_snapshot(id, "a"));
    held.hold(file::get_file("/data/x"));
    held.hold(file::read_dir("/data"));
    held.hold(file::rename_file("/data/x", "/data/y"));
    held.hold(file::remove_file("/data/x"));
    held.hold(file::put_file("/data/x", Vec::new()));

    let asked = ACTIONS.iter().flat_map(|it| it.calls).map(|it| it.path);
    let missing: BTreeSet<&str> = asked.filter(|it| !held.routes.contains(it)).collect();
    assert!(missing.is_empty(), "add these endpoints to this test: {missing:?}");
    for route in &held.routes {
        assert!(contract().endpoints.contains_key(*route), "{route} is not in the contract");
    }
    // Null in place of the requested object is an error; null in place of a list is an empty list.
    let unread = [
        "lsNotebooks",
        "getNotebookInfo",
        "getNotebookConf",
        "createNotebook",
        "getTreeStat",
        "getBlocksWordCount",
        "getConf",
    ];
    assert_eq!(held.unread, unread);
}

/// The page asks the kernel itself in a few places; each of those endpoints is in the contract too.
#[test]
#[expect(clippy::disallowed_methods, reason = "the scripts are counted where they lie")]
fn every_endpoint_of_the_page_is_in_the_contract() {
    let scripts = [
        include_str!("../../../index.js"),
        include_str!("../../../desktop/assistant.js"),
        include_str!("../../../desktop/fetch.js"),
        include_str!("../../../desktop/keeper.js"),
        include_str!("../../../desktop/options.js"),
        include_str!("../../../desktop/place.js"),
        include_str!("../../../desktop/program.js"),
        include_str!("../../../desktop/record.js"),
        include_str!("../../../page/ai.js"),
        include_str!("../../../page/native.js"),
    ];
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../desktop")).unwrap();
    assert_eq!(folder.count() + 3, scripts.len(), "a script is missing here");
    let asked: BTreeSet<&str> =
        scripts.iter().flat_map(|script| script.split('"').filter(|it| it.starts_with("/api/"))).collect();
    let missing: Vec<&&str> = asked.iter().filter(|it| !contract().endpoints.contains_key(**it)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(asked.len(), 6, "{asked:?}");
}

/// The contract accepts the assistant's servers as the page writes them: a whole entry, and settings of any age.
#[test]
fn entries_of_the_assistant_are_taken() {
    let entry = json!({
        "name": "siyuan-mcp-puppy", "enabled": true, "type": "stdio", "command": "/bin/siyuan-puppy",
        "args": ["stdio"], "url": "", "headers": {}, "timeout": 30,
    });
    taken_by_3_8(
        "/api/setting/setAI",
        &json!({ "mcp": { "servers": [entry] }, "vision": { "modelId": "" } }),
    );
    let wrong = json!({ "mcp": { "servers": [{ "enabled": "yes" }] } });
    assert!(contract().check("/api/setting/setAI", &wrong).unwrap_err().contains("[enabled]"));
}

/// The tools of SiYuan's agent, as the tests of the page list them, have the form of the contract.
#[test]
fn tools_of_the_assistant_are_listed_as_in_3_8() {
    let path = "/api/ai/lsCapabilities";
    taken_by_3_8(path, &json!({}));
    let mut tools: Value =
        serde_json::from_str(include_str!("../../../e2e/support/native-tools.json")).unwrap();
    assert_eq!(contract().check_reply(path, &tools), Ok(()));
    tools[0]["available"] = json!("yes");
    assert!(contract().check_reply(path, &tools).unwrap_err().contains("available"));
}

/// A null list of operations is an empty one: nothing was written.
#[test]
fn null_list_decodes_as_empty() {
    let leaf = BlockId::parse("20250101000000-aaaaaaa").unwrap();
    let wrote = |ask: TypedRequest<Vec<block::Transaction>>| {
        let data = json!([{ "timestamp": 1, "doOperations": null, "undoOperations": null }]);
        assert_eq!(contract().check_reply(ask.route().path, &data), Ok(()));
        let body = json!({ "code": 0, "msg": "", "data": data }).to_string().into_bytes();
        Answer { status: 200, retry_after: None, body }.read::<Vec<block::Transaction>>(ask.route())
    };
    assert!(wrote(block::append_block(&leaf, "text")).unwrap()[0].do_operations.is_empty());
}
