//! Tests of lists of targets of every kind, over a kernel that counts its requests.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;
use serde_json::{Value, json};

use super::Resolver;
use crate::config::{Cache, Policy};
use crate::error::{ErrorType, ToolError};
use crate::id::{AssetPath, AvId, BlockId, DocId, NotebookRef};
use crate::kernel::{Boxed, Kernel};
use crate::path::WorkspacePath;
use crate::permission::{Level, Need, Places, Scope, ScopeSource, Target};
use crate::plan::Action;
use crate::spec::{ActionSpec, Effect};
use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE};

static READS: ActionSpec = crate::tools::block::get::Get::SPEC;

fn id(word: &str, at: usize) -> String {
    format!("20250101000000-{word}{at:03}")
}

/// Blocks `see….` lie in Garden, `hid….` in Private, all others nowhere.
fn kernel() -> FakeKernel {
    let notebook = |id: &str| match id.get(15..18) {
        Some("see") => Some(GARDEN),
        Some("hid") => Some(PRIVATE),
        _ => None,
    };
    FakeKernel::new()
        .answer("/api/sqlite/flushTransaction", |_| Value::Null)
        .answer("/api/filetree/getPathByID", move |ask| {
            let id = ask["id"].as_str().unwrap_or_default();
            match notebook(id) {
                Some(notebook) => json!({ "notebook": notebook, "path": format!("/{id}.sy") }),
                None => json!({ "code": -1, "msg": "tree not found", "data": null }),
            }
        })
        .answer("/api/filetree/getIDsByHPath", |_| json!([]))
        .answer("/api/query/sql", move |ask| {
            let stmt = ask["stmt"].as_str().unwrap_or_default();
            if stmt.contains("FROM assets") {
                return json!([{ "asset": "assets/a.png", "box": GARDEN }, { "asset": "assets/a.png", "box": PRIVATE }, { "asset": "assets/b.png", "box": PRIVATE }]);
            }
            let row = |id: &str| Some(json!({ "id": id, "box": notebook(id)?, "path": format!("/{id}.sy") }));
            stmt.split('\'').filter(|it| it.len() == 22).filter_map(row).collect()
        })
}

fn find(kernel: &FakeKernel, needs: &[Need]) -> Result<Places, ToolError> {
    find_for(&READS, kernel, needs)
}

fn find_for(spec: &'static ActionSpec, kernel: &FakeKernel, needs: &[Need]) -> Result<Places, ToolError> {
    let cache = Cache::default();
    let scope = Policy::read(kernel).now_or_never().unwrap().scope;
    let mut resolver = Resolver { kernel, source: &cache, scope, spec };
    resolver.find(needs).now_or_never().unwrap()
}

fn listed(targets: impl IntoIterator<Item = Target>) -> Vec<Need> {
    let need = |(at, target): (usize, Target)| Need {
        listed: true,
        ..Need::new(format!("ids[{at}]"), target, Level::Read)
    };
    targets.into_iter().enumerate().map(need).collect()
}

fn blocks(word: &str, n: usize) -> Vec<Target> {
    (0..n).map(|at| Target::Block(BlockId::parse(&id(word, at)).unwrap())).collect()
}

fn paths(kernel: &FakeKernel) -> Vec<&'static str> {
    kernel.asked().into_iter().map(|(path, _)| path).collect()
}

/// B-055: a long list costs a few requests, and hidden targets cost as many as missing ones.
#[test]
fn list_of_any_length_resolves_in_few_requests() {
    let of = |word: &str| {
        let kernel = kernel();
        let needs = listed(blocks("seen", 700).into_iter().chain(blocks(word, 500)));
        let places = find(&kernel, &needs).unwrap();
        assert_eq!((places.found.len(), places.missing.len()), (700, 500));
        paths(&kernel)
    };
    let (hidden, missing) = (of("hide"), of("none"));
    assert_eq!(hidden, missing);
    assert_eq!(hidden.len(), 1 + 3, "{hidden:?}");
}

/// An action that some arguments turn into more than a reader never goes on with half of its list.
#[test]
fn missing_targets_are_left_out_for_readers_only() {
    static EXPORTS: ActionSpec = crate::tools::file::export::Export::SPEC;
    assert!(EXPORTS.effect == Effect::Read && EXPORTS.worst > Effect::Read);
    for word in ["hide", "none"] {
        let needs = listed(blocks("seen", 2).into_iter().chain(blocks(word, 1)));
        assert_eq!(find_for(&READS, &kernel(), &needs).unwrap().missing.len(), 1);
        let refused = find_for(&EXPORTS, &kernel(), &needs).unwrap_err();
        assert_eq!(refused.kind, ErrorType::NotFound);
        assert_eq!(refused.details["missing"], json!([id(word, 0)]));
    }
}

/// A few misses are retried: the index may have been late.
#[test]
fn few_missing_ids_are_looked_up_again() {
    let of = |word: &str| {
        let kernel = kernel();
        find(&kernel, &listed(blocks("seen", 60).into_iter().chain(blocks(word, 4)))).unwrap();
        paths(&kernel)
    };
    assert_eq!(of("hide"), of("none"));
    assert_eq!(of("none").iter().filter(|it| it.ends_with("getPathByID")).count(), 4);
}

/// A source that counts how often it is read.
#[derive(Default)]
struct Counted(Cache, AtomicUsize);

impl ScopeSource for Counted {
    fn read_again<'a>(&'a self, kernel: &'a dyn Kernel, than: &'a Arc<Scope>) -> Boxed<'a, Arc<Scope>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read_again(kernel, than)
    }

    fn forget(&self) -> Boxed<'_, ()> {
        self.0.forget()
    }
}

/// Only a notebook that the list lacks is a reason to read the list again; the id of a document is none.
#[test]
fn a_document_by_its_id_reads_no_notebooks() {
    let read = |path: &str| {
        let (kernel, source) = (kernel(), Counted::default());
        let scope = Policy::read(&kernel).now_or_never().unwrap().scope;
        let mut resolver = Resolver { kernel: &kernel, source: &source, scope, spec: &READS };
        let need = Need::new("path", Target::from(&WorkspacePath::parse(path).unwrap()), Level::Read);
        let found = resolver.find(&[need]).now_or_never().unwrap().is_ok();
        (found, source.1.load(Ordering::Relaxed))
    };
    assert_eq!(read("/Garden/x"), (true, 0));
    assert_eq!(read("/Nowhere/x"), (false, 1));
    assert_eq!(read(&id("seen", 1)), (true, 0));
    assert_eq!((read(&id("hide", 1)), read(&id("none", 1))), ((false, 0), (false, 0)));
}

/// A list resolves by the kind of its items, whatever else the call names.
#[test]
fn lists_of_every_id_type_resolve() {
    let kernel = kernel();
    let notebook = |name: &str| Target::Notebook(NotebookRef(name.to_owned()));
    let path = |text: &str| Target::from(&WorkspacePath::parse(text).unwrap());
    let asset = |text: &str| Target::Asset(AssetPath::parse(text).unwrap());
    let needs = listed([
        notebook("Garden"),
        Target::Block(BlockId::parse(&id("seen", 1)).unwrap()),
        notebook(ATTIC),
        notebook("Private"),
        path("/Garden"),
        path("/Private/x"),
        path("/Attic/New"),
        asset("assets/a.png"),
        asset("assets/b.png"),
        asset("assets/c.png"),
        Target::Av(AvId::parse(&id("none", 1)).unwrap()),
        Target::Doc(DocId::parse(&id("hide", 1)).unwrap()),
    ]);
    let places = find(&kernel, &needs).unwrap();
    let found: Vec<String> = places.found.iter().map(|(target, _)| target.name()).collect();
    assert_eq!(found, ["Garden", id("seen", 1).as_str(), ATTIC, "/Garden", "/Attic/New", "assets/a.png"]);
    // Only the open notebook is named for an asset that a closed one uses too.
    let uses = places.whole(&asset("assets/a.png")).unwrap().places();
    let notebooks: BTreeSet<&str> = uses.iter().map(|it| it.notebook.as_str()).collect();
    assert_eq!(notebooks, BTreeSet::from([GARDEN]));
}

/// B-081: an error names the argument, and inside a list the place.
#[test]
fn resolve_errors_name_the_argument() {
    let named = |needs: &[Need], kernel: FakeKernel| {
        let error = find(&kernel, needs).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation, "{error:?}");
        error.fields.into_iter().map(|it| it.field).collect::<Vec<_>>()
    };
    let block = kernel().answer(
        "/api/filetree/getPathByID",
        |_| json!({ "notebook": GARDEN, "path": format!("/{}.sy", id("seen", 9)) }),
    );
    let parent = Need::new("parent", Target::Doc(DocId::parse(&id("seen", 1)).unwrap()), Level::Read);
    assert_eq!(named(&[parent], block), ["parent"]);
    let book = |id: &str| json!({ "id": id, "name": "Twice" });
    let twice = || {
        kernel()
            .answer("/api/notebook/lsNotebooks", move |_| json!({ "notebooks": [book(GARDEN), book(ATTIC)] }))
    };
    let notebook = || Target::Notebook(NotebookRef("Twice".to_owned()));
    assert_eq!(named(&[Need::new("into", notebook(), Level::Read)], twice()), ["into"]);
    let known = Target::Notebook(NotebookRef(GARDEN.to_owned()));
    assert_eq!(named(&listed([known, notebook()]), twice()), ["ids[1]"]);
    let path = Target::from(&WorkspacePath::parse("/Twice/x").unwrap());
    assert_eq!(named(&[Need::new("to", path, Level::Read)], twice()), ["to"]);
    let several = kernel().answer("/api/filetree/getIDsByHPath", |_| json!([id("seen", 1), id("seen", 2)]));
    let path = Target::from(&WorkspacePath::parse("/Garden/x").unwrap());
    assert_eq!(named(&[Need::new("from", path, Level::Read)], several), ["from"]);
}
