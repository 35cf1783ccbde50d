//! The list of actions: one line each. Its order is that of `tools/list`, help, panel and docs.

use std::pin::Pin;

use crate::dispatch::carry::{Door, carry};
use crate::error::ToolError;
use crate::kernel::Kernel;
use crate::output::Reply;
use crate::plan::Perform;
use crate::spec::{Action, ActionSpec};
use crate::tools;

/// A call on the heap, made in a frame of its own: unoptimised builds give every branch of `perform`
/// its own room on the stack, and a few dozen calls side by side overflow that of a thread.
#[inline(never)]
fn boxed<'a, A: Perform + 'a, K: Kernel>(
    door: Door<'a, K>,
) -> Pin<Box<impl Future<Output = Reply> + use<'a, A, K>>> {
    Box::pin(carry::<A, K>(door))
}

macro_rules! registry {
    ($($ty:path,)+) => {
        /// Every action.
        pub static ACTIONS: &[&ActionSpec] = &[$(&<$ty as Action>::SPEC),+];

        /// Steps 3 to 11 of a call, with the type that the declaration belongs to.
        pub(crate) async fn perform<K: Kernel>(door: Door<'_, K>) -> Reply {
            $(
                if <$ty as Action>::SPEC.tool == door.spec.tool && <$ty as Action>::SPEC.name == door.spec.name {
                    return boxed::<$ty, K>(door).await;
                }
            )+
            Err(ToolError::internal(format!("{} is declared but not registered", door.spec.path())))
        }
    };
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
    tools::search::text::FindText,
    tools::tag::list::List,
    tools::system::get_info::GetInfo,
    tools::mascot::status::Status,
    tools::mascot::shop::Shop,
    tools::mascot::buy::Buy,
}
