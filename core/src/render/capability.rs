//! The tools as SiYuan's own agent takes them: short descriptors, with the effects that its approval goes by.
//!
//! SiYuan sends every declaration with each round of a chat, so the list is the compact one. It asks a person by the
//! declared effects, so they are derived from the declarations of the actions and from nothing else.

use serde_json::{Map, Value, json};

use super::schema::{Descriptor, Detail, Style, descriptors_within};
use crate::config::Offer;
use crate::find::actions_of;
use crate::kernel::Nature;
use crate::part::Grouping;
use crate::spec::{ActionSpec, Effect};

/// The way in which the tools are presented.
const STYLE: Style = Style { grouping: Grouping::Grouped, detail: Detail::Compact };

/// The effects of a call, as SiYuan knows them. Every call may read the workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// Whether it may change the workspace.
    pub writes: bool,
    /// Whether it may send something out of the workspace or the machine.
    pub sends: bool,
}

impl Effects {
    /// The effects of an action, whatever its arguments.
    pub fn of(spec: &ActionSpec) -> Effects {
        let sends = spec.worst == Effect::External;
        let is_change = |it: Effect| matches!(it, Effect::Write | Effect::Destructive);
        // Sending something out may include a write.
        let may_write = sends && spec.calls.iter().any(|it| matches!(it.nature, Nature::Write));
        Effects { writes: is_change(spec.effect) || is_change(spec.worst) || may_write, sends }
    }

    fn and(self, other: Effects) -> Effects {
        Effects { writes: self.writes || other.writes, sends: self.sends || other.sends }
    }

    fn to_json(self) -> Value {
        let mut all = Map::new();
        for (is, key) in [(true, "localRead"), (self.writes, "localWrite"), (self.sends, "dataEgress")] {
            if is {
                all.insert(key.to_owned(), Value::Bool(true));
            }
        }
        Value::Object(all)
    }
}

/// Every tool that is offered, in the form of a declaration of the page's `addAgentCapability`, without its handler.
pub fn capabilities(offer: &Offer) -> Vec<Value> {
    descriptors_within(offer, STYLE, STYLE.bytes()).iter().map(|it| capability(it, offer)).collect()
}

fn capability(tool: &Descriptor, offer: &Offer) -> Value {
    let mut all = Effects::default();
    let mut actions = Map::new();
    actions.insert("help".to_owned(), all.to_json());
    for spec in actions_of(tool.tool).filter(|it| offer.has(it)) {
        let effects = Effects::of(spec);
        all = all.and(effects);
        actions.insert(spec.name.to_owned(), effects.to_json());
    }
    json!({
        "name": tool.name(),
        "title": tool.title(),
        "description": tool.description,
        "inputSchema": tool.input_schema,
        // Of an action without effects of its own, such as one that the agent misspells.
        "effects": all.to_json(),
        "actionEffects": Value::Object(actions),
    })
}
