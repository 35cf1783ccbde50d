//! The actions that are not called, each with the reason.

use puppy_core::kernel::api::repo;
use puppy_core::spec::{Access, ActionSpec, Effect};
use puppy_core::permission::Level;

/// The state of a workspace that rules calls out.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Workspace {
    /// Whether there are notebooks besides those of the run.
    pub(crate) has_other_notebooks: bool,
}

/// The reason why an action is not called.
pub(crate) fn reason(spec: &ActionSpec, workspace: Workspace) -> Option<&'static str> {
    let path = spec.path();
    let calls = |paths: &[&str]| spec.calls.iter().any(|route| paths.contains(&route.path));
    Some(match path.as_str() {
        "system.ask_user" | "system.get_ui_state" | "system.open_document" | "system.scroll_to_block"
        | "system.reload_ui" => "needs SiYuan's page with the plugin, open on a screen",
        "notebook.set_permission" => "needs an approval inside of SiYuan, which cannot be given yet",
        _ if spec.worst == Effect::External => "sends all notebooks to the sync service",
        _ if calls(&[repo::CREATE_SNAPSHOT.path]) => "would keep a snapshot of the whole workspace",
        _ if calls(&[repo::GET_REPO_SNAPSHOTS.path]) => "needs the key of snapshots, which the run does not set",
        _ if workspace.has_other_notebooks && changes_everything(spec) => {
            "needs to change every notebook, and there are others here"
        }
        _ => return None,
    })
}

/// Whether the whole workspace must be open to changes.
fn changes_everything(spec: &ActionSpec) -> bool {
    matches!(spec.access, Access::Workspace(level) if level > Level::Read)
}
