//! The context of a read beside the tools: resources, prompts and completion show what a tool would show.

use std::sync::Arc;

use async_lock::OnceCell;

use crate::activity::Observer;
use crate::config::{Policy, Rules};
use crate::cx::Cx;
use crate::dispatch::{Engine, carry::checked, running, visible};
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::Kernel;
use crate::kernel::api::{attr, block, filetree, query};
use crate::permission::{Level, Need, Places, Target};
use crate::plan::Action;
use crate::spec::ActionSpec;
use crate::tools::{fs, notebook, tag};

/// The declaration that governs the reading of documents: that of `fs.read`, with the endpoints of a resource.
pub(super) const READ: &ActionSpec = &ActionSpec {
    calls: &[attr::GET_BLOCK_ATTRS, block::GET_CHILD_BLOCKS, filetree::GET_HPATH_BY_ID, query::SQL],
    ..<fs::read::Read as Action>::SPEC
};
const LIST: &ActionSpec = &<fs::list::List as Action>::SPEC;
const TREE: &ActionSpec = &<fs::tree::Tree as Action>::SPEC;
const NOTEBOOKS: &ActionSpec = &<notebook::list::List as Action>::SPEC;
const TAGS: &ActionSpec = &<tag::list::List as Action>::SPEC;

/// The information that a read shows. It is hidden here too while every action that would show it is switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadScope {
    /// A document whose id is known.
    Document,
    /// Which documents exist.
    Documents,
    /// Which notebooks exist.
    Notebooks,
    /// Which tags exist.
    Tags,
}

impl ReadScope {
    fn check(self, rules: &Rules) -> Result<(), ToolError> {
        let one_is_on = |actions: &[&ActionSpec]| {
            let each = actions.iter().map(|action| visible(action, rules));
            each.reduce(Result::or).unwrap_or(Ok(()))
        };
        match self {
            ReadScope::Document => visible(READ, rules),
            ReadScope::Documents => visible(READ, rules).and_then(|()| one_is_on(&[LIST, TREE])),
            ReadScope::Notebooks => one_is_on(&[LIST, TREE, NOTEBOOKS]),
            ReadScope::Tags => visible(TAGS, rules),
        }
    }
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// The context of a read under the current policy.
    pub async fn reader(&self, shows: ReadScope) -> Result<Cx<'_>, ToolError> {
        self.reader_under(&*self.policy().await, &[shows])
    }

    /// The context of a read that shows all of this; refused while a person has paused all agents.
    pub(crate) fn reader_under(&self, policy: &Policy, shows: &[ReadScope]) -> Result<Cx<'_>, ToolError> {
        running(&policy.rules)?;
        shows.iter().try_for_each(|it| it.check(&policy.rules))?;
        // It names no targets: what it comes upon is judged when it is read.
        Ok(Cx::new(&self.world(), READ, policy.scope.clone(), Arc::new(OnceCell::from(Places::default()))))
    }
}

/// Reads a document and checks its place: first, while any notebook is hidden from the caller, otherwise at the same time.
pub(super) async fn read_checked<T>(
    cx: &Cx<'_>,
    id: &DocId,
    read: impl Future<Output = Result<T, ToolError>>,
) -> Result<(Places, T), ToolError> {
    let needs = [Need::new("id", Target::Doc(id.clone()), Level::Read)];
    checked(cx.grants().any_hidden(), cx.resolver().find(&needs), read).await
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::error::ErrorType;
    use crate::id::BlockId;
    use crate::kernel::NonEmpty;
    use crate::testing::{FakeKernel, engine};

    /// A read beside the tools reaches the endpoints of a resource and no others.
    #[test]
    fn nothing_is_written_beside_the_tools() {
        let engine = engine(FakeKernel::new());
        let reader = engine.reader(ReadScope::Document).now_or_never().unwrap().unwrap();
        let id = BlockId::parse("20250101000000-block00").unwrap();
        let new = attr::NewAttrs::of(&id, "bookmark", "x");
        let write = reader.ask(attr::batch_set_block_attrs(NonEmpty::one(&new))).now_or_never().unwrap();
        assert_eq!(write.unwrap_err().kind, ErrorType::Internal);
        assert!(engine.kernel.asked().is_empty());
    }
}
