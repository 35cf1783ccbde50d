//! The list of actions, tool by tool. Its order is that of `tools/list`, help, panel and docs.

use crate::plan::Decoder;
use crate::spec::ActionSpec;
use crate::tools;

macro_rules! registry {
    ($($parent:ident::$tool:ident,)+) => {
        const COUNT: usize = 0 $(+ $parent::$tool::ACTIONS.len())+;

        /// Every action.
        pub static ACTIONS: &[&ActionSpec] = &joined::<_, COUNT>(&[$($parent::$tool::ACTIONS),+]);

        /// The decoders of the actions, in the same order. They are a separate table because a page that lists
        /// actions would otherwise link all of their code.
        static DECODERS: &[Decoder] = &joined::<_, COUNT>(&[$($parent::$tool::DECODERS),+]);
    };
}

/// The decoder of an action; `None` for one that is not listed.
pub(crate) fn decoder_of(spec: &ActionSpec) -> Option<Decoder> {
    let place = ACTIONS.iter().position(|it| it.tool == spec.tool && it.name == spec.name)?;
    DECODERS.get(place).copied()
}

/// The lists one after the other; `N` is the sum of their lengths, the first list is not empty.
#[expect(clippy::indexing_slicing, reason = "it runs at compile time, where a wrong index is an error")]
const fn joined<T: Copy, const N: usize>(lists: &[&[T]]) -> [T; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut item, mut place) = (0, 0, 0);
    while place < N {
        if item == lists[list].len() {
            (list, item) = (list + 1, 0);
        } else {
            all[place] = lists[list][item];
            (item, place) = (item + 1, place + 1);
        }
    }
    all
}

registry! {
    tools::fs,
    tools::notebook,
    tools::document,
    tools::block,
    tools::av,
    tools::file,
    tools::search,
    tools::tag,
    tools::system,
    tools::flashcard,
    tools::mascot,
}
