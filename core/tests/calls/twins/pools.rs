//! The values that callers send: things they may use, things they must not know, and both in every disguise.

use puppy_core::permission::Level;
use serde_json::{Map, Value, json};

use super::twin::Twins;
use crate::privacy::Picks;
use crate::statements::Dice;

/// Documents with words of their text; those of the first two notebooks may be changed, those of the first removed.
const DOCUMENTS: [(&str, &[&str]); 8] = [
    ("/Scratch/Inbox", &["things", "to sort"]),
    ("/Scratch/Old/Draft", &["words", "more"]),
    ("/Scratch/Old", &["rough"]),
    ("/Garden/Plants", &["green", "peppermint", "thyme"]),
    ("/Garden/Beds", &["north bed", "south bed"]),
    ("/Garden/Plants/Mint", &["hot water", "Tea"]),
    ("/Reading/Books", &["first page"]),
    ("/Attic/Chest", &["dust"]),
];

/// Their blocks, in the same order of notebooks.
const BLOCKS: [&str; 12] = [
    "/Scratch/Inbox#0",
    "/Scratch/Inbox#1",
    "/Scratch/Old/Draft#0",
    "/Scratch/Old/Draft#1",
    "/Garden/Plants#0",
    "/Garden/Plants#1",
    "/Garden/Plants#3",
    "/Garden/Plants/Mint#1",
    "/Garden/Beds#0",
    "/Garden/Beds#2",
    "/Reading/Books#1",
    "/Attic/Chest#0",
];

/// Things that a caller may know of but not see.
const HIDDEN: [&str; 8] = [
    "/Private/Mercury plan",
    "/Private/Mercury plan#0",
    "/Private/Mercury plan#1",
    "/Private/Mercury plan/Vials",
    "/Private/Letters",
    "/Private",
    "database",
    "carrier",
];

const MISSING: &str = "20250109000000-missing";

/// The kind of thing that makes an argument useful.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want {
    /// A document; otherwise any block.
    pub(super) document: bool,
    /// The level that it must grant.
    pub(super) level: Level,
}

/// The number of things in notebooks that grant the level.
fn allowed(level: Level, all: usize) -> usize {
    match level {
        Level::Delete => all / 3,
        Level::Write => all * 3 / 4,
        Level::Read | Level::None => all,
    }
}

/// An id: mostly of a suitable thing, now and then of one that this case created, or of a hidden or missing one.
pub(super) fn id(twins: &Twins, want: Want, picks: &mut Picks) -> String {
    let named = |name: &str| twins.world().id(name).to_owned();
    match picks.next(20) {
        0..14 if want.document => named(DOCUMENTS[picks.next(allowed(want.level, DOCUMENTS.len()))].0),
        0..14 => named(BLOCKS[picks.next(allowed(want.level, BLOCKS.len()))]),
        14..17 if !twins.made.is_empty() => twins.made[picks.next(twins.made.len())].clone(),
        14..19 => named(picks.of(&HIDDEN)),
        _ => MISSING.to_owned(),
    }
}

/// The last saved version of the document that a call names, or one that nobody saved.
pub(super) fn version(twins: &Twins, others: &Map<String, Value>) -> String {
    let world = twins.world();
    let doc = others.get("id").and_then(Value::as_str).unwrap_or(MISSING);
    let found = world.ask("history/searchHistory", &json!({ "query": doc, "type": 3, "page": 1 }));
    let created = found["histories"][0].as_str().unwrap_or("0").to_owned();
    let asked = json!({ "query": doc, "type": 3, "created": created });
    let items = world.ask("history/getHistoryItems", &asked)["items"].take();
    let path = items[0]["path"].as_str().unwrap_or_default();
    let token = path.trim_start_matches("/history/").trim_end_matches(".sy");
    if token.is_empty() { format!("2025-01-01-000000-update/{MISSING}/{doc}") } else { token.to_owned() }
}

/// Blocks that are flashcards; those of the closed notebook come last.
pub(super) const CARDS: [&str; 8] = [
    "/Scratch/Inbox#0",
    "/Scratch/Old/Draft#0",
    "/Garden/Plants#0",
    "/Garden/Plants#1",
    "/Garden/Beds#0",
    "/Reading/Books#0",
    "/Private/Mercury plan#0",
    "/Private/Letters#0",
];

/// A block that is a flashcard; most of them may be changed.
pub(super) fn card(twins: &Twins, picks: &mut Picks) -> String {
    let among = if picks.next(4) == 3 { CARDS.len() } else { 5 };
    twins.world().id(CARDS[picks.next(among)]).to_owned()
}

/// An id of anything, readable or not.
pub(super) fn any_id(twins: &Twins, picks: &mut Picks) -> String {
    let document = picks.next(2) == 0;
    id(twins, Want { document, level: Level::Read }, picks)
}

fn hidden(twins: &Twins, picks: &mut Picks) -> String {
    if picks.next(6) == 0 { MISSING.to_owned() } else { twins.world().id(picks.of(&HIDDEN)).to_owned() }
}

/// A notebook by name or id.
pub(super) fn notebook(twins: &Twins, picks: &mut Picks) -> String {
    match picks.next(8) {
        0..6 => picks.of(&["Garden", "Scratch", "Reading", "Attic"]).to_owned(),
        6 => picks.of(&["Private", "Nowhere"]).to_owned(),
        _ => any_id(twins, picks),
    }
}

/// A title or a name: for a new thing, or the name of a hidden one.
pub(super) fn name(twins: &Twins, picks: &mut Picks) -> String {
    match picks.next(10) {
        0..4 => picks.of(&["New", "Plants", "Mint", "Shed"]).to_owned(),
        4..6 => picks.of(&["Mercury plan", "Private", "Vials", "quicksilver", "retort"]).to_owned(),
        6..8 => hidden(twins, picks),
        // The same id with an invisible difference.
        8 => format!("{}{}", picks.of(&[" ", "\u{200b}", "\u{2060}"]), hidden(twins, picks)),
        _ => format!("{}{}", hidden(twins, picks), picks.of(&[" ", "\u{200b}", "\u{feff}"])),
    }
}

/// A workspace path: of a suitable document, of a new one, or of something else.
pub(super) fn path(twins: &Twins, level: Level, picks: &mut Picks) -> String {
    match picks.next(20) {
        0..8 => DOCUMENTS[picks.next(allowed(level, DOCUMENTS.len()))].0.to_owned(),
        8..12 => format!("{}/{}", picks.of(&["/Garden", "/Scratch", "/Garden/Plants"]), name(twins, picks)),
        12..14 => id(twins, Want { document: true, level }, picks),
        14 => format!("/Garden/{}/{}", name(twins, picks), name(twins, picks)),
        15 => format!("/{}/{}", notebook(twins, picks), any_id(twins, picks)),
        16 => format!("/{}/{}/x", notebook(twins, picks), hidden(twins, picks)),
        17 => picks.of(&["/", "/Garden", "/Private", "/Private/Mercury plan"]).to_owned(),
        18 => picks.of(&["/Garden/Mercury plan", "/Garden/Mercury plan/x"]).to_owned(),
        _ => name(twins, picks),
    }
}

/// An id in the forms in which Markdown, HTML or an attribute list may contain it.
fn disguised(id: &str, picks: &mut Picks) -> String {
    let entity = format!("&#{};{}", u32::from(id.as_bytes()[0]), &id[1..]);
    let hexadecimal = format!("&#x{:x};{}", id.as_bytes()[0], &id[1..]);
    match picks.next(20) {
        0 => format!("see (({id} 'x'))"),
        1 => format!("see (({id} \"x\"))"),
        2 => format!("see (({id}))"),
        3 => format!("<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"{id}\">x</span>"),
        4 => format!("<span data-type=\"block-ref\" data-subtype=\"d\" Data-Id=\"{id}\">x</span>"),
        5 => format!("<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"{entity}\">x</span>"),
        6 => format!("<span data-type='strong block-ref' data-subtype=d data-id={hexadecimal}>x</span>"),
        7 => format!("| a ` | (({id} 'x')) | ` b |\n|---|---|---|\n| 1 | 2 | 3 |"),
        8 => format!("[a](`) (({id} 'x')) [b](`)"),
        9 => format!("![a](`) (({id} 'x')) `"),
        10 => format!("[x](siyuan://blocks/{id}) and [y](SIYUAN://BLOCKS/{id})"),
        11 => format!("{{{{SELECT * FROM blocks WHERE id = '{id}'}}}}"),
        12 => format!("own\n{{: id=\"{id}\"}}"),
        13 => format!("- {{: id='{entity}'}}own"),
        14 => format!("own\n{{: custom-avs='{id}' bookmark=\"quicksilver\"}}"),
        15 => {
            format!("<div data-type=\"NodeAttributeView\" data-av-id=\"{id}\" data-av-type=\"table\"></div>")
        }
        16 => format!(
            "<div data-type=\"NodeAttributeView\" DATA-AV-ID=\"{entity}\" data-av-type=\"table\"></div>"
        ),
        17 => format!("`(({id} 'x'))`"),
        18 => format!("```\n(({id} 'x'))\n```"),
        _ => format!("[{id}](/Private/{id}#{id} '{id}')"),
    }
}

/// A text for a note.
pub(super) fn markdown(twins: &Twins, picks: &mut Picks) -> String {
    match picks.next(12) {
        0..7 => picks
            .of(&["new leaf #herbs#", "## Mint\n\nmore", "* one\n* two", "one\n\ntwo", "#quicksilver/plan#"])
            .to_owned(),
        7..9 => format!("again (({} 'there'))", any_id(twins, picks)),
        _ => {
            let id = hidden(twins, picks);
            disguised(&id, picks)
        }
    }
}

/// A text to replace: one from the document, if that is known.
pub(super) fn old(twins: &Twins, path: &str, picks: &mut Picks) -> String {
    let words = DOCUMENTS.iter().find(|(name, _)| *name == path || twins.world().id(name) == path);
    picks.of(words.map_or(&["green", "words", "quicksilver"], |(_, words)| words)).to_owned()
}

/// A search query.
pub(super) fn query(twins: &Twins, picks: &mut Picks) -> String {
    match picks.next(8) {
        0..3 => picks.of(&["leaf", "mint", "Plants", "herbs", "x"]).to_owned(),
        3..5 => picks
            .of(&[
                "quicksilver",
                "quick* OR leaf",
                "zz) OR fcontent:(quick*",
                "x' OR '1'='1",
                "quicksilver|leaf",
                "^.*$",
            ])
            .to_owned(),
        5 => any_id(twins, picks),
        6 => hidden(twins, picks),
        _ => name(twins, picks),
    }
}

/// A tag or bookmark.
pub(super) fn label(picks: &mut Picks) -> String {
    picks.of(&["herbs", "later", "quicksilver/plan", "quicksilver", "prompt", "a,b", "new"]).to_owned()
}

/// A statement over the index.
pub(super) fn statement(twins: &Twins, picks: &mut Picks) -> String {
    match picks.next(4) {
        0 => "SELECT type, count(*) AS n FROM blocks GROUP BY type ORDER BY 1".to_owned(),
        1 => format!("SELECT * FROM refs WHERE def_block_id = '{}' ORDER BY id", any_id(twins, picks)),
        _ => Dice(&mut |below| picks.next(below)).statement(),
    }
}
