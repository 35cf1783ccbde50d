//! The actions: one folder per tool, one file per action.

/// Lists the actions of a tool in the order in which people see them.
macro_rules! actions {
    ($($action:path,)+) => {
        /// The declarations of this tool's actions.
        pub(crate) const ACTIONS: &[&$crate::spec::ActionSpec] =
            &[$(&<$action as $crate::plan::Action>::SPEC),+];

        /// The decoders of this tool's actions, in the same order.
        pub(crate) const DECODERS: &[$crate::plan::Decoder] = &[$($crate::plan::decoder::<$action>),+];
    };
}

pub mod av;
pub mod block;
pub mod document;
pub mod file;
pub mod flashcard;
pub mod fs;
pub mod mascot;
pub mod notebook;
pub mod search;
pub mod system;
pub mod tag;
