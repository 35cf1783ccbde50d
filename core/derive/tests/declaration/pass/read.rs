//! A read with a target, a narrowing, a word, bounds, an alias and a default.

use puppy_core::prelude::*;
use puppy_core::spec::{Access, Danger, Effect, Needs, Presence, Slot, Tier};

/// Look at something.
///
/// A second paragraph for help.
#[derive(Debug, Action)]
#[action(
    document.look,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [block::GET_CHILD_BLOCKS],
    examples = [{ "id": "{doc}", "in": "quick" }, { "limit": 5 }],
    default = off,
    tier = advanced,
    since = "0.2.0",
)]
#[alias(glance, peek)]
pub(crate) struct Look {
    /// The document.
    #[needs(Read, else = workspace)]
    pub(crate) id: Option<DocId>,
    /// The manner of looking.
    #[alias(manner)]
    pub(crate) r#in: Manner,
    /// Most items.
    pub(crate) limit: Int<1, 100, 20>,
    /// The place to go on from.
    #[read_by(Sql)]
    pub(crate) cursor: Option<Text<1, 128>>,
}

/// Ways to look.
#[derive(Debug, Clone, Copy, Choice)]
pub(crate) enum Manner {
    /// Slowly.
    #[default]
    WithCare,
    /// At once.
    Quick,
}

impl Run for Look {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let id = self.id.as_ref().ok_or_else(ToolError::not_found)?;
        let rows = cx.ask(block::get_child_blocks(id)).await?;
        let _ = (self.limit.get(), self.cursor.as_ref().map(|it| it.as_str().len()));
        Ok(Output::new().with("in", self.r#in.word()).with("blocks", rows.len()))
    }
}

#[test]
fn read_declaration_contains_every_attribute() {
    let spec = Look::SPEC;
    assert_eq!((spec.path().as_str(), spec.summary()), ("document.look", "Look at something."));
    assert_eq!(spec.doc.lines().last(), Some("A second paragraph for help."));
    assert_eq!((spec.access, spec.level()), (Access::Workspace(Level::Read), Some(Level::Read)));
    assert_eq!((spec.effect, spec.worst, spec.danger), (Effect::Read, Effect::Read, Danger::None));
    assert_eq!((spec.default_on, spec.tier, spec.since), (false, Tier::Advanced, "0.2.0"));
    assert_eq!(spec.aliases, ["glance", "peek"]);
    assert_eq!(spec.calls, [block::GET_CHILD_BLOCKS]);
    assert_eq!(spec.examples, [r#"{"id":"{doc}","in":"quick"}"#, r#"{"limit":5}"#]);
    assert!(!spec.has_preview());
    let names: Vec<&str> = spec.params().map(|it| it.name).collect();
    assert_eq!(names, ["id", "in", "limit", "cursor"]);
    let presence: Vec<Presence> = spec.params().map(|it| it.presence).collect();
    let expected = [
        Presence::Optional,
        Presence::DefaultText("with_care"),
        Presence::DefaultInt(20),
        Presence::Optional,
    ];
    assert_eq!(presence, expected);
    assert!(matches!(spec.slots, [Slot::One(id), Slot::One(manner), ..]
        if id.needs == Needs::Level(Level::Read) && manner.aliases == ["manner"]));
}
