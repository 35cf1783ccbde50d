//! `mcpToolsConfig`: which tools and actions are on. Unknown keys survive a round trip (B-230).

use serde_json::{Map, Value, json};

use super::migration;
use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Tool};

/// The switches as they lie in the file.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Switches(Map<String, Value>);

impl Default for Switches {
    /// Every declared action as its declaration says.
    fn default() -> Self {
        let mut switches = Switches(Map::new());
        for spec in ACTIONS {
            switches.set(spec.tool, spec.name, spec.default_on);
        }
        for tool in Tool::ALL {
            if ACTIONS.iter().any(|spec| spec.tool == tool) {
                switches.set_tool(tool, true);
            }
        }
        switches
    }
}

impl Switches {
    /// Reads the file, older shapes included; `None` when it is no JSON object.
    pub fn parse(bytes: &[u8]) -> Option<Switches> {
        let map: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        if map.contains_key("code") && map.contains_key("msg") {
            return None;
        }
        let is_present_shape =
            Tool::ALL.iter().any(|tool| map.get(tool.name()).is_some_and(Value::is_object));
        Some(if is_present_shape || map.is_empty() { Switches(map) } else { migration::migrate(map) })
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// Whether a tool is switched on; one whose actions are all off is off (B-232).
    pub fn tool_is_on(&self, tool: Tool) -> bool {
        self.tool_switch(tool) && ACTIONS.iter().any(|spec| spec.tool == tool && self.action_switch(spec))
    }

    /// Whether an action can be called.
    pub fn is_on(&self, spec: &ActionSpec) -> bool {
        self.tool_switch(spec.tool) && self.action_switch(spec)
    }

    /// The tool's own switch, whatever its actions say.
    pub fn tool_switch(&self, tool: Tool) -> bool {
        self.tool(tool).and_then(|it| it.get("enabled")).and_then(Value::as_bool).unwrap_or(true)
    }

    /// The action's own switch, whatever its tool says; a new action has its default (B-234).
    pub fn action_switch(&self, spec: &ActionSpec) -> bool {
        let actions = self.tool(spec.tool).and_then(|it| it.get("actions"));
        actions.and_then(|it| it.get(spec.name)).and_then(Value::as_bool).unwrap_or(spec.default_on)
    }

    /// Switches a tool.
    pub fn set_tool(&mut self, tool: Tool, on: bool) {
        self.entry(tool).insert("enabled".to_owned(), Value::Bool(on));
    }

    /// Switches an action, by name: an older file may name one that a later version brings.
    pub fn set(&mut self, tool: Tool, action: &str, on: bool) {
        let entry = self.entry(tool);
        let actions = entry.entry("actions").or_insert_with(|| json!({}));
        if !actions.is_object() {
            *actions = json!({});
        }
        if let Some(actions) = actions.as_object_mut() {
            actions.insert(action.to_owned(), Value::Bool(on));
        }
    }

    /// Keeps a key nobody knows.
    pub(super) fn keep(&mut self, key: String, value: Value) {
        self.0.entry(key).or_insert(value);
    }

    fn tool(&self, tool: Tool) -> Option<&Map<String, Value>> {
        self.0.get(tool.name()).and_then(Value::as_object)
    }

    fn entry(&mut self, tool: Tool) -> &mut Map<String, Value> {
        let value = self.0.entry(tool.name()).or_insert_with(|| json!({}));
        if !value.is_object() {
            *value = json!({});
        }
        match value {
            Value::Object(map) => map,
            _ => unreachable!("made an object just above"),
        }
    }
}
