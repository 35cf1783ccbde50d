//! `mcpToolsConfig`: which tools and actions are on. Unknown keys survive a round trip (B-230).

mod migration;

use serde_json::{Map, Value, json};

use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Tool};
use crate::strict;

/// The switches as stored in the file.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Switches(Map<String, Value>);

impl Default for Switches {
    /// Every action with the default of its declaration.
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
    /// Reads the file, older shapes included; `None` when it is not a JSON object or names a key twice.
    pub fn parse(bytes: &[u8]) -> Option<Switches> {
        let map = strict::object(bytes)?;
        let is_present = map.is_empty() || migration::is_present_shape(&map);
        Some(if is_present { Switches(map) } else { migration::migrate(map) })
    }

    /// These switches with those of an older plugin's file laid over them; `None` where it cannot be read (B-238).
    pub fn with_older(&self, bytes: &[u8]) -> Option<Switches> {
        strict::object(bytes).map(|older| migration::laid_over(self, older))
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

    /// The tool's own switch, regardless of its actions; a value that is not a switch is off.
    pub fn tool_switch(&self, tool: Tool) -> bool {
        match self.0.get(tool.name()) {
            // `true` comes from an older shape, which is not read together with the present one (B-231).
            None | Some(Value::Bool(true)) => true,
            Some(tool) => tool.as_object().is_some_and(|it| switch(it.get("enabled"), true)),
        }
    }

    /// The action's own switch, regardless of its tool; a new action has its default (B-234).
    pub fn action_switch(&self, spec: &ActionSpec) -> bool {
        match self.0.get(spec.tool.name()) {
            None | Some(Value::Bool(true)) => spec.default_on,
            Some(tool) => match tool.as_object().map(|it| it.get("actions")) {
                Some(None) => spec.default_on,
                Some(Some(Value::Object(actions))) => switch(actions.get(spec.name), spec.default_on),
                _ => false,
            },
        }
    }

    /// Switches a tool.
    pub fn set_tool(&mut self, tool: Tool, on: bool) {
        self.entry(tool).insert("enabled".to_owned(), Value::Bool(on));
    }

    /// Switches an action by name, because an older file may name one that a later version adds.
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

    /// Keeps an unknown key.
    fn keep(&mut self, key: String, value: Value) {
        self.0.entry(key).or_insert(value);
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

/// A switch from the file: its default if absent, otherwise on only if it says so.
fn switch(value: Option<&Value>, shipped: bool) -> bool {
    value.map_or(shipped, |it| *it == Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Effect;

    /// F13, F21: a switch with any value but `true` is off, and so is everything below a value that is not an object.
    #[test]
    fn malformed_switch_is_off() {
        let read = ACTIONS.iter().find(|it| it.path() == "fs.read").unwrap();
        let is_on = |text: &str| Switches::parse(text.as_bytes()).is_some_and(|it| it.is_on(read));
        for on in
            ["{}", r#"{"fs":{}}"#, r#"{"fs":{"enabled":true,"actions":{"read":true}}}"#, r#"{"fs":true}"#]
        {
            assert!(is_on(on), "{on}");
        }
        for word in ["\"false\"", "\"true\"", "0", "1", "null", "{}", "[]"] {
            assert!(!is_on(&format!("{{\"fs\":{{\"enabled\":{word}}}}}")), "enabled {word}");
            assert!(!is_on(&format!("{{\"fs\":{{\"actions\":{{\"read\":{word}}}}}}}")), "read {word}");
        }
        for off in [
            r#"{"fs":{"actions":[]}}"#,
            r#"{"fs":{"actions":"read"}}"#,
            r#"{"fs":"on"}"#,
            r#"{"fs":1}"#,
            r#"{"fs":null}"#,
            r#"{"fs":"on","block":{}}"#,
            r#"{"fs":{"enabled":false,"enabled":true}}"#,
            r#"{"fs":{"actions":{"read":false}},"fs":{}}"#,
            "{",
        ] {
            assert!(!is_on(off), "{off}");
        }
    }

    /// F13: an old name with a value that is neither on nor off is off, like every other switch.
    #[test]
    fn malformed_switch_of_an_old_name_is_off() {
        let create = ACTIONS.iter().find(|it| it.path() == "notebook.create").unwrap();
        assert!(create.worst != Effect::Read);
        for (text, on) in
            [("true", true), ("false", false), ("\"true\"", false), ("1", false), ("null", false)]
        {
            let switches = Switches::parse(format!("{{\"create_notebook\":{text}}}").as_bytes()).unwrap();
            assert_eq!(switches.is_on(create), on, "{text}");
        }
    }

    /// B-238: what the older plugin names is taken over under its present name; all else stays as the person has it.
    #[test]
    fn older_switches_are_laid_over_the_present_ones() {
        let mut own = Switches::default();
        own.set(Tool::Tag, "rename", false);
        own.set_tool(Tool::Flashcard, false);
        let is_on = |switches: &Switches, path: &str| {
            ACTIONS.iter().find(|it| it.path() == path).is_some_and(|it| switches.is_on(it))
        };
        let present = r#"{"debug":{},"timeline":{"enabled":true},"search":{"enabled":false},
            "notebook":{"enabled":true,"actions":{"create":false,"get_conf":false,"open":false,"close":true,"odd":true}}}"#;
        let laid = own.with_older(present.as_bytes()).unwrap();
        let on = [
            "notebook.create",
            "notebook.info",
            "notebook.set_open_state",
            "notebook.list",
            "search.text",
            "tag.rename",
            "flashcard.list",
        ];
        assert_eq!(on.map(|it| is_on(&laid, it)), [false, false, true, true, false, false, false]);
        assert!(is_on(&laid, "fs.read") && !laid.to_json().contains("timeline"));
        let flat = own.with_older(br#"{"create_notebook":false,"list_notebooks":true}"#).unwrap();
        assert_eq!(
            ["notebook.create", "notebook.list", "tag.rename"].map(|it| is_on(&flat, it)),
            [false, true, false]
        );
        // A foreign object beside old names does not make the file a present one.
        let mixed = own.with_older(br#"{"debug":{},"create_notebook":false,"list_notebooks":true}"#);
        assert_eq!(mixed, Some(flat));
        assert_eq!(own.with_older(b"{}").unwrap(), own);
        assert_eq!(own.with_older(b"torn"), None);
    }
}
