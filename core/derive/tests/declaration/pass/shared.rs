//! Arguments that several actions share, laid among an action's own.

use puppy_core::args::{Args, Decode};
use puppy_core::prelude::*;
use puppy_core::spec::{Kind, Presence, Slot};
use serde_json::json;

/// Look for something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub(crate) struct Look {
    /// The text to search for.
    #[read_by(Sql)]
    pub(crate) query: Text<1, 500>,
    /// The part of the workspace.
    #[args]
    #[needs(Read, else = workspace)]
    pub(crate) within: Within,
    /// Whether all of it is returned.
    pub(crate) whole: Flag<false>,
    /// A page.
    #[args]
    pub(crate) page: Paging<u8, 20, 100, 3>,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        let after = self.page.after().map(|it| u64::from(*it));
        let output = Output::new().with("query", self.query.as_str()).flag("whole", self.whole.is_set());
        Ok(output.with("after", after).with("limit", self.page.limit.get()))
    }
}

#[test]
fn shared_arguments_are_declared_like_own_arguments() {
    let spec = Look::SPEC;
    let leveled: Vec<_> = spec.leveled().map(|(param, level)| (param.name, level)).collect();
    let read = Some(Level::Read);
    assert_eq!(
        leveled,
        [
            ("query", None),
            ("notebook", read),
            ("under", read),
            ("whole", None),
            ("limit", None),
            ("cursor", None)
        ]
    );
    assert!(spec.slots.iter().all(|slot| matches!(slot, Slot::One(_))));
    let page: Vec<_> = spec.params().skip(4).map(|it| (it.kind, it.presence)).collect();
    let expected = [
        (Kind::Int { low: 1, high: 100 }, Presence::DefaultInt(20)),
        (Kind::Text { min: 1, max: 3 }, Presence::Optional),
    ];
    assert_eq!(page, expected);
    assert_eq!(
        spec.params().last().map(|it| it.doc),
        Some("The `next` of an earlier answer, to continue there.")
    );
}

/// A target is asked about under the name that the caller gave it, wherever the record keeps it.
#[test]
fn shared_arguments_are_decoded_and_judged_as_if_they_were_an_actions_own() {
    let given =
        json!({ "query": "mint", "notebook": "Garden", "under": "20250101000000-aaaaaaa", "cursor": "7" });
    let mut args = Args::new(&Look::SPEC, given.as_object().cloned().unwrap());
    let decoded = Look::decode(&mut args);
    let look = args.finish(decoded).unwrap();
    assert_eq!((look.page.limit.get(), look.page.after()), (20, Some(&7)));
    let needs = look.needs();
    let asked: Vec<_> = needs.iter().map(|need| (need.param.as_str(), need.level)).collect();
    assert_eq!(asked, [("notebook", Level::Read), ("under", Level::Read)]);
}
