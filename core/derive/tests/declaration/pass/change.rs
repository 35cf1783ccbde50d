//! A change with groups, records, lists, a danger and an effect that depend on the plan.

use puppy_core::args::Args;
use puppy_core::args::Decode as _;
use puppy_core::content::incoming;
use puppy_core::permission::Need;
use puppy_core::prelude::*;
use puppy_core::spec::{Back, Danger, Effect, Slot, Verb};
use serde_json::json;

/// A helper with an endpoint of its own.
mod helper {
    use puppy_core::kernel::{Route, api};

    pub(super) const CALLS: &[Route] = &[api::system::VERSION];
}

/// Put blocks somewhere.
#[derive(Debug, Action)]
#[action(
    block.put,
    effect = When(Self::replaces, Destructive),
    danger = When(Self::is_large, "Replaces {n} blocks of {name}."),
    deed = Overwrite(DocumentHistory),
    idempotent = false,
    calls = [block::GET_BLOCK_KRAMDOWN, ..helper, transactions::TRANSACTIONS, ..incoming],
    examples = [{ "id": "{block}" }],
)]
pub(crate) struct Put {
    /// The destination.
    #[one_of]
    #[needs(Write)]
    pub(crate) place: Place,
    /// The pieces.
    #[needs(Write)]
    pub(crate) pieces: Many<Piece, 1, 8>,
    /// Whether what is there goes.
    pub(crate) replace: Flag<false>,
    /// The blocks to take along.
    #[needs(Read, when = Self::takes_along)]
    pub(crate) ids: Option<Many<BlockId, 1, 64>>,
}

/// The destination of the pieces.
#[derive(Debug, OneOf)]
pub(crate) enum Place {
    /// The document.
    #[target]
    Parent(DocId),
    /// A notebook by a name.
    Named {
        /// The notebook.
        #[target]
        notebook: NotebookRef,
        /// The name inside it.
        #[read_by()]
        title: Text<1, 64>,
    },
}

/// A piece with the block it goes behind.
#[derive(Debug, Record)]
pub(crate) struct Piece {
    /// The block before it.
    #[target]
    pub(crate) after: BlockId,
    /// Its text.
    pub(crate) text: Markdown,
}

impl Put {
    fn replaces(&self, _plan: &Plan<usize>) -> bool {
        self.replace.is_set()
    }

    fn is_large(&self, plan: &Plan<usize>) -> bool {
        plan.facts > 20
    }

    fn takes_along(&self) -> bool {
        self.replace.is_set()
    }
}

impl Change for Put {
    type Facts = usize;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<usize>, ToolError> {
        let first = self.pieces.as_slice().first().ok_or_else(ToolError::not_found)?;
        let read = cx.ask(block::get_block_kramdown(&first.after)).await?;
        let n = read.kramdown.lines().count();
        Ok(Plan::new("remove", n).show("blocks", n).touching(n, "that document"))
    }

    async fn run(self, plan: Plan<usize>, cx: &Cx<'_>) -> Reply {
        let ids: Vec<BlockId> = self.pieces.as_slice().iter().map(|it| it.after.clone()).collect();
        let ids = NonEmpty::of(&ids).ok_or_else(ToolError::not_found)?;
        let done = cx.ask(transactions::delete_blocks(ids)).await?;
        Ok(Output::new().with("changed", plan.facts).with("done", done.len()))
    }
}

fn decoded(arguments: &serde_json::Value) -> Result<Put, Vec<puppy_core::args::Problem>> {
    let mut args = Args::new(&Put::SPEC, arguments.as_object().cloned().unwrap_or_default());
    let put = Put::decode(&mut args);
    args.finish(put)
}

#[test]
fn change_declaration_contains_every_attribute() {
    let spec = Put::SPEC;
    assert_eq!((spec.effect, spec.worst), (Effect::Write, Effect::Destructive));
    assert_eq!(spec.danger, Danger::Sometimes("Replaces {n} blocks of {name}."));
    assert_eq!(spec.deed, Some((Verb::Overwrite, Back::DocumentHistory)));
    assert_eq!(spec.level(), Some(Level::Write));
    assert!(matches!(spec.slots.first(), Some(Slot::OneOf(groups, Some(Level::Write))) if groups.len() == 2));
    assert!(spec.has_preview());
    // Its own endpoints, then those of its helpers.
    let own = [block::GET_BLOCK_KRAMDOWN, transactions::TRANSACTIONS];
    assert_eq!(spec.calls, [&own, helper::CALLS, incoming::CALLS].concat());

    let (doc, block) = ("20210808180117-aaaaaaa", "20210808180117-bbbbbbb");
    let piece = json!([{ "after": block, "text": "x" }]);
    let put = decoded(&json!({ "parent": doc, "pieces": piece, "ids": [block] })).unwrap();
    let need = |param: &str, target: Target, listed| Need {
        param: param.to_owned(),
        target,
        level: Level::Write,
        listed,
    };
    let (doc_id, block_id) = (DocId::parse(doc).unwrap(), BlockId::parse(block).unwrap());
    // `ids` is asked for only where its function says so.
    assert_eq!(
        put.needs(),
        [
            need("parent", Target::Doc(doc_id), false),
            need("pieces[0].after", Target::Block(block_id.clone()), true)
        ]
    );
    let put = decoded(
        &json!({ "notebook": "Garden", "title": "t", "pieces": piece, "ids": [block], "replace": true }),
    );
    let put = put.unwrap();
    assert!(matches!(&put.place, Place::Named { title, .. } if title.as_str() == "t"));
    assert_eq!(put.pieces.as_slice().first().map(|it| it.text.as_str()), Some("x"));
    let needs = put.needs();
    assert_eq!(needs.len(), 3);
    assert_eq!(
        needs.last(),
        Some(&Need {
            param: "ids[0]".to_owned(),
            target: Target::Block(block_id),
            level: Level::Read,
            listed: true
        })
    );

    // Every bad field is named at once, with its place inside lists and objects.
    let bad = decoded(&json!({ "pieces": [{ "after": "x" }], "replace": 1 })).unwrap_err();
    let fields: Vec<&str> = bad.iter().map(|it| it.field.as_str()).collect();
    assert_eq!(fields, ["parent|notebook", "pieces[0].after", "pieces[0].text", "replace"]);
}
