//! Every declaration equals its entry in the list of actions of the finished product.

use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Access, ActionSpec, Danger, Effect, Tier, Tool};

/// All actions: **basic**; level (`ws` workspace, `some`, `–` none); effect R read, W write, S screen,
/// D destructive, X external, the second one only with certain arguments; ⚠ asks, ⚠? asks sometimes.
const ALL: &str = "\
fs | **list** r R · **tree** r R · **read** r R · **write** rw W/D ⚠? · **edit** rw W · **grep** r R · info r R · **move** rw W ⚠? · **remove** rwd D ⚠
notebook | **list** ws r R · **info** r R · **create** – W · **rename** rw W · set_icon rw W · set_open_state rw W ⚠? · reorder rw W · set_conf rw W ⚠ · remove rwd D ⚠ off · get_permissions ws r R · set_permission r W ⚠ off
document | **create** rw W · ensure rw W · **info** r R · **read** r R · **outline** r R · **list** r R · **search** r R · **rename** rw W · **move** rw W ⚠? · reorder rw W · duplicate rw W · **remove** rwd D ⚠ · **set_properties** rw W · **daily_note** rw W · from_block rw W ⚠? · to_heading rwd D ⚠ · history r R · restore ws rw D ⚠
block | **get** r R · **info** r R · **list** r R · recent r R · **insert** rw W · **append** rw W · prepend rw W · **update** rw W/D ⚠? · **edit** rw W · **delete** rwd D ⚠ · **move** rw W ⚠? · move_section rw W · set_heading_level rw W · **set_task** rw W · fold rw W · get_attrs r R · **set_attrs** rw W · word_count r R · transfer_refs rw W ⚠ · swap_ref rw W ⚠? · **add_to_daily_note** rw W
av | **search** r R · **get** r R · **list_rows** r R · find_rows r R · **create** rw W · **rename** rw W · **add_rows** rw W · **set_cells** rw W · **remove_rows** rwd D ⚠ · **add_column** rw W · update_column rw W/D ⚠? · remove_column rwd D ⚠ · add_view rw W · update_view rw W · remove_view rwd D ⚠ · duplicate rw W
file | **upload_asset** rw W/X ⚠? · **list_assets** r R · **read_asset** r R · rename_asset rw W ⚠ · delete_assets ws rwd D ⚠ off · set_asset_text rw W · **export** r R/X ⚠? · **list_templates** – R · **read_template** – R · **save_template** some rw W/D ⚠? · render_template r R/W · delete_template ws rwd D ⚠ off
search | **text** ws r R · semantic ws r X ⚠ off · sql ws r R · attributes ws r R · **backlinks** r R · outlinks r R · ref_targets ws r R · invalid_refs ws r R · find_replace rw D ⚠ · **assets** ws r R · asset_content ws r R
tag | **list** r R · **rename** rw W/D ⚠? · remove rw D ⚠
system | **get_info** – R · get_config ws r R · get_changelog – R · **notify** – S · ask_user – R · **get_ui_state** ws r R · **open_document** r S · scroll_to_block r S · reload_ui r S · sync some rw X ⚠ · list_snapshots ws r R · **create_snapshot** some rw W
flashcard | **list_decks** ws r R · **list_cards** r R · **list_due** r R · **add_cards** rw W · **remove_cards** rw D ⚠ · **review_card** rw W · reschedule_cards rw W/D ⚠? · create_deck some rw W
mascot | **status** – R · **shop** – R · **buy** – W";

/// One entry of the list.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    /// With its stars.
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
}

pub(crate) fn entries() -> Vec<Entry> {
    let mut found = Vec::new();
    for line in ALL.lines() {
        let (tool, actions) = line.split_once(" | ").unwrap();
        for action in actions.split(" · ") {
            let mut words: Vec<String> = action.split(' ').map(str::to_owned).collect();
            let name = words.remove(0);
            found.push(Entry { tool: Tool::named(tool).unwrap(), name, words });
        }
    }
    found
}

/// A declaration, worded like an entry of the list.
fn words(spec: &ActionSpec) -> (String, Vec<String>) {
    let name = match spec.tier {
        Tier::Basic => format!("**{}**", spec.name),
        Tier::Advanced => spec.name.to_owned(),
    };
    let level = spec.level().map_or("–", Level::word).to_owned();
    let mut words = match spec.access {
        // An optional narrowing is a target too, and the list then has its level.
        Access::Workspace(_) if spec.leveled().all(|(_, level)| level.is_none()) => {
            vec!["ws".to_owned(), level]
        }
        Access::Some(_) => vec!["some".to_owned(), level],
        _ => vec![level],
    };
    let letter = |effect: Effect| match effect {
        Effect::Read => "R",
        Effect::Screen => "S",
        Effect::Write => "W",
        Effect::Destructive => "D",
        Effect::External => "X",
    };
    words.push(if spec.effect == spec.worst {
        letter(spec.effect).to_owned()
    } else {
        format!("{}/{}", letter(spec.effect), letter(spec.worst))
    });
    match spec.danger {
        Danger::None => {}
        Danger::Always(_) | Danger::InSiyuan(_) => words.push("⚠".to_owned()),
        Danger::Sometimes(_) => words.push("⚠?".to_owned()),
    }
    if !spec.default_on {
        words.push("off".to_owned());
    }
    (name, words)
}

#[test]
fn action_table_is_complete() {
    assert_eq!(entries().len(), 124);
}

#[test]
fn every_declaration_matches_the_action_table() {
    let entries = entries();
    let mut wrong = Vec::new();
    for spec in ACTIONS {
        let (name, declared) = words(spec);
        let entry = entries.iter().find(|it| it.tool == spec.tool && it.name.replace("**", "") == spec.name);
        let Some(entry) = entry else {
            wrong.push(format!("{} is not in the list", spec.path()));
            continue;
        };
        // A workspace action that can be narrowed may be in the list under either level.
        let without_ws =
            |words: &[String]| words.iter().filter(|it| *it != "ws").cloned().collect::<Vec<_>>();
        let narrowed =
            matches!(spec.access, Access::Workspace(_)) && declared.first().is_some_and(|it| it != "ws");
        let same = if narrowed {
            without_ws(&entry.words) == without_ws(&declared)
        } else {
            entry.words == declared
        };
        if entry.name != name || !same {
            wrong.push(format!(
                "{}: declared {name} {declared:?}, the list says {} {:?}",
                spec.path(),
                entry.name,
                entry.words
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// B-001: the registry has the order of the list.
#[test]
fn actions_are_registered_in_table_order() {
    let order: Vec<String> =
        entries().iter().map(|it| format!("{}.{}", it.tool.name(), it.name.replace("**", ""))).collect();
    let at = |spec: &&ActionSpec| order.iter().position(|it| *it == spec.path());
    let registered: Vec<_> = ACTIONS.iter().map(at).collect();
    assert!(registered.is_sorted(), "{:?}", ACTIONS.iter().map(|it| it.path()).collect::<Vec<_>>());
}
