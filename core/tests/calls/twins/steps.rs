//! The steps of a case, built from the declarations; a choice shrinks to the plainest step of its kind.

use std::sync::OnceLock;

use puppy_core::permission::Level;
use puppy_core::prompts::PromptEntry;
use puppy_core::registry::ACTIONS;
use puppy_core::resources::uri::{ACTION_TEMPLATE, DOC_TEMPLATE};
use puppy_core::spec::{ActionSpec, Effect, Kind, Param, Presence, Slot, Tool};
use serde_json::{Map, Value, json};

use super::pools::{self, Want};
use super::twin::Twins;
use crate::kernel::{Workspace, engine};
use crate::privacy::Picks;
use crate::world::ready;

/// The kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Change something.
    Write,
    /// Only read.
    Read,
}

/// The next step.
pub(super) fn next(part: Part, twins: &Twins, picks: &mut Picks) -> Value {
    let mut step = match (part, picks.next(16)) {
        (Part::Write, 13..) => {
            return json!({ "person": picks.of(&["writes", "renames", "moves in", "names", "waits"]) });
        }
        (Part::Read, 11..) => beside(twins, picks),
        _ => {
            let reads = part == Part::Read;
            let all: Vec<&ActionSpec> =
                ACTIONS.iter().copied().filter(|it| (it.worst == Effect::Read) == reads).collect();
            call(all[picks.next(all.len())], twins, picks)
        }
    };
    if let Some(after) = [None, None, Some(500), Some(3_500)][picks.next(4)] {
        step["after"] = json!(after);
    }
    step
}

fn call(spec: &ActionSpec, twins: &Twins, picks: &mut Picks) -> Value {
    let maker = Maker { twins, spec };
    let mut arguments = Map::new();
    if picks.next(2) == 0 {
        arguments = twins.example(spec, picks);
    } else {
        for slot in spec.slots {
            match slot {
                Slot::One(param) => maker.fields(std::slice::from_ref(param), &mut arguments, picks),
                Slot::OneOf(groups, _) => {
                    maker.fields(groups[picks.next(groups.len())], &mut arguments, picks);
                }
            }
        }
    }
    if spec.has_preview() && picks.next(8) == 7 {
        arguments.insert("preview".to_owned(), json!(true));
    }
    let mut step = json!({ "call": spec.path(), "arguments": arguments });
    if spec.danger.sentence().is_some() && picks.next(8) == 7 {
        step["approved"] = json!(false);
    }
    step
}

/// Makes the arguments of one action.
struct Maker<'a> {
    twins: &'a Twins,
    spec: &'a ActionSpec,
}

impl Maker<'_> {
    fn fields(&self, params: &[Param], out: &mut Map<String, Value>, picks: &mut Picks) {
        for param in params {
            if param.presence == Presence::Required || picks.next(5) == 4 {
                let value = self.value(param, param.kind, out, picks);
                out.extend(value.map(|it| (param.name.to_owned(), it)));
            }
        }
    }

    fn want(&self, param: &Param, picks: &mut Picks) -> Want {
        let is_block = self.spec.tool == Tool::Block || matches!(param.name, "block" | "target");
        // A document is a block too.
        let document = !is_block || picks.next(3) == 0;
        Want { document, level: self.spec.level().unwrap_or(Level::Read) }
    }

    /// A value for the argument's kind and, for texts, for its name; `None` if no sensible value is known.
    fn value(
        &self,
        param: &Param,
        kind: Kind,
        others: &Map<String, Value>,
        picks: &mut Picks,
    ) -> Option<Value> {
        let twins = self.twins;
        let learnt = |key: &str, picks: &mut Picks| {
            let of: Vec<&String> =
                twins.words.iter().filter(|(it, _)| *it == key).map(|(_, word)| word).collect();
            (!of.is_empty()).then(|| json!(of[picks.next(of.len())]))
        };
        Some(match kind {
            Kind::Text { .. } => match param.name {
                "cursor" => return learnt("next", picks),
                "expect" => return learnt("hash", picks),
                "markdown" | "new" => json!(pools::markdown(twins, picks)),
                "old" => {
                    let path = others.get("path").and_then(Value::as_str).unwrap_or_default();
                    json!(pools::old(twins, path, picks))
                }
                "template" => json!(picks.of(&["leaf.md", "work/new.md", "query.md"])),
                "name" if self.spec.tool == Tool::File => {
                    json!(picks.of(&["leaf.png", "mint.txt", "plan"]))
                }
                "base64" => json!(picks.of(&["AAAA", "bGVhZg=="])),
                "folder" => json!(picks.of(&["plans", "../conf"])),
                "tags" | "label" | "bookmark" => json!(pools::label(picks)),
                "sql" => json!(pools::statement(twins, picks)),
                // Attributes are looked for by names that there are.
                "name" if self.spec.tool == Tool::Search => {
                    json!(picks.of(&["custom-status", "memo", "bookmark", "alias"]))
                }
                "value" => json!(picks.of(&["green", "cinnabar", "later"])),
                "find" | "replace" => json!(picks.of(&["leaf", "words", "((", "quicksilver"])),
                "ext" => json!(picks.of(&[".png", ".md"])),
                "due" => json!("2030-04-06T08:30"),
                "deck" => json!(picks.of(&["default", "default", "New"])),
                "since" => json!("0.1.0"),
                "version" if self.spec.tool == Tool::System => json!("0.1.0"),
                "query" | "section" => json!(pools::query(twins, picks)),
                "confirm_name" => {
                    let given = others.get("notebook").and_then(Value::as_str).unwrap_or_default();
                    let named = twins.world().names().iter().find(|(_, id)| *id == given);
                    json!(named.map_or(given, |(name, _)| name.trim_start_matches('/')))
                }
                "icon" => json!(picks.of(&["1f331", "🌱"])),
                "version" => json!(pools::version(twins, others)),
                "column" => json!(picks.of(&["Primary Key", "Primary Key", "Select"])),
                _ => json!(pools::name(twins, picks)),
            },
            Kind::Int { low, high } => json!([low, high.min(low + 7), high][picks.next(3)]),
            Kind::Bool => json!(picks.next(2) == 1),
            Kind::Id if self.spec.tool == Tool::Av && param.name != "blocks" && picks.next(4) > 0 => {
                let is_row = matches!(param.name, "row" | "row_ids" | "after_row");
                json!(twins.world().id(if is_row { "shelf row" } else { "shelf" }))
            }
            Kind::Id if self.spec.tool == Tool::Flashcard && param.name != "under" && picks.next(4) > 0 => {
                json!(pools::card(twins, picks))
            }
            Kind::Id => json!(pools::id(twins, self.want(param, picks), picks)),
            Kind::NotebookRef => json!(pools::notebook(twins, picks)),
            Kind::Path => json!(pools::path(twins, self.want(param, picks).level, picks)),
            Kind::Choice(words) => json!(picks.of(words)),
            Kind::List { item, min, max } => {
                // Mostly one item, because a list is refused as a whole for the worst of its items.
                let count = (min + [0, 0, 1, 2][picks.next(4)]).clamp(1, max);
                Value::Array((0..count).filter_map(|_| self.value(param, *item, others, picks)).collect())
            }
            Kind::Record(params) => {
                let mut record = Map::new();
                record.extend(others.get("path").map(|path| ("path".to_owned(), path.clone())));
                self.fields(params, &mut record, picks);
                record.retain(|name, _| params.iter().any(|it| it.name == name));
                Value::Object(record)
            }
            Kind::Tag => json!(pools::label(picks)),
            Kind::Asset => {
                json!(picks.of(&["assets/leaf.png", "assets/quicksilver.png"]))
            }
            Kind::Cell => match picks.next(6) {
                4..6 => json!(picks.of(&["Todo", "Done"])),
                0 => Value::Null,
                1 => json!(3.5),
                2 => json!(pools::markdown(twins, picks)),
                _ => json!([pools::any_id(twins, picks)]),
            },
            Kind::Object => json!({}),
            Kind::Attrs => {
                let text = pools::name(twins, picks);
                match picks.next(4) {
                    0 => json!({ "custom-status": text }),
                    1 => json!({ "bookmark": pools::label(picks), "memo": text }),
                    2 => json!({ "name": text, "alias": "retort" }),
                    _ => json!({ "custom-avs": pools::any_id(twins, picks) }),
                }
            }
        })
    }
}

/// A read of something other than an action: a resource, a prompt, a completion.
fn beside(twins: &Twins, picks: &mut Picks) -> Value {
    match picks.next(8) {
        0 => {
            json!({ "resource": format!("siyuan://doc/{}?depth={}", pools::any_id(twins, picks), picks.next(4)) })
        }
        1 => {
            json!({ "resources": if picks.next(2) == 0 { Value::Null } else { json!(pools::any_id(twins, picks)) } })
        }
        2 => json!({ "prompts": true }),
        3 => prompt(twins, picks),
        4 => json!({ "complete": DOC_TEMPLATE, "argument": "id", "typed": pools::query(twins, picks) }),
        5 => {
            let prompt = built_in(picks);
            let Some(argument) = prompt.arguments.get(picks.next(prompt.arguments.len())) else {
                return json!({ "prompts": true });
            };
            let typed = if picks.next(2) == 0 {
                pools::query(twins, picks)
            } else {
                pools::path(twins, Level::Read, picks)
            };
            json!({ "complete": prompt.name.as_str(), "argument": argument.name, "typed": typed })
        }
        6 => json!({ "watch": pools::any_id(twins, picks) }),
        _ => match picks.next(3) {
            0 => {
                json!({ "complete": ACTION_TEMPLATE, "argument": "action", "typed": pools::name(twins, picks) })
            }
            1 => {
                json!({ "resource": format!("siyuan://help/action/fs/{}", picks.of(&["read", "write", "list"])) })
            }
            _ => {
                json!({ "call": "fs.help", "arguments": { "topic": picks.of(&["read", "write", "nothing"]) } })
            }
        },
    }
}

/// A built-in prompt with arguments.
fn built_in(picks: &mut Picks) -> &'static PromptEntry {
    static LISTED: OnceLock<Vec<PromptEntry>> = OnceLock::new();
    let listed = LISTED.get_or_init(|| {
        let mut all = ready(engine(Workspace::new(false)).prompts());
        all.retain(|it| !it.arguments.is_empty());
        all
    });
    &listed[picks.next(listed.len())]
}

/// A built-in prompt, or the one that a tagged document defines.
fn prompt(twins: &Twins, picks: &mut Picks) -> Value {
    if picks.next(4) == 0 {
        return json!({ "prompt": pools::name(twins, picks) });
    }
    let prompt = built_in(picks);
    let mut arguments = Map::new();
    for argument in prompt.arguments {
        let text = match picks.next(4) {
            0 => pools::path(twins, Level::Read, picks),
            1 => pools::notebook(twins, picks),
            2 => pools::any_id(twins, picks),
            _ => pools::label(picks),
        };
        arguments.insert(argument.name.to_owned(), json!(text));
    }
    json!({ "prompt": prompt.name.as_str(), "arguments": arguments })
}
