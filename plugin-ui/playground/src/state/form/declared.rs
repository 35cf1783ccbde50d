//! The form of an action, made from its declaration.

use puppy_core::permission::Level;
use puppy_core::render::constraints;
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Kind, Param, Presence, Slot};
use serde_json::{Map, Value};

use super::{Field, Form, Input, Item, LINE};

impl Form {
    /// The form of an action. `preview` and `confirm` are no fields of it.
    pub fn of_action(spec: &ActionSpec) -> Form {
        let example = example::arguments(spec);
        let mut fields = Vec::new();
        for (place, slot) in spec.slots.iter().enumerate() {
            match slot {
                Slot::One(param) => fields.push(field(param, None, None, &example)),
                Slot::OneOf(groups, level) => {
                    for (group, params) in groups.iter().enumerate() {
                        let of = |param: &Param| field(param, *level, Some((place, group)), &example);
                        fields.extend(params.iter().map(of));
                    }
                }
            }
        }
        Form { fields }
    }
}

fn field(
    param: &Param,
    level: Option<Level>,
    group: Option<(usize, usize)>,
    example: &Map<String, Value>,
) -> Field {
    let input = input(param.kind);
    Field {
        name: param.name.to_owned(),
        doc: param.doc.to_owned(),
        limits: constraints(param),
        example: example.get(param.name).map(|it| input.entry(it)).unwrap_or_default(),
        input,
        is_required: param.presence == Presence::Required,
        level: param.needs.level(level),
        group,
    }
}

fn input(kind: Kind) -> Input {
    match kind {
        Kind::Text { max, .. } if max > LINE => Input::Text,
        Kind::Text { .. } | Kind::Id | Kind::NotebookRef | Kind::Path | Kind::Asset | Kind::Tag => {
            Input::Line
        }
        Kind::Int { .. } => Input::Number,
        Kind::Bool => Input::Switch,
        Kind::Choice(words) => Input::Choice(words.iter().map(|it| (*it).to_owned()).collect()),
        Kind::List { item, .. } => match input(*item) {
            Input::Line | Input::Choice(_) => Input::List(Item::Text),
            Input::Number => Input::List(Item::Number),
            // A line of a text would be an item of its own.
            Input::Text | Input::Switch | Input::List(_) | Input::Json => Input::Json,
        },
        Kind::Cell | Kind::Record(_) | Kind::Attrs | Kind::Object => Input::Json,
    }
}
