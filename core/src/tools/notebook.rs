//! Notebooks as a whole: their list, their settings, the grants.

pub mod create;
pub mod get_permissions;
pub mod info;
mod levels;
pub mod list;
pub mod remove;
pub mod rename;
pub mod reorder;
pub mod set_conf;
pub mod set_icon;
pub mod set_open_state;
pub mod set_permission;
mod settings;
mod state;

actions! {
    list::List,
    info::Info,
    create::Create,
    rename::Rename,
    set_icon::SetIcon,
    set_open_state::SetOpenState,
    reorder::Reorder,
    set_conf::SetConf,
    remove::Remove,
    get_permissions::GetPermissions,
    set_permission::SetPermission,
}
