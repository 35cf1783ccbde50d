//! The list of actions: one line each. Its order is that of `tools/list`, help, panel and docs.

use crate::plan::{Action, Decoder, decoder};
use crate::spec::ActionSpec;
use crate::tools;

macro_rules! registry {
    ($($ty:path,)+) => {
        /// Every action.
        pub static ACTIONS: &[&ActionSpec] = &[$(&<$ty as Action>::SPEC),+];

        /// The decoders of the actions, in the same order. They are a separate table because a page that lists
        /// actions would otherwise link all of their code.
        static DECODERS: &[Decoder] = &[$(decoder::<$ty>),+];
    };
}

/// The decoder of an action; `None` for one that is not listed.
pub(crate) fn decoder_of(spec: &ActionSpec) -> Option<Decoder> {
    let place = ACTIONS.iter().position(|it| it.tool == spec.tool && it.name == spec.name)?;
    DECODERS.get(place).copied()
}

registry! {
    tools::fs::list::List,
    tools::fs::tree::Tree,
    tools::fs::read::Read,
    tools::fs::write::Write,
    tools::fs::edit::Edit,
    tools::notebook::list::List,
    tools::notebook::info::Info,
    tools::notebook::create::Create,
    tools::document::create::Create,
    tools::document::info::Info,
    tools::document::r#move::Move,
    tools::document::remove::Remove,
    tools::block::get::Get,
    tools::block::append::Append,
    tools::block::update::Update,
    tools::block::delete::Delete,
    tools::av::get::Get,
    tools::av::set_cells::SetCells,
    tools::file::rename_asset::RenameAsset,
    tools::search::text::FindText,
    tools::tag::list::List,
    tools::tag::rename::Rename,
    tools::system::get_info::GetInfo,
    tools::mascot::status::Status,
    tools::mascot::shop::Shop,
    tools::mascot::buy::Buy,
}
