//! The actions: one folder per tool, one file per action.

pub mod av;
pub mod block;
pub mod document;
pub mod file;
pub mod fs;
pub mod mascot;
pub mod notebook;
pub mod search;
pub mod system;
pub mod tag;
