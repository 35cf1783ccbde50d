//! An action in one line, and an argument's limits in words.

use crate::spec::{ActionSpec, Kind, Param, Presence, Slot};

/// `rename(id, title, allow_duplicate?)`: every argument, optional ones marked, groups with a bar (B-005).
pub fn signature(spec: &ActionSpec) -> String {
    let one = |param: &Param| match param.presence {
        Presence::Required => param.name.to_owned(),
        _ => format!("{}?", param.name),
    };
    let slots: Vec<String> = spec
        .slots
        .iter()
        .map(|slot| match slot {
            Slot::One(param) => one(param),
            Slot::OneOf(groups, _) => {
                let groups: Vec<String> =
                    groups.iter().map(|group| group.iter().map(one).collect::<Vec<_>>().join("+")).collect();
                groups.join("|")
            }
        })
        .collect();
    format!("{}({})", spec.name, slots.join(","))
}

/// What an argument may be, in words.
pub fn constraints(param: &Param) -> String {
    let kind = kind_words(param.kind);
    match param.presence {
        Presence::Required => kind,
        Presence::Optional => format!("{kind}, optional"),
        Presence::DefaultInt(default) => format!("{kind}, default {default}"),
        Presence::DefaultBool(default) => format!("{kind}, default {default}"),
        Presence::DefaultText(default) => format!("{kind}, default {default}"),
    }
}

fn kind_words(kind: Kind) -> String {
    match kind {
        Kind::Text { min: 0, max } => format!("text of at most {max} characters"),
        Kind::Text { min, max } => format!("text of {min} to {max} characters"),
        Kind::Int { low, high } => format!("whole number from {low} to {high}"),
        Kind::Bool => "true or false".to_owned(),
        Kind::Id => "id".to_owned(),
        Kind::NotebookRef => "notebook id or exact name".to_owned(),
        Kind::Path => "workspace path".to_owned(),
        Kind::Choice(words) => words.join(" | "),
        Kind::List { item, min, max } => format!("list of {min} to {max}: {}", kind_words(*item)),
        Kind::Record(params) => {
            let fields: Vec<String> =
                params.iter().map(|param| format!("{}: {}", param.name, constraints(param))).collect();
            format!("object {{{}}}", fields.join("; "))
        }
        Kind::Attrs => "object of attribute names to text, null removes".to_owned(),
    }
}
