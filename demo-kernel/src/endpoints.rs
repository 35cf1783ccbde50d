//! The endpoints: a file of functions for each area, and the table that gives each function its path.
//!
//! Areas may call each other but never name `table`, which names them all; `handler` is what both sides share.

pub(crate) mod asset;
pub(crate) mod attr;
mod av;
mod block;
mod broadcast;
mod export;
mod file;
pub(crate) mod filetree;
pub(crate) mod handler;
mod history;
mod lute;
mod notebook;
mod notification;
mod petal;
mod query;
pub(crate) mod repo;
pub(crate) mod riff;
mod search;
mod setting;
mod shape;
mod storage;
mod sync;
mod system;
pub(crate) mod table;
mod template;
mod ui;
