//! Notebooks as a whole: their list, their settings, the grants.

pub mod create;
pub mod info;
pub mod list;

actions! {
    list::List,
    info::Info,
    create::Create,
}
