//! Documents by id: creating, looking up, moving, removing.

pub mod create;
mod destination;
pub mod info;
pub mod r#move;
pub mod remove;

actions! {
    create::Create,
    info::Info,
    r#move::Move,
    remove::Remove,
}
