//! A desk for one call: a notebook with everything that examples are about, and coins for a purchase.

use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Hole};
use serde_json::{Map, Value, json};

use crate::world::World;

/// The things for one call.
pub(crate) struct Desk {
    things: demo_kernel::Desk,
}

impl Desk {
    /// A desk for an example: nothing is laid out that takes long and that it does not need.
    pub(crate) async fn new(world: &World, notebook: &str, title: &str, example: &str) -> Desk {
        world.earn(1_000).await;
        let wants = |thing: &str| example.contains(&format!("{{{thing}}}"));
        let desk = Desk { things: world.kernel.desk(notebook, title, wants).unwrap() };
        if let Some(spare) = desk.spare()
            && let Some(mut table) = world.table().await
            && let Some(level) = table.get(notebook).cloned()
        {
            table[spare] = level;
            world.set_table(&table).await;
        }
        desk
    }

    /// The id of the notebook beside the desk, which has the same level.
    pub(crate) fn spare(&self) -> Option<&str> {
        self.things.thing("spare")
    }

    /// Every word that would reveal the desk.
    pub(crate) fn marks(&self) -> [&str; 5] {
        ["notebook", "doc", "block", "other_doc", "hpath"]
            .map(|name| self.things.thing(name).unwrap().trim_start_matches('/'))
    }

    /// The first example of an action, about the things here.
    pub(crate) fn arguments(&self, spec: &ActionSpec) -> Map<String, Value> {
        self.example(spec, 0)
    }

    /// The example of an action with this number.
    pub(crate) fn example(&self, spec: &ActionSpec, at: usize) -> Map<String, Value> {
        // Another example of the action may be about things that are not here.
        let thing = |hole: Hole| self.things.thing(&hole.name()).unwrap_or_default().to_owned();
        let mut all = example::all(spec, thing);
        let mut arguments = all.swap_remove(at);
        arguments.insert("action".to_owned(), json!(spec.name));
        arguments
    }
}

/// Every example of every action by its number, with a title for its desk.
pub(crate) fn examples() -> impl Iterator<Item = (&'static ActionSpec, usize, String)> {
    let of = |spec: &'static ActionSpec| (0..spec.examples.len()).map(move |at| (spec, at));
    let all = ACTIONS.iter().copied().flat_map(of);
    all.map(|(spec, at)| (spec, at, format!("{} {at}", spec.path().replace('.', " "))))
}
