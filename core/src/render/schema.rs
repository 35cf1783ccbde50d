//! `tools/list`, folded from the declarations that are on (B-001 to B-007).

use serde_json::{Map, Value, json};

use crate::config::Switches;
use crate::find::actions_of;
use crate::render::signature;
use crate::spec::{ActionSpec, Danger, Effect, Kind, Param, Tier, Tool};

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

/// Every tool that is on, in order.
pub fn descriptors(switches: &Switches) -> Vec<Descriptor> {
    Tool::ALL
        .into_iter()
        .filter(|tool| switches.tool_is_on(*tool))
        .map(|tool| descriptor(tool, switches))
        .collect()
}

fn descriptor(tool: Tool, switches: &Switches) -> Descriptor {
    let on: Vec<&ActionSpec> = actions_of(tool).filter(|spec| switches.is_on(spec)).collect();
    Descriptor {
        tool,
        description: description(tool, &on),
        input_schema: input_schema(&on),
        read_only: on.iter().all(|spec| spec.worst == Effect::Read),
        destructive: on.iter().any(|spec| spec.worst == Effect::Destructive),
        idempotent: on.iter().all(|spec| spec.idempotent),
        open_world: on.iter().any(|spec| spec.worst == Effect::External),
    }
}

fn description(tool: Tool, on: &[&ActionSpec]) -> String {
    let mut out = tool.purpose().to_owned();
    for spec in on.iter().filter(|spec| spec.tier == Tier::Basic) {
        out.push_str(&format!("\n{}: {}", signature(spec), spec.summary()));
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

fn input_schema(on: &[&ActionSpec]) -> Map<String, Value> {
    let mut names: Vec<&str> = on.iter().map(|spec| spec.name).collect();
    names.push("help");
    let mut properties = Map::new();
    properties.insert("action".to_owned(), json!({ "type": "string", "enum": names }));
    for spec in on {
        for param in spec.params() {
            let merged = match properties.get(param.name) {
                Some(present) => merge(present, &property(&param)),
                None => property(&param),
            };
            properties.insert(param.name.to_owned(), merged);
        }
    }
    if on.iter().any(|spec| spec.has_preview()) {
        properties.insert("preview".to_owned(), json!({ "type": "boolean" }));
    }
    if on.iter().any(|spec| spec.danger != Danger::None) {
        properties.insert("confirm".to_owned(), json!({ "type": "string" }));
    }
    properties.insert("topic".to_owned(), json!({ "type": "string" }));
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(["action"]));
    schema
}

fn property(param: &Param) -> Value {
    let mut schema = shape(param.kind);
    if let Some(map) = schema.as_object_mut() {
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
            json!({ "type": "object", "properties": fields })
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
