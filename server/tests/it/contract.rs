//! Every declared action at every level: permission, the requests it makes, and previews that change nothing.

use demo_kernel::{Caller, Siyuan, Switches};
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::kernel::Nature;
use puppy_core::kernel::api::{file, query};
use puppy_core::output::Reply;
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result::{Audience, error, texts};
use puppy_core::spec::{Access, ActionSpec, Danger, Effect, Kind, Needs, Param, Tool, Verb};
use serde_json::{Map, Value, json};

use crate::desk::{Desk, examples};
use crate::world::{CANARY, Frozen, Silent, World, call_as};

pub(crate) const LEVELS: [Level; 4] = [Level::None, Level::Read, Level::Write, Level::Delete];

/// A world with the notebook Desk at a level, every other notebook closed, and every action enabled.
pub(crate) async fn desk_world(level: Level) -> (World, String) {
    desk_in(World::new().await, level).await
}

pub(crate) async fn desk_in(world: World, level: Level) -> (World, String) {
    let made = world.raw("/api/notebook/createNotebook", json!({ "name": "Desk" })).await;
    let notebook = made["notebook"]["id"].as_str().unwrap().to_owned();
    world.set_table(&world.only(&notebook, level.word()).await).await;
    let mut switches: Map<String, Value> = Map::new();
    for spec in ACTIONS {
        let tool =
            switches.entry(spec.tool.name()).or_insert_with(|| json!({ "enabled": true, "actions": {} }));
        tool["actions"][spec.name] = json!(true);
    }
    world.set_switches(&Value::Object(switches)).await;
    // A person has set these up.
    world.raw("/api/repo/initRepoKey", json!({})).await;
    world.raw("/api/sync/setSyncEnable", json!({ "enabled": true })).await;
    let default = demo_kernel::Switches::default();
    world.kernel.set_switches(demo_kernel::Switches { embedding: true, ..default }).unwrap();
    (world, notebook)
}

fn engine(world: &World) -> Engine<Frozen, Silent> {
    Engine::new(Frozen(world.http.clone()), Silent)
}

/// Whether a level suffices for a call, judged by the declaration alone.
pub(crate) fn suffices(spec: &ActionSpec, arguments: &Map<String, Value>, level: Level) -> bool {
    let targets = spec.leveled().filter(|(param, _)| arguments.contains_key(param.name));
    let of_targets = targets.filter_map(|(_, needed)| needed).all(|needed| level >= needed);
    let of_workspace = match spec.access {
        Access::Targets | Access::Workspace(Level::Read) => true,
        // The things it would change are in the notebook Desk.
        Access::Workspace(needed) => level >= needed,
        // There is the notebook Other.
        Access::Some(_) => true,
    };
    // Content that is inserted into a document changes that document.
    let inserts = arguments.get("insert") == Some(&json!(true));
    // Words of a note are lost with their tag.
    let drops = arguments.get("words") == Some(&json!("drop"));
    // An errand with deletions needs the level at which they are allowed.
    let deletes = arguments.get("deletes").and_then(Value::as_u64).is_some_and(|it| it > 0);
    let removes = drops || deletes;
    of_targets && of_workspace && (!inserts || level >= Level::Write) && (!removes || level >= Level::Delete)
}

/// Whether the action changes an asset, or another file of the whole workspace, which is forbidden while any notebook
/// is closed (B-057).
pub(crate) fn changes_assets(spec: &ActionSpec) -> bool {
    let of_files = spec.tool == Tool::File && spec.access == Access::Workspace(Level::Delete);
    of_files || spec.leveled().any(|(param, level)| param.kind == Kind::Asset && level > Some(Level::Read))
}

/// Whether the kernel would read every notebook for the call, which is forbidden while any is closed: its own exporter,
/// and its search for a pattern in assets.
pub(crate) fn reads_everything(spec: &ActionSpec, arguments: &Map<String, Value>) -> bool {
    let is = |name: &str, value: &str| arguments.get(name).is_some_and(|it| it == value);
    match spec.path().as_str() {
        "file.export" => arguments.contains_key("format") && !is("format", "md"),
        "search.asset_content" => is("match", "regex"),
        _ => false,
    }
}

/// The number of targets in the call, and whether each was sent in a list.
fn targets(spec: &ActionSpec, arguments: &Map<String, Value>) -> (usize, bool) {
    let things = |param: &Param| arguments.get(param.name).and_then(Value::as_array).map_or(1, Vec::len);
    let sent: Vec<Param> = spec
        .params()
        .filter(|param| param.needs != Needs::Nothing && arguments.contains_key(param.name))
        .collect();
    (sent.iter().map(things).sum(), sent.iter().all(|param| matches!(param.kind, Kind::List { .. })))
}

/// Whether the call names something by an id that has no level of its own.
fn sends_child(spec: &ActionSpec, arguments: &Map<String, Value>) -> bool {
    let is_child = |it: &Param| it.kind == Kind::Id && it.needs == Needs::Nothing;
    spec.params().any(|it| is_child(&it) && arguments.contains_key(it.name))
}

/// Whether a request changes a note; bringing the index up to date does not.
fn writes(spec: &ActionSpec, path: &str) -> bool {
    let declared = spec.calls.iter().any(|route| route.path == path && route.nature == Nature::Write);
    (declared || path == file::PUT_FILE.path) && path != query::FLUSH_TRANSACTION.path
}

/// All text that an answer shows.
fn shown(reply: &Reply) -> String {
    match reply {
        Ok(output) => texts(output).join("\n"),
        Err(failed) => error(failed, Audience::Model).to_string(),
    }
}

/// B-055, B-063, B-080: a call succeeds where the level suffices, fails with `not_found` at `none`, and with
/// `permission_denied` otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn every_action_respects_every_level() {
    every_action_at(Siyuan::V3_7, &LEVELS).await;
}

/// The same on SiYuan 3.8, which refuses every request that its contract does not allow. Levels in between add no
/// other requests.
#[tokio::test(flavor = "multi_thread")]
async fn every_action_respects_levels_on_the_newer_siyuan() {
    every_action_at(Siyuan::V3_8, &[Level::None, Level::Delete]).await;
}

async fn every_action_at(siyuan: Siyuan, levels: &[Level]) {
    let mut wrong = Vec::new();
    for (level, tool) in levels.iter().flat_map(|level| Tool::ALL.map(|tool| (*level, tool))) {
        let (world, notebook) = desk_in(World::of(siyuan).await, level).await;
        // Some notebook must have every level, or a call is refused before anybody looks for its target (B-015).
        let other = world.raw("/api/notebook/createNotebook", json!({ "name": "Other" })).await;
        let mut table = world.only(&notebook, level.word()).await;
        table[other["notebook"]["id"].as_str().unwrap()] = json!("rwd");
        // A person sees every run, and is told what levels keep as it is; the tests of `system.put_back` call as agents.
        let is_judged = |spec: &ActionSpec| {
            spec.tool == tool && (level >= Level::Write || !matches!(spec.deed, Some((Verb::PutBack, _))))
        };
        for (spec, at, title) in examples().filter(|(spec, ..)| is_judged(spec)) {
            let desk = Desk::new(&world, &notebook, &title, spec.examples[at]).await;
            let arguments = desk.example(spec, at);
            let allowed = suffices(spec, &arguments, level);
            let (targets, listed) = targets(spec, &arguments);
            let reads_everything = reads_everything(spec, &arguments);
            let sent = Value::Object(arguments.clone());
            // The previous call may have changed the table, and the desk has a notebook of its own beside it.
            if let Some(spare) = desk.spare() {
                table[spare] = json!(level.word());
            }
            world.set_table(&table).await;
            let reply = call_as(&engine(&world), spec.tool, sent.clone(), Approval::Given).await;
            let kind = reply.as_ref().err().map(|it| it.kind);
            let expected = match (allowed, targets, level) {
                // The level does not matter, because some other notebook is closed.
                _ if changes_assets(spec) => Some(ErrorType::Disabled),
                (true, _, Level::None) if sends_child(spec, &arguments) => Some(ErrorType::NotFound),
                (true, ..) if reads_everything => Some(ErrorType::Disabled),
                (true, ..) => None,
                // A reader with a list of targets skips those it cannot see.
                (false, 1.., Level::None) if listed && spec.worst == Effect::Read => None,
                (false, _, Level::None) if targets > 0 || matches!(spec.access, Access::Workspace(_)) => {
                    Some(ErrorType::NotFound)
                }
                (false, ..) => Some(ErrorType::PermissionDenied),
            };
            let shown = shown(&reply);
            if let (Err(failed), Some(expected)) = (&reply, expected) {
                // B-080: the error type is in the place where programs look for it, whatever other facts the error
                // carries.
                let shown = error(failed, Audience::Model);
                assert_eq!(shown["error"]["type"], expected.word(), "{}: {shown}", spec.path());
            }
            if kind != expected {
                wrong.push(format!("{} at {level}: {sent} gave {shown}", spec.path()));
            }
            // The answer may repeat the caller's arguments, but nothing else of a closed notebook.
            let echo = sent.to_string();
            let marks = desk.marks().into_iter().filter(|mark| level == Level::None && !echo.contains(mark));
            let hidden = marks.chain([CANARY]);
            wrong.extend(
                hidden
                    .filter(|mark| shown.contains(mark))
                    .map(|mark| format!("{} at {level} shows {mark}: {shown}", spec.path())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// B-015: what no notebook's level allows is refused whatever the call names, in the words of the list, and before any
/// request.
#[tokio::test(flavor = "multi_thread")]
async fn what_no_level_allows_is_refused_at_once() {
    for level in LEVELS {
        let (world, notebook) = desk_world(level).await;
        let engine = engine(&world);
        for spec in ACTIONS.iter().filter(|spec| spec.level() > Some(level)) {
            let missing = json!({ "action": spec.name, "ids": [notebook], "id": notebook });
            engine.policy().await;
            world.kernel.clear_log();
            let refused = call_as(&engine, spec.tool, missing, Approval::Given).await.unwrap_err();
            assert_eq!(refused.kind, ErrorType::PermissionDenied, "{} at {level}", spec.path());
            assert!(refused.message.contains("A person can allow more in SiYuan: "), "{}", refused.message);
            let asked = world.asked();
            let settings = ["getFile", "readDir", "lsNotebooks"];
            assert!(asked.iter().all(|it| settings.iter().any(|name| it.ends_with(name))), "{asked:?}");
        }
    }
}

/// B-026: an action sends only requests that it declares, apart from one that finds the target.
#[tokio::test(flavor = "multi_thread")]
async fn action_sends_only_declared_requests() {
    let mut wrong = Vec::new();
    for (spec, at, title) in examples() {
        // Nothing of other calls lies about, or their decks and databases would be asked for.
        let (world, notebook) = desk_in(World::empty().await, Level::Delete).await;
        let desk = Desk::new(&world, &notebook, &title, spec.examples[at]).await;
        let engine = engine(&world);
        engine.policy().await;
        world.kernel.clear_log();
        let arguments = desk.example(spec, at);
        let (targets, _) = targets(spec, &arguments);
        let reply = call_as(&engine, spec.tool, Value::Object(arguments), Approval::Given).await;
        let asked = world.asked();
        let declared = |path: &&String| spec.calls.iter().any(|route| route.path == path.as_str());
        let foreign = asked.iter().filter(|path| !declared(path)).count();
        let names: Vec<&str> = asked.iter().filter_map(|path| path.rsplit('/').next()).collect();
        let declares = spec.calls.len();
        println!(
            "requests: {} {} (declared {declares}, targets {targets}): {}",
            spec.path(),
            asked.len(),
            names.join(" ")
        );
        // One request finds a target. The same endpoint may be asked before and after a change, for the target's own
        // database and for a related one: how many requests there are never follows from the size of the notes.
        let too_often = asked
            .iter()
            .filter(declared)
            .any(|path| asked.iter().filter(|it| *it == path).count() > 4 + targets);
        if foreign > targets || too_often {
            wrong.push(format!("{} asked {asked:?}", spec.path()));
        }
        if let Err(error) = reply {
            wrong.push(format!("{} failed: {error:?}", spec.path()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// B-034: a preview sends no request that writes, and needs no approval.
#[tokio::test(flavor = "multi_thread")]
async fn preview_sends_no_writing_request() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let mut wrong = Vec::new();
    for (spec, at, title) in examples().filter(|(spec, ..)| spec.has_preview() && !changes_assets(spec)) {
        let desk = Desk::new(&world, &notebook, &title, spec.examples[at]).await;
        let mut arguments = desk.example(spec, at);
        if reads_everything(spec, &arguments) {
            continue;
        }
        arguments.insert("preview".to_owned(), json!(true));
        world.kernel.clear_log();
        let reply = call_as(&engine(&world), spec.tool, Value::Object(arguments), Approval::Missing).await;
        let written: Vec<String> = world.asked().into_iter().filter(|path| writes(spec, path)).collect();
        let is_preview = reply.as_ref().is_ok_and(|output| output.data.get("preview") == Some(&json!(true)));
        if !is_preview || !written.is_empty() {
            wrong.push(format!("{} wrote {written:?} and gave {}", spec.path(), shown(&reply)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without a person's approval nothing is done, and the plan is shown.
#[tokio::test(flavor = "multi_thread")]
async fn dangerous_action_stops_before_writing() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let asks = |spec: &ActionSpec| spec.danger.always_asks() && !changes_assets(spec);
    for (spec, at, title) in examples().filter(|(spec, ..)| asks(spec)) {
        let desk = Desk::new(&world, &notebook, &title, spec.examples[at]).await;
        world.kernel.clear_log();
        let arguments = Value::Object(desk.example(spec, at));
        let reply = call_as(&engine(&world), spec.tool, arguments, Approval::Missing).await;
        let refused = reply.expect_err(&spec.path());
        assert_eq!(refused.kind, ErrorType::ConfirmationRequired, "{}: {refused:?}", spec.path());
        assert!(refused.details.contains_key("danger"), "{}", spec.path());
        for path in world.asked() {
            assert!(!writes(spec, &path), "{} asked {path}", spec.path());
        }
    }
}

/// Readers of published notes are no administrators: the newer SiYuan refuses them the index, and the answer tells what
/// is missing.
#[tokio::test(flavor = "multi_thread")]
async fn calls_with_the_rights_of_a_reader_are_refused() {
    let world = World::of(Siyuan::V3_8).await;
    world.kernel.set_switches(Switches { caller: Caller::Reader, ..Switches::default() }).unwrap();
    let list = json!({ "action": "list" });
    let refused = call_as(&engine(&world), Tool::Tag, list, Approval::Missing).await.unwrap_err();
    assert_eq!(refused.kind, ErrorType::KernelAuth, "{}", refused.message);
    assert!(refused.message.contains("administrator"), "{}", refused.message);
}

/// A reading action needs no approval, and a destructive one always names its danger.
#[test]
fn declarations_are_consistent() {
    for spec in ACTIONS {
        assert!(spec.worst != Effect::Read || spec.danger == Danger::None, "{}", spec.path());
        let destroys = spec.worst == Effect::Destructive;
        assert!(!destroys || spec.danger != Danger::None, "{} destroys without a danger", spec.path());
        let writes = spec.calls.iter().any(|route| writes(spec, route.path));
        assert!(spec.worst != Effect::Read || !writes, "{} only reads and may write", spec.path());
    }
}
