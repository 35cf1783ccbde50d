//! The declaration of an action, const so that every consumer reads the same table.

mod hole;
mod interpreter;
mod tool;
mod verb;

use crate::grants::Level;
use crate::kernel::Route;

pub use hole::{Hole, fill};
pub use interpreter::{Interpreter, ReadBy};
pub use tool::Tool;
pub use verb::{Back, Verb};

/// The effect of a call on the workspace; `MCP` annotations and the puppy's pose follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes the screen, but nothing in the workspace.
    Screen,
    /// Creates or changes.
    Write,
    /// Loses something that only history can bring back.
    Destructive,
    /// Sends something out of the workspace or the machine.
    External,
}

impl Effect {
    /// One word for help and panel.
    pub const fn word(self) -> &'static str {
        match self {
            Effect::Read => "reads",
            Effect::Screen => "shows",
            Effect::Write => "writes",
            Effect::Destructive => "deletes",
            Effect::External => "sends out",
        }
    }
}

/// Whether a person must approve the action, and the sentence that they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Danger {
    /// The action never asks.
    None,
    /// The action always asks, with this sentence.
    Always(&'static str),
    /// The action asks when its plan says so.
    Sometimes(&'static str),
    /// The action always asks, and of an agent's calls only a person in SiYuan can approve it: it changes what agents may
    /// do, and an agent may sit between any other question and the person. Who types the command is asked on the
    /// terminal.
    InSiyuan(&'static str),
}

impl Danger {
    /// The sentence, if there is one.
    pub const fn sentence(self) -> Option<&'static str> {
        match self {
            Danger::None => None,
            Danger::Always(sentence) | Danger::Sometimes(sentence) | Danger::InSiyuan(sentence) => {
                Some(sentence)
            }
        }
    }

    /// Whether every call asks.
    pub const fn always_asks(self) -> bool {
        matches!(self, Danger::Always(_) | Danger::InSiyuan(_))
    }

    /// Whether a person in SiYuan approves it and no client of an agent.
    pub const fn is_for_siyuan(self) -> bool {
        matches!(self, Danger::InSiyuan(_))
    }
}

/// The levels that an action needs beyond those of its targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// None.
    Targets,
    /// This level in every notebook that the action would touch; the rows of a reader are filtered.
    Workspace(Level),
    /// This level in at least one notebook.
    Some(Level),
}

/// The prominence of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// With its signature in the tool's description.
    Basic,
    /// Only named in `action` and in help.
    Advanced,
}

/// The shape of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text with a length in characters.
    Text {
        /// The minimum number of characters.
        min: usize,
        /// The maximum number of characters.
        max: usize,
    },
    /// A whole number within bounds.
    Int {
        /// Lowest.
        low: i64,
        /// Highest.
        high: i64,
    },
    /// True or false.
    Bool,
    /// An id of the kernel's form.
    Id,
    /// A notebook's id or exact name.
    NotebookRef,
    /// A workspace path `/Notebook/Folder/Doc`.
    Path,
    /// The path of an asset, such as `assets/plan.png`.
    Asset,
    /// A tag that notes carry, without its `#` signs.
    Tag,
    /// The value of a cell: whatever its column takes, or null to clear it.
    Cell,
    /// One word out of a list.
    Choice(&'static [&'static str]),
    /// A list of one kind.
    List {
        /// The kind of each item.
        item: &'static Kind,
        /// The minimum number of items.
        min: usize,
        /// The maximum number of items.
        max: usize,
    },
    /// An object with these fields.
    Record(&'static [Param]),
    /// An object that maps attribute names to text, or to null to remove the attribute.
    Attrs,
    /// An object whose fields depend on what it is about, such as cells by the names of their columns.
    Object,
}

impl Kind {
    /// Whether a command line takes a value as JSON.
    pub const fn is_structured(self) -> bool {
        match self {
            Kind::Record(_) | Kind::Attrs | Kind::Cell | Kind::Object => true,
            Kind::List { item, .. } => item.is_structured() || matches!(item, Kind::List { .. }),
            _ => false,
        }
    }
}

/// Whether an argument must be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Must be sent.
    Required,
    /// May be left out.
    Optional,
    /// May be left out; this value applies then.
    DefaultInt(i64),
    /// Like `DefaultInt`, for true and false.
    DefaultBool(bool),
    /// Like `DefaultInt`, for a word or text.
    DefaultText(&'static str),
}

/// The level that the target of an argument must grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The argument names no target.
    Nothing,
    /// This level.
    Level(Level),
    /// The level of the field that holds the choice between groups, or the record; the argument alone does not know
    /// it.
    OfTheChoice,
}

impl Needs {
    /// The level, given the level of the choice that this argument is part of.
    pub fn level(self, of_the_choice: Option<Level>) -> Option<Level> {
        match self {
            Needs::Nothing => None,
            Needs::Level(level) => Some(level),
            Needs::OfTheChoice => of_the_choice,
        }
    }
}

/// One argument, as schema, command-line flag, form field and page all see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// The name on the wire; the command-line flag is the same with hyphens.
    pub name: &'static str,
    /// One sentence, the same wherever the name occurs in a tool.
    pub doc: &'static str,
    /// Its shape.
    pub kind: Kind,
    /// Whether it must be sent.
    pub presence: Presence,
    /// The level that its target must grant.
    pub needs: Needs,
    /// The interpreters of SiYuan that read its text.
    pub read_by: &'static [Interpreter],
    /// Other spellings, accepted and never advertised.
    pub aliases: &'static [&'static str],
}

/// One field of an action: an argument, or a choice between groups of arguments.
#[derive(Debug, Clone, Copy)]
pub enum Slot {
    /// One argument.
    One(Param),
    /// Exactly one of these groups is sent.
    OneOf(&'static [&'static [Param]], Option<Level>),
}

/// Joins lists of fields, for declarations that share some of them.
pub const fn joined<const N: usize>(mut parts: &[&[Slot]]) -> [Slot; N] {
    let mut all = [Slot::OneOf(&[], None); N];
    let mut free: &mut [Slot] = &mut all;
    while let Some((part, rest)) = parts.split_first() {
        let mut part = *part;
        while let Some((slot, more)) = part.split_first() {
            let Some((place, behind)) = { free }.split_first_mut() else { return all };
            *place = *slot;
            (part, free) = (more, behind);
        }
        parts = rest;
    }
    all
}

/// The number of fields in these lists.
pub const fn fields(mut parts: &[&[Slot]]) -> usize {
    let mut sum = 0;
    while let Some((part, rest)) = parts.split_first() {
        sum += part.len();
        parts = rest;
    }
    sum
}

/// The fields of a record, as slots among an action's own. A field that names a target needs the given level.
pub const fn laid<const N: usize>(mut params: &[Param], level: Option<Level>) -> [Slot; N] {
    let mut all = [Slot::OneOf(&[], None); N];
    let mut free: &mut [Slot] = &mut all;
    while let Some((param, rest)) = params.split_first() {
        let Some((place, behind)) = { free }.split_first_mut() else { return all };
        let mut param = *param;
        param.needs = match (param.needs, level) {
            (Needs::OfTheChoice, Some(level)) => Needs::Level(level),
            (needs, _) => needs,
        };
        *place = Slot::One(param);
        (params, free) = (rest, behind);
    }
    all
}

/// The single declaration everything else is derived from.
#[derive(Debug, Clone, Copy)]
pub struct ActionSpec {
    /// The tool it belongs to.
    pub tool: Tool,
    /// Its name, an imperative verb in snake_case.
    pub name: &'static str,
    /// The documentation; its first line is the summary.
    pub doc: &'static str,
    /// Its fields.
    pub slots: &'static [Slot],
    /// The levels that it needs beyond those of its targets.
    pub access: Access,
    /// Its usual effect.
    pub effect: Effect,
    /// The worst effect that its arguments can give it; `effect` if none does.
    pub worst: Effect,
    /// Whether a person must approve.
    pub danger: Danger,
    /// The deed of a dangerous call and its way back, for the question.
    pub deed: Option<(Verb, Back)>,
    /// Whether a second identical call changes nothing more.
    pub idempotent: bool,
    /// The endpoints that it may call; no others are reachable.
    pub calls: &'static [Route],
    /// Calls as JSON text, with holes. Help shows the first, and tests make them all.
    pub examples: &'static [&'static str],
    /// Whether it is on until a person switches it.
    pub default_on: bool,
    /// Its prominence.
    pub tier: Tier,
    /// The version that introduced it.
    pub since: &'static str,
    /// Other names, accepted and never advertised.
    pub aliases: &'static [&'static str],
}

impl ActionSpec {
    /// The first line of the documentation.
    pub fn summary(&self) -> &'static str {
        self.doc.lines().next().unwrap_or_default()
    }

    /// Every argument, with the groups flattened.
    pub fn params(&self) -> impl Iterator<Item = Param> + use<> {
        self.leveled().map(|(param, _)| param)
    }

    /// Like `params`, each with the level that its target needs.
    pub fn leveled(&self) -> impl Iterator<Item = (Param, Option<Level>)> + use<> {
        let slots = self.slots;
        slots.iter().flat_map(|slot| {
            let (groups, level): (Vec<&[Param]>, _) = match slot {
                Slot::One(param) => (vec![std::slice::from_ref(param)], None),
                Slot::OneOf(groups, level) => (groups.to_vec(), *level),
            };
            let params = groups.into_iter().flatten();
            params.map(move |param| (*param, param.needs.level(level))).collect::<Vec<_>>()
        })
    }

    /// The argument that a command line takes without its name: the first one that must be sent, the first of a choice
    /// included; where none must be sent, a path or a query.
    pub fn positional(&self) -> Option<Param> {
        let must = self.slots.iter().find_map(|slot| match slot {
            Slot::One(param) if param.presence == Presence::Required => Some(*param),
            Slot::OneOf([[first, ..], ..], _) => Some(*first),
            _ => None,
        });
        let may = || self.params().find(|it| it.kind == Kind::Path || it.name == "query");
        must.or_else(may).filter(|it| !it.kind.is_structured() && it.kind != Kind::Bool)
    }

    /// The highest level that it needs on any target.
    pub fn level(&self) -> Option<Level> {
        let own = match self.access {
            Access::Targets => None,
            Access::Workspace(level) | Access::Some(level) => Some(level),
        };
        self.leveled().filter_map(|(_, level)| level).chain(own).max()
    }

    /// `tool.action`: the name in messages, switches and tests.
    pub fn path(&self) -> String {
        format!("{}.{}", self.tool.name(), self.name)
    }

    /// Whether it has the argument `preview` (every action that is not a read).
    pub fn has_preview(&self) -> bool {
        self.worst != Effect::Read
    }
}
