//! Drafts the descriptor of one tool, as far up the ladder as the whole list reaches.

use serde_json::{Map, Value, json};

use super::descriptor::{Descriptor, Detail};
use super::ladder::{Ladder, ListReach, Rung};
use super::shape::{Depth, merge, shape};
use super::signature::signature_with;
use crate::part::Part;
use crate::permission::MORE_ALLOWED;
use crate::spec::{ActionSpec, Danger, Effect, Param, Presence, Tier, Tool};

/// The maximum size of a description in bytes, and in characters: 500 tokens of four (B-005).
const DESCRIPTION: (usize, usize) = (2_048, 2_000);

/// An argument of a tool, merged over the actions that take it.
struct Argument {
    name: &'static str,
    doc: &'static str,
    is_basic: bool,
    is_required: bool,
    bare: Value,
    worded: Value,
    bounded: Value,
}

impl Argument {
    fn new(spec: &ActionSpec, param: &Param) -> Argument {
        let is_basic = spec.tier == Tier::Basic;
        Argument {
            name: param.name,
            doc: param.doc,
            is_basic,
            is_required: is_basic && param.presence == Presence::Required,
            bare: shape(param.kind, Depth::Bare),
            worded: shape(param.kind, Depth::Worded),
            bounded: shape(param.kind, Depth::Bounded),
        }
    }

    /// Widens it to the same argument of another action.
    fn widen(&mut self, other: &Argument) {
        self.is_basic |= other.is_basic;
        self.is_required |= other.is_required;
        merge(&mut self.worded, &other.worded);
        merge(&mut self.bounded, &other.bounded);
    }

    /// The rung of its property.
    fn rung(&self) -> Rung {
        match (self.is_required, self.is_basic) {
            (true, _) => Rung::Required,
            (false, true) => Rung::Optional,
            (false, false) => Rung::AdvancedOptional,
        }
    }

    /// The rung on which its words and fields come into signatures.
    fn words_rung(&self) -> Rung {
        if self.is_basic { Rung::Words } else { Rung::AdvancedWords }
    }
}

/// A tool with everything that can be said of it.
pub(super) struct Draft<'a> {
    tool: Tool,
    part: Part,
    place: usize,
    detail: Detail,
    on: Vec<&'a ActionSpec>,
    /// Whether there would be more actions if a person raised a level.
    has_more: bool,
    arguments: Vec<Argument>,
    /// The point that its description never passes, whatever room the list has.
    most: Option<ListReach>,
}

impl<'a> Draft<'a> {
    /// The part of a tool at a place of the list, with the actions that are offered.
    pub(super) fn new(
        (tool, part): (Tool, Part),
        place: usize,
        detail: Detail,
        on: Vec<&'a ActionSpec>,
        has_more: bool,
    ) -> Draft<'a> {
        let mut found: Vec<Argument> = Vec::new();
        for spec in &on {
            for param in spec.params() {
                let new = Argument::new(spec, &param);
                match found.iter_mut().find(|it| it.name == new.name) {
                    Some(known) => known.widen(&new),
                    None => found.push(new),
                }
            }
        }
        // Required arguments come first, in the schema as on every rung. Sorting would be more code than these passes.
        let mut arguments = Vec::with_capacity(found.len());
        for rung in [Rung::Required, Rung::Optional, Rung::AdvancedOptional] {
            arguments.extend(found.extract_if(.., |it| it.rung() == rung));
        }
        Draft { tool, part, place, detail, on, has_more, arguments, most: None }
    }

    /// The maximum number of things that it has to say on one rung.
    pub(super) fn turns(&self) -> usize {
        // At least the three properties that belong to every action.
        self.on.len().max(self.arguments.len()).max(3)
    }

    /// Keeps the description within its own budget (B-005).
    pub(super) fn bound(&mut self, ladder: Ladder) {
        let (bytes, chars) = DESCRIPTION;
        // Counts the words of arguments even where a property has them, so that a higher reach is never shorter.
        let fits = |reach| {
            let text = self.description(reach, &|argument, at| self.says(reach, argument.words_rung(), at));
            text.len() <= bytes && text.chars().count() <= chars
        };
        self.most = Some(ladder.highest(fits));
    }

    /// The descriptor that a client sees.
    pub(super) fn descriptor(&self, reach: ListReach) -> Descriptor {
        let shown = self.most.map_or(reach, |most| reach.min(most));
        let in_signature = |argument: &Argument, at: usize| {
            self.says(shown, argument.words_rung(), at) && !self.has_worded(reach, argument, at)
        };
        Descriptor {
            tool: self.tool,
            part: self.part,
            description: self.description(shown, &in_signature),
            hint: self.says(reach, Rung::Hints, 0).then(|| self.tool.hint()),
            input_schema: self.schema(reach),
            read_only: self.on.iter().all(|spec| spec.worst == Effect::Read),
            destructive: self.on.iter().any(|spec| spec.worst == Effect::Destructive),
            idempotent: self.on.iter().all(|spec| spec.idempotent),
            open_world: self.on.iter().any(|spec| spec.worst == Effect::External),
        }
    }

    /// Whether the tool's item at this turn of a rung is shown; a compact list has no sentences, and a complete one has
    /// every property.
    fn says(&self, reach: ListReach, rung: Rung, turn: usize) -> bool {
        let is_property =
            matches!(rung, Rung::Required | Rung::Common | Rung::Optional | Rung::AdvancedOptional);
        if is_property && self.detail == Detail::Complete {
            return true;
        }
        let is_sentence = matches!(rung, Rung::Summaries | Rung::AdvancedSummaries | Rung::Sentences);
        !(is_sentence && self.detail == Detail::Compact) && reach.covers(rung, turn, self.place)
    }

    /// Whether the property of an argument has its words and fields.
    fn has_worded(&self, reach: ListReach, argument: &Argument, at: usize) -> bool {
        self.says(reach, argument.rung(), at) && self.says(reach, Rung::Shapes, at)
    }

    fn description(&self, reach: ListReach, in_signature: &dyn Fn(&Argument, usize) -> bool) -> String {
        let mut out = self.tool.purpose().to_owned();
        match self.part {
            Part::Whole => {}
            Part::Reads => out.push_str(" Actions that only read."),
            Part::Changes => out.push_str(" Actions that can change something."),
        }
        let tells = |param: &Param| {
            let argument = self.arguments.iter().enumerate().find(|(_, it)| it.name == param.name);
            argument.is_some_and(|(at, argument)| in_signature(argument, at))
        };
        for (at, spec) in self.on.iter().enumerate() {
            let (is_shown, is_whole, summary) = match spec.tier {
                Tier::Basic => (true, self.says(reach, Rung::Signatures, at), Rung::Summaries),
                Tier::Advanced => (self.says(reach, Rung::Advanced, at), true, Rung::AdvancedSummaries),
            };
            if !is_shown {
                continue;
            }
            out.push_str(&format!("\n{}", signature_with(spec, is_whole, &tells)));
            if self.says(reach, summary, at) {
                out.push_str(&format!(": {}", spec.summary()));
            }
        }
        out.push_str("\nhelp(topic?)");
        let asking: Vec<&str> = self.asking().map(|spec| spec.name).collect();
        if !asking.is_empty() {
            out.push_str(&format!("\nMay ask a person: {}.", asking.join(", ")));
        }
        if self.has_preview() && self.says(reach, Rung::Common, 1) {
            out.push_str("\nWrites take preview:true.");
        }
        if self.has_more {
            out.push_str(&format!("\n{MORE_ALLOWED}"));
        }
        out
    }

    fn schema(&self, reach: ListReach) -> Map<String, Value> {
        let names: Vec<&str> = self.on.iter().map(|spec| spec.name).chain(["help"]).collect();
        let mut properties = Map::new();
        properties.insert("action".to_owned(), json!({ "type": "string", "enum": names }));
        for (at, it) in self.arguments.iter().enumerate() {
            if self.says(reach, it.rung(), at) {
                properties.insert(it.name.to_owned(), self.property(reach, it, at));
            }
        }
        let common = [
            ("confirm", "string", self.asking().next().is_some()),
            ("preview", "boolean", self.has_preview()),
            ("topic", "string", true),
        ];
        for (turn, (name, kind, is_taken)) in common.into_iter().enumerate() {
            if is_taken && self.says(reach, Rung::Common, turn) {
                properties.insert(name.to_owned(), json!({ "type": kind }));
            }
        }
        Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("properties".to_owned(), Value::Object(properties)),
            ("required".to_owned(), json!(["action"])),
        ])
    }

    fn property(&self, reach: ListReach, argument: &Argument, at: usize) -> Value {
        let has_worded = self.has_worded(reach, argument, at);
        let mut out = match has_worded {
            false => argument.bare.clone(),
            true if self.says(reach, Rung::Bounds, at) => argument.bounded.clone(),
            true => argument.worded.clone(),
        };
        if let Some(map) = out.as_object_mut().filter(|_| self.says(reach, Rung::Sentences, at)) {
            map.insert("description".to_owned(), json!(argument.doc));
        }
        out
    }

    /// The actions that a person may have to approve.
    fn asking(&self) -> impl Iterator<Item = &'a ActionSpec> {
        self.on.iter().copied().filter(|spec| spec.danger != Danger::None)
    }

    fn has_preview(&self) -> bool {
        self.on.iter().any(|spec| spec.has_preview())
    }
}
