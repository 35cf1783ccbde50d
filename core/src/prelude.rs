//! The imports that every action file needs.

pub use puppy_core_derive::{Action, Choice, OneOf, Record};

pub use crate::args::{
    Attrs, Flag, Ids, Int, ListRecord, Many, Markdown, Next, OneOrMany, Paging, Text, Within, Yes,
};
pub use crate::ask::{Consequence, Texts, Thing, ThingKind, Things};
pub use crate::cx::Cx;
pub use crate::done::Done;
pub use crate::error::ToolError;
pub use crate::id::{AssetPath, AvId, BlockId, Child, DocId, NotebookId, NotebookRef, RowId};
pub use crate::kernel::api::{
    asset, attr, av, block, export, file, filetree, history, notebook, notification, query, repo, riff,
    search, sync, system, template, transactions, ui,
};
pub use crate::kernel::{Ambient, NonEmpty, sql};
pub use crate::output::{Failed, Output, Reply, object, put};
pub use crate::path::WorkspacePath;
pub use crate::permission::{Level, Target};
pub use crate::plan::{Action, Change, Plan, Run};
