//! The declaration of an action, const so that every consumer reads the same table.

use crate::kernel::Route;
use crate::permission::Level;

/// The eleven MCP tools, in the order of `tools/list` and the docs (B-001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Notes as files, by workspace path.
    Fs,
    /// Notebooks as a whole.
    Notebook,
    /// Documents by id.
    Document,
    /// Blocks by id.
    Block,
    /// Databases.
    Av,
    /// Assets, exports, templates.
    File,
    /// Text, links, SQL.
    Search,
    /// Tags and bookmarks.
    Tag,
    /// The app itself.
    System,
    /// Spaced repetition.
    Flashcard,
    /// The puppy.
    Mascot,
}

impl Tool {
    /// Every tool, in order.
    pub const ALL: [Tool; 11] = [
        Tool::Fs,
        Tool::Notebook,
        Tool::Document,
        Tool::Block,
        Tool::Av,
        Tool::File,
        Tool::Search,
        Tool::Tag,
        Tool::System,
        Tool::Flashcard,
        Tool::Mascot,
    ];

    /// The tool's name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::Fs => "fs",
            Tool::Notebook => "notebook",
            Tool::Document => "document",
            Tool::Block => "block",
            Tool::Av => "av",
            Tool::File => "file",
            Tool::Search => "search",
            Tool::Tag => "tag",
            Tool::System => "system",
            Tool::Flashcard => "flashcard",
            Tool::Mascot => "mascot",
        }
    }

    /// The tool's name for people, as clients show it beside a call.
    pub const fn title(self) -> &'static str {
        match self {
            Tool::Fs => "Notes by path",
            Tool::Notebook => "Notebooks",
            Tool::Document => "Documents",
            Tool::Block => "Blocks",
            Tool::Av => "Databases",
            Tool::File => "Files",
            Tool::Search => "Search",
            Tool::Tag => "Tags and bookmarks",
            Tool::System => "SiYuan itself",
            Tool::Flashcard => "Flashcards",
            Tool::Mascot => "Puppy",
        }
    }

    /// When to take this tool: the first sentence of its description, read by models.
    pub const fn purpose(self) -> &'static str {
        match self {
            Tool::Fs => {
                "Notes as files by workspace path (/Notebook/Folder/Doc): list, read, write, edit Markdown. Start here."
            }
            Tool::Notebook => "Notebooks as a whole: which exist and what you may do in each.",
            Tool::Document => "Documents by id: create, look up, move, remove. To read or write text use fs.",
            Tool::Block => "Single blocks by id: paragraphs, headings, lists, tables.",
            Tool::Av => "Databases: rows, columns, views.",
            Tool::File => "Assets, exports and templates.",
            Tool::Search => "Find blocks across notebooks by their text.",
            Tool::Tag => "Tags and bookmarks across the workspace.",
            Tool::System => "The SiYuan app: version and state.",
            Tool::Flashcard => "Spaced repetition cards.",
            Tool::Mascot => "The puppy in the corner of the window; nothing here touches notes.",
        }
    }

    /// The tool of that name.
    pub fn named(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name)
    }
}

/// What a call does to the workspace; `MCP` annotations and the puppy's pose follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes what is on screen, nothing in the workspace.
    Screen,
    /// Creates or changes.
    Write,
    /// Something is lost, only history brings it back.
    Destructive,
    /// Something leaves the workspace or the machine.
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

/// Whether a person must approve, and the sentence shown to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Danger {
    /// Never asks.
    None,
    /// Always asks with this sentence.
    Always(&'static str),
    /// Asks where the plan says so.
    Sometimes(&'static str),
}

impl Danger {
    /// The sentence, if there is one.
    pub const fn sentence(self) -> Option<&'static str> {
        match self {
            Danger::None => None,
            Danger::Always(sentence) | Danger::Sometimes(sentence) => Some(sentence),
        }
    }
}

/// What an action without a target asks of the grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing beyond its targets.
    Targets,
    /// This level in every notebook it would touch; a reader's rows are filtered.
    Workspace(Level),
    /// This level in at least one notebook.
    Some(Level),
}

/// How prominently an action is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// With its signature in the tool's description.
    Basic,
    /// Named in `action` and in help.
    Advanced,
}

/// The shape of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text of a length in characters.
    Text {
        /// Fewest characters.
        min: usize,
        /// Most characters.
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
    /// The path of an asset, `assets/plan.png`.
    Asset,
    /// The value of a cell: what its column takes, or null to clear it.
    Cell,
    /// One word of a list.
    Choice(&'static [&'static str]),
    /// A list of one kind.
    List {
        /// What each item is.
        item: &'static Kind,
        /// Fewest items.
        min: usize,
        /// Most items.
        max: usize,
    },
    /// An object with these fields.
    Record(&'static [Param]),
    /// An object of attribute names to text, or null to remove.
    Attrs,
}

/// Whether an argument must be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Must be sent.
    Required,
    /// May be left out.
    Optional,
    /// May be left out; this is what counts then.
    DefaultInt(i64),
    /// As `DefaultInt`, for true and false.
    DefaultBool(bool),
    /// As `DefaultInt`, for a word or text.
    DefaultText(&'static str),
}

/// What the target of an argument must grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// It names no target.
    Nothing,
    /// This level.
    Level(Level),
    /// What the field says that holds the choice between groups, or the record; those alone do not know.
    OfTheChoice,
}

impl Needs {
    /// The level, in a choice that needs this one.
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
    /// Name on the wire; the flag is this with hyphens.
    pub name: &'static str,
    /// One sentence, the same wherever the name occurs in a tool.
    pub doc: &'static str,
    /// Its shape.
    pub kind: Kind,
    /// Whether it must be sent.
    pub presence: Presence,
    /// What its target must grant.
    pub needs: Needs,
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

/// Lays lists of fields behind each other, for declarations that share some of them.
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

/// How many fields these lists have.
pub const fn fields(mut parts: &[&[Slot]]) -> usize {
    let mut sum = 0;
    while let Some((part, rest)) = parts.split_first() {
        sum += part.len();
        parts = rest;
    }
    sum
}

/// The fields of a record, laid among an action's own: what names a target needs the level that the action says.
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
    /// What it does; the first line is the summary.
    pub doc: &'static str,
    /// Its fields.
    pub slots: &'static [Slot],
    /// What it asks beyond its targets.
    pub access: Access,
    /// Its usual effect.
    pub effect: Effect,
    /// The worse effect it has with certain arguments, if any.
    pub worst: Effect,
    /// Whether a person must approve.
    pub danger: Danger,
    /// Whether doing it twice is doing it once.
    pub idempotent: bool,
    /// The endpoints it may reach, and no others.
    pub calls: &'static [Route],
    /// Whether it is on until somebody switches it.
    pub default_on: bool,
    /// How prominently it is shown.
    pub tier: Tier,
    /// The version that brought it.
    pub since: &'static str,
    /// Other names, accepted and never advertised.
    pub aliases: &'static [&'static str],
}

impl ActionSpec {
    /// The first line of the documentation.
    pub fn summary(&self) -> &'static str {
        self.doc.lines().next().unwrap_or_default()
    }

    /// Every argument, groups laid flat.
    pub fn params(&self) -> impl Iterator<Item = Param> + use<> {
        self.leveled().map(|(param, _)| param)
    }

    /// As `params`, each with the level its target needs.
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

    /// The highest level it asks of any target.
    pub fn level(&self) -> Option<Level> {
        let own = match self.access {
            Access::Targets => None,
            Access::Workspace(level) | Access::Some(level) => Some(level),
        };
        self.leveled().filter_map(|(_, level)| level).chain(own).max()
    }

    /// `tool.action`, the name in messages, switches and tests.
    pub fn path(&self) -> String {
        format!("{}.{}", self.tool.name(), self.name)
    }

    /// Whether it has the argument `preview` (every action that is not a read).
    pub fn has_preview(&self) -> bool {
        self.worst != Effect::Read
    }
}
