//! Levels and switches from elsewhere as changes of the drafts: an older plugin's settings, or the defaults.

use puppy_core::config::Switches;
use puppy_core::find::actions_of;
use puppy_core::permission::{Grants, Table};
use puppy_core::spec::Tool;

use super::levels::LevelDraft;
use super::switches::SwitchDraft;

/// The folder of the older plugin's settings; it is read and never written.
pub const FOLDER: &str = "/data/storage/petal/siyuan-plugins-mcp-sisyphus/";
/// The older plugin's name.
pub const NAME: &str = "SiYuan MCP sisyphus";

/// Takes the levels that a table gives to these notebooks.
pub fn take_levels(draft: &mut LevelDraft, table: &Table, notebooks: &[String]) {
    for id in notebooks {
        if let Some(level) = table.get(id) {
            draft.set(id, level);
        }
    }
}

/// Gives these notebooks the level of one without an entry.
pub fn reset_levels(draft: &mut LevelDraft, notebooks: &[String]) {
    for id in notebooks {
        draft.set(id, Grants::DEFAULT);
    }
}

/// Takes these switches.
pub fn take_switches(draft: &mut SwitchDraft, wanted: &Switches) {
    for tool in Tool::ALL {
        for spec in actions_of(tool) {
            let on = wanted.action_switch(spec);
            if draft.now().action_switch(spec) != on {
                draft.set_action(spec, on);
            }
        }
        let on = wanted.tool_switch(tool);
        if actions_of(tool).next().is_some() && draft.now().tool_switch(tool) != on {
            draft.set_tool(tool, on);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::id::NotebookId;
    use puppy_core::permission::Level;

    const A: &str = "20210808180117-aaaaaaa";
    const B: &str = "20210808180117-bbbbbbb";

    /// B-238: nothing holds before Apply, and only notebooks of this workspace are touched.
    #[test]
    fn levels_are_taken_as_a_draft() {
        let mut draft = LevelDraft::default();
        let older =
            Table::parse(br#"{"20210808180117-aaaaaaa":"write","20010101000000-goneaaa":"rwd"}"#).unwrap();
        take_levels(&mut draft, &older, &[A.to_owned(), B.to_owned()]);
        assert_eq!(
            (draft.level(A), draft.was(A), draft.level(B), draft.len()),
            (Level::Write, Level::Read, Level::Read, 1)
        );
        assert_eq!(draft.merge(Table::default()).0.entries().count(), 1);
    }

    #[test]
    fn levels_are_reset_as_a_draft() {
        let mut table = Table::default();
        table.set(&NotebookId::parse(A).unwrap(), Level::Delete);
        let mut draft = LevelDraft::default();
        draft.rebase(table);
        reset_levels(&mut draft, &[A.to_owned(), B.to_owned()]);
        assert_eq!((draft.level(A), draft.was(A), draft.len()), (Grants::DEFAULT, Level::Delete, 1));
    }

    #[test]
    fn switches_are_taken_as_a_draft() {
        let mut draft = SwitchDraft::default();
        let older = Switches::default()
            .with_older(
                br#"{"fs":{"enabled":false,"actions":{"read":false}},"tag":{"actions":{"list":false}}}"#,
            )
            .unwrap();
        take_switches(&mut draft, &older);
        assert_eq!((draft.now(), draft.len()), (&older, 3));
        take_switches(&mut draft, &Switches::default());
        assert!(draft.is_empty());
    }
}
