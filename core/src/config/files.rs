//! The files of settings in the workspace: how each is read, and its schema from the types that read it.

use serde_json::{Map, Value, json};

use super::{
    ACCESS_FILE, AGENTS_FILE, ApprovalMethod, GRANTS_FILE, HTTP_FILE, HttpSettings, MADE_FILE, PORT,
    Patience, SWITCHES_FILE, Switches,
};
use crate::agents::{AgentColor, Agents};
use crate::errands::{MOST_CHANGES, MOST_DELETES, MOST_MINUTES};
use crate::find::actions_of;
use crate::permission::{AccessSettings, Level, LevelTable};
use crate::spec::Tool;

/// A file of settings.
#[derive(Debug, Clone, Copy)]
pub struct SettingsFile {
    /// Its name below [`STORAGE`](crate::kernel::files::STORAGE).
    pub name: &'static str,
    /// Its contents in a few words, for reports to the user.
    pub about: &'static str,
    is_sound: fn(&[u8]) -> bool,
    schema: fn() -> Value,
}

impl SettingsFile {
    /// Every file that decides what agents may do.
    pub const ALL: [SettingsFile; 6] = [
        SettingsFile {
            name: SWITCHES_FILE,
            about: "The switches of tools and actions",
            is_sound: |bytes| Switches::parse(bytes).is_some(),
            schema: switches,
        },
        SettingsFile {
            name: GRANTS_FILE,
            about: "The table of levels: the id of a notebook, and what agents may do there",
            is_sound: |bytes| LevelTable::parse(bytes).is_some(),
            schema: table,
        },
        SettingsFile {
            name: MADE_FILE,
            about: "The levels of notebooks that agents created; the table of levels takes precedence",
            is_sound: |bytes| LevelTable::parse(bytes).is_some(),
            schema: table,
        },
        SettingsFile {
            name: ACCESS_FILE,
            about: "The settings about what agents create, and where",
            is_sound: |bytes| AccessSettings::parse(bytes).is_some(),
            schema: access,
        },
        SettingsFile {
            name: AGENTS_FILE,
            about: "The agents that you have named, and the highest level that each may have",
            is_sound: |bytes| Agents::parse(bytes).is_some(),
            schema: agents,
        },
        SettingsFile {
            name: HTTP_FILE,
            about: "The settings of the server, and the pause of all calls",
            is_sound: |bytes| HttpSettings::parse(bytes).is_some(),
            schema: http,
        },
    ];

    /// Whether the content can be used; otherwise its strictest meaning holds.
    pub fn is_sound(&self, bytes: &[u8]) -> bool {
        (self.is_sound)(bytes)
    }

    /// The JSON schema of the content.
    pub fn schema(&self) -> Value {
        let mut schema = (self.schema)();
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
            fields.insert("title".to_owned(), json!(self.name));
            fields.insert("description".to_owned(), json!(self.about));
        }
        schema
    }
}

/// An object with these properties; other versions may know more.
fn object(properties: Map<String, Value>) -> Value {
    let fields = [("type", Value::from("object")), ("properties", Value::Object(properties))];
    Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn levels() -> Value {
    json!(Level::ALL.map(Level::word))
}

fn table() -> Value {
    json!({
        "type": "object",
        "propertyNames": { "pattern": "^[0-9]{14}-[0-9a-z]{7}$" },
        "additionalProperties": { "enum": levels() },
    })
}

fn switches() -> Value {
    let tool = |tool: Tool| {
        let actions = actions_of(tool).map(|spec| {
            let on = json!({ "type": "boolean", "default": spec.default_on, "description": spec.summary() });
            (spec.name.to_owned(), on)
        });
        let fields = [
            ("enabled".to_owned(), json!({ "type": "boolean", "default": true })),
            ("actions".to_owned(), object(actions.collect())),
        ];
        (tool.name().to_owned(), object(fields.into_iter().collect()))
    };
    object(Tool::ALL.into_iter().filter(|it| actions_of(*it).next().is_some()).map(tool).collect())
}

fn access() -> Value {
    let Ok(Value::Object(defaults)) = serde_json::to_value(AccessSettings::default()) else {
        return object(Map::new());
    };
    let property = |(key, default): (String, Value)| {
        let mut property = json!({ "type": "string", "default": default });
        if key == "new_notebook_level"
            && let Some(fields) = property.as_object_mut()
        {
            fields.insert("enum".to_owned(), levels());
        }
        (key, property)
    };
    object(defaults.into_iter().map(property).collect())
}

fn agents() -> Value {
    let ceiling = json!({
        "level": { "enum": levels(), "default": Level::Delete },
        "notebooks": { "type": "array", "items": { "type": "string" }, "description": "The ids of the notebooks that exist for it; without this, all" },
    });
    let mut agent = ceiling.clone();
    if let Some(fields) = agent.as_object_mut() {
        fields.insert("name".to_owned(), json!({ "type": "string" }));
        fields.insert("color".to_owned(), json!({ "enum": AgentColor::ALL.map(AgentColor::word) }));
        let day = "The last day on which it may do anything, as 2026-12-31";
        fields.insert("until".to_owned(), json!({ "type": "string", "description": day }));
    }
    json!({
        "type": "object",
        "properties": {
            "anyone": { "type": "object", "properties": ceiling },
            "agents": {
                "type": "object",
                "additionalProperties": { "type": "object", "properties": agent },
            },
        },
    })
}

fn http() -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let texts = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
    let switch =
        |default: bool, about: &str| json!({ "type": "boolean", "default": default, "description": about });
    let most = |most: u64, about: &str| json!({ "type": "integer", "minimum": 0, "maximum": most, "default": most, "description": about });
    json!({
        "type": "object",
        "properties": {
            "paused": switch(false, "Whether every call is refused"),
            "confirm": {
                "type": "array",
                "items": { "enum": ApprovalMethod::ALL.map(ApprovalMethod::word) },
                "description": "The ways to ask a person, first that is available",
            },
            "question_minutes": {
                "type": "integer",
                "minimum": 0,
                "default": Patience::default().minutes,
                "description": "How long a question waits in SiYuan; 0 until it is answered",
            },
            "errand_changes": most(MOST_CHANGES, "The most changes of an errand"),
            "errand_deletes": most(MOST_DELETES, "The most deletions of documents of an errand"),
            "errand_minutes": most(MOST_MINUTES, "The longest time of an errand; 0 turns errands off"),
            "own_agent": switch(false, "Whether SiYuan's own agent may call"),
            "token": text("The token that callers over HTTP send; empty for none"),
            "autostart": switch(true, "Whether the server starts with SiYuan"),
            "host": text("The address to listen at"),
            "port": { "type": "integer", "minimum": 1, "maximum": 65_535, "default": PORT },
            "tls": { "enum": ["", "generate"], "description": "Whether to encrypt with a certificate made here" },
            "origins": texts("Allowed web origins"),
            "hosts": texts("Names by which callers reach the server"),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{AgentChange, AgentsFile};
    use crate::config::HttpChange;
    use crate::permission::Ceiling;

    /// The reasons why a value does not fit a schema, for the words that the schemas here use.
    fn faults(schema: &Value, value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        let is_type = match schema["type"].as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_u64(),
            _ => true,
        };
        let words = schema["enum"].as_array();
        if !is_type || words.is_some_and(|it| !it.contains(value)) {
            found.push(format!("{value} is not {schema}"));
        }
        for (key, inner) in value.as_object().into_iter().flatten() {
            match (&schema["properties"][key], &schema["additionalProperties"]) {
                (Value::Null, Value::Null) => found.push(format!("{key} is unknown")),
                (Value::Null, other) => found.extend(faults(other, inner)),
                (known, _) => found.extend(faults(known, inner)),
            }
        }
        found.extend(value.as_array().into_iter().flatten().flat_map(|it| faults(&schema["items"], it)));
        found
    }

    fn file(name: &str) -> SettingsFile {
        SettingsFile::ALL.into_iter().find(|it| it.name == name).unwrap()
    }

    /// Settings that the types here write fit the schema of their file, and are sound.
    #[test]
    fn written_settings_fit_their_schema() {
        let mut http = HttpSettings::default();
        for change in [
            HttpChange::Autostart(false),
            HttpChange::Port(8080),
            HttpChange::Encrypted(true),
            HttpChange::Token("t".to_owned()),
            HttpChange::Origins(vec!["https://a.example".to_owned()]),
            HttpChange::Paused(true),
            HttpChange::Confirm(ApprovalMethod::ALL.to_vec()),
            HttpChange::Patience(Patience { minutes: 0 }),
            HttpChange::ErrandChanges(40),
            HttpChange::ErrandDeletes(0),
            HttpChange::ErrandMinutes(20),
            HttpChange::OwnAgent(true),
        ] {
            http.set(&change);
        }
        let access = serde_json::to_string(&AccessSettings::default()).unwrap();
        let mut agents = AgentsFile::default();
        let ceiling =
            Ceiling { level: Level::Write, notebooks: Some(["20210808180117-aaaaaaa".to_owned()].into()) };
        agents.change(AgentChange::Anyone(ceiling.clone())).unwrap();
        let (id, name, until) = ("k".to_owned(), "Claude".to_owned(), "2026-12-31".to_owned());
        agents.change(AgentChange::Set { id, name, color: AgentColor::Green, ceiling, until }).unwrap();
        let table = r#"{"20210808180117-aaaaaaa":"rw","20210808180117-bbbbbbb":"none"}"#.to_owned();
        for (name, text) in [
            (SWITCHES_FILE, Switches::default().to_json()),
            (GRANTS_FILE, table.clone()),
            (MADE_FILE, table),
            (ACCESS_FILE, access),
            (AGENTS_FILE, agents.to_json()),
            (HTTP_FILE, http.to_json()),
        ] {
            let value: Value = serde_json::from_str(&text).unwrap();
            assert!(!value.as_object().unwrap().is_empty(), "{name}");
            assert_eq!(faults(&file(name).schema(), &value), Vec::<String>::new(), "{name}");
            assert!(file(name).is_sound(text.as_bytes()), "{name}");
        }
    }

    /// The schemas know what is wrong, and so do the readers where a file is torn.
    #[test]
    fn wrong_settings_do_not_fit() {
        for (name, wrong) in [
            (SWITCHES_FILE, json!({ "fs": { "actions": { "read": "yes" } } })),
            (GRANTS_FILE, json!({ "20210808180117-aaaaaaa": "all" })),
            (ACCESS_FILE, json!({ "new_notebook_level": "all" })),
            (AGENTS_FILE, json!({ "agents": { "a": { "level": "all" } } })),
            (HTTP_FILE, json!({ "confirm": ["always"] })),
        ] {
            assert_eq!(faults(&file(name).schema(), &wrong).len(), 1, "{name}");
        }
        for it in SettingsFile::ALL {
            assert!(it.is_sound(b"{}") && !it.is_sound(b"{torn") && !it.is_sound(b"[]"), "{}", it.name);
        }
    }
}
