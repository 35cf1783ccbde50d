//! `tools/list`, folded from the declarations that are on (B-001 to B-007).

use serde_json::{Map, Value, json};

use crate::config::Switches;
use crate::find::actions_of;
use crate::render::signature;
use crate::spec::{ActionSpec, Danger, Effect, Kind, Param, Presence, Tier, Tool};

/// One tool as a client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Descriptor {
    /// The tool.
    pub tool: Tool,
    /// When to take it, its actions with their signatures, which are dangerous.
    pub description: String,
    /// A plain object schema.
    pub input_schema: Map<String, Value>,
    /// Whether nothing that is on changes anything.
    pub read_only: bool,
    /// Whether something that is on loses anything.
    pub destructive: bool,
    /// Whether everything that is on can be repeated.
    pub idempotent: bool,
    /// Whether something that is on sends anything out.
    pub open_world: bool,
}

/// How much the list of tools tells (B-006).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Sentences for actions and arguments; at most 12,000 bytes.
    #[default]
    Full,
    /// Names and shapes; sentences are in help. At most 8,000 bytes.
    Compact,
}

impl Detail {
    /// Most bytes of the whole list.
    pub const fn bytes(self) -> usize {
        match self {
            Detail::Full => 12_000,
            Detail::Compact => 8_000,
        }
    }
}

/// What stands around the list on the wire.
const LIST_FRAME_BYTES: usize = 120;
/// What stands around a descriptor on the wire: the names of its fields and the four hints.
const FRAME_BYTES: usize = 180;

/// Every tool that is on, in order.
pub fn descriptors(switches: &Switches) -> Vec<Descriptor> {
    descriptors_within(switches, Detail::Full, Detail::Full.bytes())
}

/// As `descriptors`, with as many properties as there is room for in so many bytes.
///
/// What basic actions require is always there. What finds no room is accepted and decoded all the
/// same, and the signatures in the description and `help` name it (B-004).
pub fn descriptors_within(switches: &Switches, detail: Detail, bytes: usize) -> Vec<Descriptor> {
    let mut drafts: Vec<Draft> = Tool::ALL
        .into_iter()
        .filter(|tool| switches.tool_is_on(*tool))
        .map(|tool| Draft::new(tool, detail, actions_of(tool).filter(|spec| switches.is_on(spec)).collect()))
        .collect();
    let taken: usize = drafts.iter().map(Draft::size).sum();
    let mut room = bytes.saturating_sub(taken + LIST_FRAME_BYTES);
    let longest = drafts.iter().map(|it| it.properties.len()).max().unwrap_or_default();
    // Tool by tool one property at a time, so that the room is shared fairly.
    for rank in [Rank::Words, Rank::Basic, Rank::Advanced] {
        for at in 0..longest {
            for draft in &mut drafts {
                draft.take_in(rank, at, &mut room);
            }
        }
    }
    drafts.into_iter().map(Draft::finish).collect()
}

/// Which property is worth its bytes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A basic action cannot be called without it.
    Required,
    /// A basic action takes one of some words, which nobody can guess.
    Words,
    /// A basic action takes it.
    Basic,
    /// Only advanced actions take it.
    Advanced,
}

/// An argument of a tool on its way into the schema.
struct Property {
    name: &'static str,
    schema: Value,
    rank: Rank,
    listed: bool,
}

impl Property {
    /// Bytes in the schema: quotes, colon and comma included.
    fn size(&self) -> usize {
        self.name.len() + 4 + self.schema.to_string().len()
    }
}

/// A descriptor whose properties are still being chosen.
struct Draft {
    tool: Tool,
    detail: Detail,
    on: Vec<&'static ActionSpec>,
    properties: Vec<Property>,
}

impl Draft {
    fn new(tool: Tool, detail: Detail, on: Vec<&'static ActionSpec>) -> Draft {
        let mut properties: Vec<Property> = Vec::new();
        for spec in &on {
            for param in spec.params() {
                let words = matches!(param.kind, Kind::Choice(_) | Kind::List { item: Kind::Choice(_), .. });
                let rank = match (spec.tier, param.presence) {
                    (Tier::Basic, Presence::Required) => Rank::Required,
                    (Tier::Basic, _) if words => Rank::Words,
                    (Tier::Basic, _) => Rank::Basic,
                    (Tier::Advanced, _) => Rank::Advanced,
                };
                let schema = property(&param, detail);
                match properties.iter_mut().find(|it| it.name == param.name) {
                    Some(known) => {
                        known.schema = merge(&known.schema, &schema);
                        known.rank = known.rank.min(rank);
                    }
                    None => properties.push(Property { name: param.name, schema, rank, listed: false }),
                }
            }
        }
        for it in &mut properties {
            it.listed = it.rank == Rank::Required;
        }
        Draft { tool, detail, on, properties }
    }

    /// Bytes on the wire with what is listed so far.
    fn size(&self) -> usize {
        let description = description(self.tool, self.detail, &self.on);
        let text = json!([self.tool.name(), self.tool.title(), description, self.schema()]);
        text.to_string().len() + FRAME_BYTES
    }

    /// Lists the property at this place, if it has this rank and there is room.
    fn take_in(&mut self, rank: Rank, at: usize, room: &mut usize) {
        if let Some(it) = self.properties.get_mut(at)
            && it.rank == rank
            && let Some(left) = room.checked_sub(it.size())
        {
            it.listed = true;
            *room = left;
        }
    }

    fn schema(&self) -> Value {
        let names: Vec<&str> = self.on.iter().map(|spec| spec.name).chain(["help"]).collect();
        let mut properties = Map::new();
        properties.insert("action".to_owned(), json!({ "type": "string", "enum": names }));
        for it in self.properties.iter().filter(|it| it.listed) {
            properties.insert(it.name.to_owned(), it.schema.clone());
        }
        if self.on.iter().any(|spec| spec.has_preview()) {
            properties.insert("preview".to_owned(), json!({ "type": "boolean" }));
        }
        if self.on.iter().any(|spec| spec.danger != Danger::None) {
            properties.insert("confirm".to_owned(), json!({ "type": "string" }));
        }
        properties.insert("topic".to_owned(), json!({ "type": "string" }));
        json!({ "type": "object", "properties": properties, "required": ["action"] })
    }

    fn finish(self) -> Descriptor {
        let input_schema = match self.schema() {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        let on = self.on;
        Descriptor {
            tool: self.tool,
            description: description(self.tool, self.detail, &on),
            input_schema,
            read_only: on.iter().all(|spec| spec.worst == Effect::Read),
            destructive: on.iter().any(|spec| spec.worst == Effect::Destructive),
            idempotent: on.iter().all(|spec| spec.idempotent),
            open_world: on.iter().any(|spec| spec.worst == Effect::External),
        }
    }
}

fn description(tool: Tool, detail: Detail, on: &[&ActionSpec]) -> String {
    let mut out = tool.purpose().to_owned();
    for spec in on.iter().filter(|spec| spec.tier == Tier::Basic) {
        out.push_str(&match detail {
            Detail::Full => format!("\n{}: {}", signature(spec), spec.summary()),
            Detail::Compact => format!("\n{}", signature(spec)),
        });
    }
    let asking: Vec<&str> =
        on.iter().filter(|spec| spec.danger != Danger::None).map(|spec| spec.name).collect();
    if !asking.is_empty() {
        out.push_str(&format!("\nDangerous, a person may have to approve: {}.", asking.join(", ")));
    }
    if on.iter().any(|spec| spec.has_preview()) {
        out.push_str("\nWrites take preview:true.");
    }
    out.push_str("\nMore: action help, topic <action>.");
    out
}

fn property(param: &Param, detail: Detail) -> Value {
    let mut schema = shape(param.kind);
    if let Some(map) = schema.as_object_mut().filter(|_| detail == Detail::Full) {
        map.insert("description".to_owned(), json!(param.doc));
    }
    schema
}

/// A kind as JSON schema: no `$ref`, no type arrays, no formats (B-004).
fn shape(kind: Kind) -> Value {
    match kind {
        Kind::Text { .. } | Kind::NotebookRef | Kind::Path | Kind::Id => json!({ "type": "string" }),
        Kind::Int { low, high } => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        Kind::List { item, max, .. } => json!({ "type": "array", "items": shape(*item), "maxItems": max }),
        Kind::Record(params) => {
            let fields: Map<String, Value> =
                params.iter().map(|param| (param.name.to_owned(), shape(param.kind))).collect();
            let required: Vec<&str> =
                params.iter().filter(|it| it.presence == Presence::Required).map(|it| it.name).collect();
            json!({ "type": "object", "properties": fields, "required": required })
        }
        Kind::Attrs => json!({ "type": "object" }),
    }
}

/// One property for several actions: the widest bounds, every word.
fn merge(present: &Value, new: &Value) -> Value {
    let mut out = present.clone();
    let (Some(map), Some(new)) = (out.as_object_mut(), new.as_object()) else { return out };
    for (bound, wider) in
        [("minimum", i64::min as fn(i64, i64) -> i64), ("maximum", i64::max), ("maxItems", i64::max)]
    {
        let sides = (map.get(bound).and_then(Value::as_i64), new.get(bound).and_then(Value::as_i64));
        if let (Some(a), Some(b)) = sides {
            map.insert(bound.to_owned(), json!(wider(a, b)));
        }
    }
    if let (Some(Value::Array(words)), Some(Value::Array(more))) = (map.get_mut("enum"), new.get("enum")) {
        let fresh: Vec<Value> = more.iter().filter(|word| !words.contains(word)).cloned().collect();
        words.extend(fresh);
    }
    out
}
