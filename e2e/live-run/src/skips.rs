//! The actions that are not called, each with the reason.

use puppy_core::kernel::api::repo;
use puppy_core::permission::Level;
use puppy_core::spec::{Access, ActionSpec, Effect};

/// The state of a workspace that rules calls out.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Workspace {
    /// Whether somebody has notebooks, assets, templates or databases in it.
    pub(crate) is_used: bool,
}

/// The reason why an action is not called.
pub(crate) fn reason(spec: &ActionSpec, workspace: Workspace) -> Option<&'static str> {
    let path = spec.path();
    let calls = |paths: &[&str]| spec.calls.iter().any(|route| paths.contains(&route.path));
    Some(match path.as_str() {
        "system.ask_user"
        | "system.get_ui_state"
        | "system.open_document"
        | "system.scroll_to_block"
        | "system.reload_ui" => "needs SiYuan's page with the plugin, open on a screen",
        "notebook.set_permission" => "needs a person's approval inside of SiYuan",
        _ if spec.effect == Effect::External => "sends notes or words to a service that the person set up",
        _ if calls(&[repo::CREATE_SNAPSHOT.path]) => "would keep a snapshot of the whole workspace",
        _ if calls(&[repo::GET_REPO_SNAPSHOTS.path]) => {
            "needs the key of snapshots, which the run does not set"
        }
        _ if workspace.is_used && changes_everything(spec) => {
            "may change the whole workspace, and somebody's things are in this one"
        }
        _ => return None,
    })
}

/// Whether the whole workspace must be open to changes.
fn changes_everything(spec: &ActionSpec) -> bool {
    matches!(spec.access, Access::Workspace(level) if level > Level::Read)
}

#[cfg(test)]
mod tests {
    use puppy_core::registry::ACTIONS;

    use super::*;

    fn skipped(is_used: bool) -> Vec<String> {
        let workspace = Workspace { is_used };
        ACTIONS.iter().filter(|spec| reason(spec, workspace).is_some()).map(|spec| spec.path()).collect()
    }

    #[test]
    fn few_actions_are_skipped_in_an_empty_workspace() {
        let skipped = skipped(false);
        for action in [
            "notebook.set_permission",
            "search.semantic",
            "system.ask_user",
            "system.create_snapshot",
            "system.get_ui_state",
            "system.list_snapshots",
            "system.open_document",
            "system.reload_ui",
            "system.scroll_to_block",
            "system.sync",
        ] {
            assert!(skipped.iter().any(|it| it == action), "{action} is not skipped: {skipped:?}");
        }
        assert_eq!(skipped.len(), 10, "{skipped:?}");
    }

    /// Somebody's unused assets are not the run's to delete.
    #[test]
    fn actions_on_the_whole_workspace_are_skipped_where_somebody_works() {
        let skipped = skipped(true);
        for action in ["file.delete_assets", "file.delete_template", "tag.rename", "tag.remove"] {
            assert!(skipped.iter().any(|it| it == action), "{action} is called: {skipped:?}");
        }
        assert!(!skipped.iter().any(|it| it == "document.remove"), "{skipped:?}");
    }
}
