//! Presets that a person has saved: the levels or the switches of a moment, under a name.

use std::collections::BTreeSet;

use puppy_core::config::Switches;
use puppy_core::permission::{Level, LevelTable};
use serde_json::{Map, Value};

use super::levels::LevelDraft;
use super::page::DraftKind;

/// The file.
pub const OWN_PRESETS_FILE: &str = "panelPresets";
/// The characters of a name at most.
const LONGEST: usize = 60;

/// The file's content: what it holds beside presets is kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnPresets(Map<String, Value>);

impl OwnPresets {
    /// Reads the file; `None` where it holds something else.
    pub fn parse(bytes: &[u8]) -> Option<OwnPresets> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(map)) => Some(OwnPresets(map)),
            _ => None,
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The names of the presets of a draft, in their order.
    pub fn names(&self, of: DraftKind) -> Vec<String> {
        let own = self.0.get(of.word()).and_then(Value::as_object);
        // `collect` and `sort` would each add 4 kB of code.
        let mut names = BTreeSet::new();
        names.extend(own.into_iter().flat_map(Map::keys).cloned());
        names.into_iter().collect()
    }

    /// The content of a preset, as text.
    fn text(&self, of: DraftKind, name: &str) -> Option<String> {
        Some(self.0.get(of.word())?.get(name)?.to_string())
    }

    /// The levels of a preset; `None` where there is no such preset, or none that can be read.
    pub fn levels(&self, name: &str) -> Option<LevelTable> {
        LevelTable::parse(self.text(DraftKind::Levels, name)?.as_bytes())
    }

    /// The switches of a preset; `None` where there is no such preset, or none that can be read.
    pub fn switches(&self, name: &str) -> Option<Switches> {
        Switches::parse(self.text(DraftKind::Switches, name)?.as_bytes())
    }

    /// Saves a preset under a name, in place of the one that has it. `json` is the text of a table or of switches.
    pub fn save(&mut self, of: DraftKind, name: &str, json: &str) {
        let content = serde_json::from_slice(json.as_bytes()).unwrap_or_default();
        let own = self.0.entry(of.word()).or_insert_with(|| Value::Object(Map::new()));
        if !own.is_object() {
            *own = Value::Object(Map::new());
        }
        if let Some(own) = own.as_object_mut() {
            own.insert(name.to_owned(), content);
        }
    }

    /// Forgets a preset.
    pub fn forget(&mut self, of: DraftKind, name: &str) {
        if let Some(own) = self.0.get_mut(of.word()).and_then(Value::as_object_mut) {
            own.remove(name);
        }
    }
}

/// The name that was typed; `None` where it is none.
pub fn name(typed: &str) -> Option<String> {
    let name: String = typed.trim().chars().take(LONGEST).collect();
    (!name.is_empty()).then_some(name)
}

/// The rows of these notebooks that a preset gives a level.
pub fn rows<'a>(table: &LevelTable, notebooks: impl Iterator<Item = &'a str>) -> Vec<(String, Level)> {
    notebooks.filter_map(|id| Some((id.to_owned(), table.get(id)?))).collect()
}

/// Whether a draft has the levels of these rows.
pub fn has_levels(draft: &LevelDraft, rows: &[(String, Level)]) -> bool {
    !rows.is_empty() && rows.iter().all(|(id, level)| draft.level(id) == *level)
}

#[cfg(test)]
mod tests {
    use super::super::switches::SwitchDraft;
    use super::*;
    use puppy_core::id::NotebookId;

    const A: &str = "20210808180117-aaaaaaa";
    const B: &str = "20210808180117-bbbbbbb";

    fn table(levels: &[(&str, Level)]) -> LevelTable {
        let mut table = LevelTable::default();
        for (id, level) in levels {
            table.set(&NotebookId::parse(id).unwrap(), *level);
        }
        table
    }

    #[test]
    fn saved_preset_is_read_again_and_forgotten() {
        let mut file = OwnPresets::parse(br#"{"of_tomorrow":[1],"levels":"torn"}"#).unwrap();
        let (night, day) = (table(&[(A, Level::None), (B, Level::Read)]), table(&[(A, Level::Write)]));
        file.save(DraftKind::Levels, "Night", &night.to_json());
        file.save(DraftKind::Levels, "Day", &day.to_json());
        file.save(DraftKind::Switches, "Night", &Switches::default().to_json());
        let mut file = OwnPresets::parse(file.to_json().as_bytes()).unwrap();
        assert_eq!(file.names(DraftKind::Levels), ["Day", "Night"]);
        assert_eq!((file.levels("Night"), file.levels("Day")), (Some(night), Some(day)));
        assert_eq!(file.switches("Night"), Some(Switches::default()));
        file.forget(DraftKind::Levels, "Night");
        assert_eq!((file.levels("Night"), file.names(DraftKind::Switches).len()), (None, 1));
        assert!(file.to_json().contains("of_tomorrow"));
        assert_eq!(OwnPresets::parse(b"[]"), None);
        assert_eq!([name("  "), name(" a ")], [None, Some("a".to_owned())]);
        assert_eq!(name(&"x".repeat(100)).unwrap().len(), LONGEST);
    }

    /// Rows that a person changed before stay, unless those are to be replaced too; other notebooks are not touched.
    #[test]
    fn preset_fills_the_draft_and_is_recognized() {
        let mut draft = LevelDraft::default();
        draft.set(A, Level::Write);
        let own = rows(&table(&[(A, Level::None), (B, Level::Delete)]), [A, B].into_iter());
        draft.fill_in("own".to_owned(), &own, false);
        assert_eq!([A, B].map(|it| draft.level(it)), [Level::Write, Level::Delete]);
        assert!(!has_levels(&draft, &own));
        draft.fill_in("own".to_owned(), &own, true);
        assert_eq!([A, B].map(|it| draft.level(it)), [Level::None, Level::Delete]);
        assert!(has_levels(&draft, &own) && !has_levels(&draft, &[]));

        let mut switches = SwitchDraft::default();
        let mut wanted = Switches::default();
        wanted.set(puppy_core::spec::Tool::Block, "get", false);
        assert!(!switches.has(&wanted));
        switches.fill_with("own".to_owned(), &wanted, false);
        assert!(switches.has(&wanted));
        assert_eq!(switches.len(), 1);
    }
}
