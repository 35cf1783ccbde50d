//! The two worlds, one step in both of them, and the comparison afterwards.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use demo_kernel::Siyuan;
use puppy_core::activity::{CallEnd, Observer, Record, Transport};
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::error::ToolError;
use puppy_core::id::{DocId, is_node_id};
use puppy_core::part::Part;
use puppy_core::prompts::complete::ArgumentOwner;
use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use puppy_core::render::result::{Audience, error};
use puppy_core::resources::uri::Uri;
use puppy_core::resources::{ReadScope, fingerprint};
use puppy_core::spec::{ActionSpec, Hole, Tool};
use serde_json::{Map, Value, json};

use super::pools;
use crate::privacy::Picks;
use crate::world::{World, ids_in, ready, shown};

/// The notebook that nobody may read.
pub(super) const CLOSED: &str = "/Private";
/// A word of the closed notebook that no caller ever sends.
const UNKNOWN: &str = "cinnabar";
/// A document of the closed notebook in which the kernel itself writes new anchors.
const ECHO: &str = "/Private/Echo";

/// The reports to observers, as text.
#[derive(Debug, Default)]
pub(super) struct ReportLog(Mutex<Vec<String>>);

impl Observer for ReportLog {
    fn started(&self, record: &Record) {
        self.0.lock().unwrap().push(format!("{} began", record.spec.path()));
    }

    fn ended(&self, record: &Record, ended: &CallEnd) {
        self.0.lock().unwrap().push(format!("{} {ended:?}", record.spec.path()));
    }
}

/// One of the two worlds.
struct Twin {
    engine: Engine<World, ReportLog>,
    /// The content of the closed notebook.
    closed: BTreeMap<String, String>,
}

/// The outcome of a step.
#[derive(Debug, PartialEq)]
struct Outcome {
    answer: String,
    /// Sorted, because requests that run side by side have no order.
    paths: Vec<&'static str>,
    reports: Vec<String>,
}

/// Both worlds, and everything that a caller has learnt from them.
pub(super) struct Twins {
    full: Twin,
    empty: Twin,
    /// Ids from answers that had no name before: `new 0`, `new 1` ...
    pub(super) made: Vec<String>,
    /// The things that examples are about, by the names of their holes.
    desk: BTreeMap<String, String>,
    /// Values of `hash` and `next` in answers.
    pub(super) words: Vec<(&'static str, String)>,
}

impl Twins {
    pub(super) fn new() -> Twins {
        Twins::of(Siyuan::V3_7)
    }

    /// Twins of a version of SiYuan.
    pub(super) fn of(siyuan: Siyuan) -> Twins {
        type Templates = (World, World, BTreeMap<String, String>);
        static TEMPLATES: [OnceLock<Mutex<Templates>>; 2] = [OnceLock::new(), OnceLock::new()];
        let templates = TEMPLATES[usize::from(siyuan == Siyuan::V3_8)].get_or_init(|| {
            let (full, desk) = full_world(siyuan);
            let empty = full.copy();
            empty.demo.empty_notebook(empty.id(CLOSED)).unwrap();
            empty.ask("sqlite/flushTransaction", &json!({}));
            Mutex::new((full, empty, desk))
        });
        let templates = templates.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (full, empty) = (Twin::new(templates.0.copy()), Twin::new(templates.1.copy()));
        for twin in [&full, &empty] {
            // A copy starts without the snapshots of its template; a new moment makes both draw the same.
            twin.engine.kernel.pass(20);
            twin.engine.kernel.ask("repo/initRepoKey", &json!({}));
        }
        Twins { full, empty, desk: templates.2.clone(), made: Vec::new(), words: Vec::new() }
    }

    /// An example of an action, about the things on a desk in Scratch.
    pub(super) fn example(&self, spec: &ActionSpec, picks: &mut Picks) -> Map<String, Value> {
        let mut all = example::all(spec, |hole| self.desk[&hole.name()].clone());
        all.swap_remove(picks.next(all.len()))
    }

    /// The world as a caller may know it: the ids of everything, including hidden things.
    pub(super) fn world(&self) -> &World {
        &self.full.engine.kernel
    }

    /// A text with ids in place of names.
    pub(super) fn fill(&self, text: &str) -> String {
        let text = self.world().fill(text);
        self.made.iter().enumerate().fold(text, |text, (at, id)| text.replace(&format!("{{new {at}}}"), id))
    }

    /// A text with names in place of ids.
    pub(super) fn unfill(&self, text: &str) -> String {
        let named = |text: String, name: &str, id: &String| text.replace(id, &format!("{{{name}}}"));
        let text =
            self.world().names().iter().fold(text.to_owned(), |text, (name, id)| named(text, name, id));
        self.made.iter().enumerate().fold(text, |text, (at, id)| named(text, &format!("new {at}"), id))
    }

    /// Takes a step in both worlds and returns whether it succeeded; the error names the difference between the
    /// twins.
    pub(super) fn step(&mut self, step: &Value) -> Result<bool, String> {
        if let Some(deed) = step.get("person") {
            self.full.person(deed, true);
            self.empty.person(deed, false);
            return Ok(true);
        }
        let (full, empty) = (self.full.take(step), self.empty.take(step));
        let names = |text: &str| self.unfill(text);
        if full != empty {
            let (full, empty) = (names(&format!("{full:#?}")), names(&format!("{empty:#?}")));
            return Err(format!("The twins can be distinguished.\nfull: {full}\nempty: {empty}"));
        }
        if full.answer.to_lowercase().contains(UNKNOWN) {
            return Err(format!("A word of the closed notebook is shown: {}", names(&full.answer)));
        }
        for twin in [&self.full, &self.empty] {
            let now = twin.closed_now();
            if now != twin.closed {
                let changed = twin.closed.iter().filter(|(name, text)| now.get(*name) != Some(text));
                let changed: Vec<_> = changed.map(|(name, text)| (name, text, now.get(name))).collect();
                let fresh: Vec<_> = now.iter().filter(|(name, _)| !twin.closed.contains_key(*name)).collect();
                return Err(names(&format!("The closed notebook was changed: {changed:#?} {fresh:#?}")));
            }
        }
        self.learn(&full.answer);
        Ok(!full.answer.starts_with("{\"error\""))
    }

    fn learn(&mut self, answer: &str) {
        for id in ids_in(answer) {
            let known = self.made.contains(&id) || self.world().names().values().any(|it| *it == id);
            if !known {
                self.made.push(id);
            }
        }
        for key in ["hash", "next"] {
            let sign = format!("\"{key}\":\"");
            for (at, _) in answer.match_indices(&sign) {
                let word = answer[at + sign.len()..].split('"').next().unwrap_or_default();
                self.words.push((key, word.to_owned()));
            }
        }
    }
}

impl Twin {
    fn new(world: World) -> Twin {
        let mut twin = Twin { engine: Engine::new(world, ReportLog::default()), closed: BTreeMap::new() };
        twin.closed = twin.closed_now();
        twin
    }

    /// Everything stored about the closed notebook, including its level.
    fn closed_now(&self) -> BTreeMap<String, String> {
        let world = &self.engine.kernel;
        let (notebook, database, echo) = (world.id(CLOSED), world.id("database"), world.id(ECHO));
        let mut all = world.demo.dump().unwrap();
        let inside: Vec<String> = all
            .iter()
            .filter(|(name, _)| name.starts_with(&format!("{notebook}/")))
            .map(|(name, _)| name.rsplit('/').next().unwrap().trim_end_matches(".sy").to_owned())
            .collect();
        all.retain(|name, text| {
            let is_block = name.starts_with("block/") && inside.contains(text);
            // A notebook's place in the order changes whenever another is created.
            let is_conf = name.ends_with("/conf.json");
            (name.starts_with(notebook) && !is_conf) || name.contains(database) || is_block
        });
        for (name, text) in &mut all {
            if name.ends_with(&format!("{echo}.sy")) {
                text.clear();
            }
        }
        let mut conf = world.ask("notebook/getNotebookConf", &json!({ "notebook": notebook }));
        conf["conf"]["sort"].take();
        all.insert("conf".to_owned(), conf.to_string());
        all.insert("level".to_owned(), world.table().get(notebook).unwrap_or(&Value::Null).to_string());
        all
    }

    /// A person's change in the closed notebook; in the empty one it is skipped if its object does not exist.
    fn person(&mut self, deed: &Value, full: bool) {
        let world = &self.engine.kernel;
        world.pass(20);
        let id = |name: &str| json!(world.id(name));
        match deed.as_str().unwrap_or_default() {
            "writes" if full => {
                let body = json!({ "id": id("/Private/Mercury plan#1"), "dataType": "markdown", "data": "cinnabar anew" });
                world.ask("block/updateBlock", &body);
            }
            "renames" if full => {
                let body = json!({ "id": id("/Private/Mercury plan"), "title": "cinnabar plan" });
                world.ask("filetree/renameDocByID", &body);
            }
            "moves in" => {
                // A document of the open notebook, which gets its secret later.
                let doc = id("/Garden/Beds");
                let body = json!({ "fromIDs": [doc], "toID": id(CLOSED) });
                let there = world
                    .demo
                    .answer("/api/filetree/getPathByID", json!({ "id": doc }).to_string().as_bytes());
                let there: Value = serde_json::from_slice(&there.body).unwrap();
                if there["code"] == 0 {
                    world.ask("filetree/moveDocsByID", &body);
                    if full {
                        world.ask("filetree/renameDocByID", &json!({ "id": doc, "title": "cinnabar beds" }));
                    }
                }
            }
            "names" => {
                // A notebook named like a hidden document; writing in it is allowed, so the name is a person's
                // choice.
                let made =
                    world.ask("notebook/createNotebook", &json!({ "name": id("/Private/Mercury plan") }));
                let mut table = world.table();
                table.insert(made["notebook"]["id"].as_str().unwrap().to_owned(), json!("rw"));
                world.put("notebookPermissions", &Value::Object(table));
            }
            "waits" => world.pass(5_000),
            _ => {}
        }
        self.closed = self.closed_now();
    }

    fn take(&self, step: &Value) -> Outcome {
        let engine = &self.engine;
        engine.kernel.pass(step["after"].as_i64().unwrap_or(20));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let failed = |failed: ToolError| error(&failed, Audience::Model).to_string();
        let answer = if let Some(action) = step.get("call") {
            let action = text(action);
            let (tool, name) = action.split_once('.').unwrap();
            let mut arguments = step["arguments"].as_object().cloned().unwrap_or_default();
            arguments.insert("action".to_owned(), json!(name));
            let tool = Tool::named(tool).unwrap();
            let gate = if step["approved"] == false { Approval::Missing } else { Approval::Given };
            shown(&ready(engine.dispatch(
                Call {
                    tool,
                    arguments,
                    part: Part::Whole,
                    transport: Transport::Stdio,
                    client: String::new(),
                },
                &gate,
            )))
        } else if let Some(uri) = step.get("resource") {
            let read =
                Uri::parse(&text(uri)).and_then(|uri| ready(engine.read_resource(&uri, Transport::Stdio)));
            read.map_or_else(failed, |it| format!("{it:?}"))
        } else if let Some(after) = step.get("resources") {
            ready(engine.resources(after.as_str())).map_or_else(failed, |it| format!("{it:?}"))
        } else if let Some(name) = step.get("prompt") {
            let arguments = step["arguments"].as_object().cloned().unwrap_or_default();
            ready(engine.prompt(&text(name), &arguments, Transport::Stdio))
                .map_or_else(failed, |it| format!("{it:?}"))
        } else if step.get("prompts").is_some() {
            format!("{:?}", ready(engine.prompts()))
        } else if let Some(of) = step.get("complete") {
            let of = text(of);
            let of =
                if of.contains("://") { ArgumentOwner::Template(&of) } else { ArgumentOwner::Prompt(&of) };
            let found =
                ready(engine.complete(of, &text(&step["argument"]), &text(&step["typed"]), &BTreeMap::new()));
            found.map_or_else(failed, |it| format!("{it:?}"))
        } else if let Some(id) = step.get("watch") {
            let seen = async {
                let reader = engine.reader(ReadScope::Document).await?;
                let document = DocId::parse(&text(id)).ok_or_else(ToolError::not_found)?;
                Ok((fingerprint(&reader, &document).await?, engine.list_fingerprint().await?))
            };
            ready(seen).map_or_else(failed, |it| format!("{it:?}"))
        } else {
            panic!("no such step: {step}")
        };
        let mut paths = engine.kernel.take_paths();
        paths.sort_unstable();
        let reports = std::mem::take(&mut *engine.observer.0.lock().unwrap());
        Outcome { answer, paths, reports }
    }
}

/// Notebooks at each level and a full closed one. Readable notes refer to the closed one, as if written before it was
/// closed. They are in a notebook that agents may only read, because the kernel removes the id from a reference to
/// nothing when it rewrites the block.
fn full_world(siyuan: Siyuan) -> (World, BTreeMap<String, String>) {
    let mut switches = puppy_core::config::Switches::default();
    for spec in ACTIONS {
        switches.set(spec.tool, spec.name, true);
    }
    let world = World::of(siyuan)
        .file("mcpToolsConfig", &serde_json::from_str(&switches.to_json()).unwrap())
        .notebook("Garden", "rw")
        .notebook("Reading", "r")
        .notebook("Scratch", "rwd")
        .notebook("Private", "none")
        .notebook("Attic", "")
        .doc("/Private/Mercury plan", "quicksilver is a metal\n\ncinnabar is its ore #herbs#\n\n## cinnabar heat\n\n* quicksilver\n* cinnabar #quicksilver/plan#")
        .doc("/Private/Mercury plan/Vials", "> cinnabar in glass\n\n![cinnabar](assets/cinnabar.png) ![metal](assets/quicksilver.png)")
        .doc("/Garden/Plants", "green leaf #herbs#\n\n## Mint\n\npeppermint\n\n* thyme\n* sage")
        .doc("/Garden/Shelf", "words on a shelf")
        .doc("/Garden/Plants/Mint", "# Tea\n\nhot water and (({/Garden/Plants} 'Plants'))")
        .doc("/Garden/Beds", "north bed\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nsouth bed")
        .doc("/Garden/quicksilver", "a title as one that is closed")
        .doc("/Reading/Books", "first page\n\nsee (({/Private/Mercury plan} 'Mercury plan')) and (({/Private/Mercury plan#0} 'quicksilver'))\n\n[there](siyuan://blocks/{/Private/Mercury plan#0}) and (({/Garden/Plants#0} 'leaf'))")
        .doc("/Reading/Pictures", "![leaf](assets/leaf.png) ![gone](assets/gone.png)")
        .doc("/Scratch/Old", "rough (({/Garden/Plants} 'Plants'))")
        .doc("/Scratch/Old/Draft", "words\n\nmore of them")
        .doc("/Scratch/Inbox", "things\n\n* to sort\n* to drop")
        .doc("/Attic/Chest", "dust")
        .doc("/Private/Letters", "to Ana about (({/Garden/Plants} \"Plants\")) and (({/Garden/Plants#0} \"leaf\")) (({/Scratch/Old} \"Old\"))\n\ncinnabar #herbs# #cinnabar#")
        .doc("/Private/Echo", "(({/Garden/Plants} 'Plants')) (({/Garden/Plants#0} 'leaf')) (({/Garden/Beds} 'Beds'))");
    for name in [
        "/Scratch/Inbox",
        "/Scratch/Old",
        "/Scratch/Old/Draft",
        "/Garden/Plants",
        "/Garden/Plants/Mint",
        "/Garden/Beds",
        "/Private/Mercury plan",
    ] {
        world.ask("history/createDocHistory", &json!({ "id": world.id(name) }));
    }
    for (path, text) in [
        ("assets/leaf.png", &b"\x89PNG\r\n\x1a\n"[..]),
        ("assets/quicksilver.png", b"\x89PNG\r\n\x1a\n"),
        ("templates/leaf.md", b"leaf of .action{.title}"),
        (
            "templates/query.md",
            b".action{range queryBlocks \"SELECT * FROM blocks LIMIT 9\"}.action{.Content}.action{end}",
        ),
    ] {
        assert_eq!(world.demo.put_file(&format!("/data/{path}"), text).status, 200);
    }
    let id = |name: &str| json!(world.id(name));
    let set = |id: Value, attrs: Value| world.ask("attr/setBlockAttrs", &json!({ "id": id, "attrs": attrs }));
    let private = "/Private/Mercury plan";
    set(
        id(private),
        json!({ "bookmark": "later", "alias": "cinnabar", "name": "retort", "tags": "herbs,cinnabar,prompt" }),
    );
    set(
        id(&format!("{private}#0")),
        json!({ "bookmark": "cinnabar", "memo": "cinnabar", "custom-status": "cinnabar" }),
    );
    set(id("/Garden/Plants#0"), json!({ "bookmark": "later", "custom-status": "green" }));
    set(id("/Garden/Plants/Mint"), json!({ "tags": "prompt,herbs" }));
    let own = json!({ "parentID": id(CLOSED), "dataType": "markdown", "data": "cinnabar of the notebook" });
    world.ask("block/appendBlock", &own);
    let cards = pools::CARDS.map(id);
    world.ask("riff/addRiffCards", &json!({ "deckID": "20230218211946-2kw8jgx", "blockIDs": cards }));
    // A database there, with rows from there and from a readable notebook.
    let database = "20250601000000-avtable";
    let carrier =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{database}" data-av-type="table"></div>"#);
    let body = json!({ "parentID": id("/Private/Letters"), "dataType": "markdown", "data": carrier });
    let made = world.ask("block/appendBlock", &body)[0]["doOperations"][0]["id"].take();
    world.ask("av/renderAttributeView", &json!({ "id": database, "blockID": made }));
    let rows = [id(private), id("/Reading/Books")].map(|id| json!({ "id": id, "isDetached": false }));
    world.ask("av/addAttributeViewBlocks", &json!({ "avID": database, "blockID": made, "srcs": rows }));
    // Another one that may be changed, with a row of its own.
    let shelf = "20250601000000-avshelf";
    let carrier = carrier.replace(database, shelf);
    let body = json!({ "parentID": id("/Garden/Shelf"), "dataType": "markdown", "data": carrier });
    let shown = world.ask("block/appendBlock", &body)[0]["doOperations"][0]["id"].take();
    world.ask("av/renderAttributeView", &json!({ "id": shelf, "blockID": shown }));
    let row = "20250601000001-shelfro";
    let own = json!({ "itemID": row, "isDetached": true, "content": "row" });
    let rows = json!([{ "id": id("/Garden/Shelf"), "isDetached": false }, own]);
    world.ask("av/addAttributeViewBlocks", &json!({ "avID": shelf, "blockID": shown, "srcs": rows }));
    world.ask("sqlite/flushTransaction", &json!({}));
    let made = made.as_str().unwrap().to_owned();
    let world = world.named("database", database.to_owned()).named("carrier", made);
    let world = world.named("shelf", shelf.to_owned()).named("shelf row", row.to_owned());
    let desk = world.demo.desk(world.id("/Scratch"), "Desk", |_| true).unwrap();
    let thing = |hole: &Hole| desk.thing(&hole.name()).unwrap().to_owned();
    let mut table = world.table();
    table.insert(desk.thing("spare").unwrap().to_owned(), json!("rwd"));
    let world = world.file("notebookPermissions", &Value::Object(table));
    let desk: BTreeMap<String, String> = Hole::ALL.iter().map(|hole| (hole.name(), thing(hole))).collect();
    let world = desk
        .iter()
        .filter(|(name, id)| *name != "notebook" && is_node_id(id))
        .fold(world, |world, (name, id)| world.named(&format!("desk {name}"), id.clone()));
    let default = demo_kernel::Switches::default();
    let lag = demo_kernel::Switches { index_lag: 3_000, embedding: true, ..default };
    world.demo.set_switches(lag).unwrap();
    world.pass(10_000);
    // The page knows no levels: it tells of everything that is open, and of what was selected.
    let world = world.page(&json!({
        "frontend": "desktop", "text": "yes", "visible": true,
        "active": { "doc": "{/Private/Letters}", "block": "{/Private/Letters#0}", "selected": ["{/Garden/Plants#0}"] },
        "open": [{ "doc": "{/Private/Letters}" }, { "doc": "{/Garden/Plants}" }, { "doc": "{/Garden/Beds}" }],
        "databases": [database, shelf],
    }));
    (world, desk)
}
