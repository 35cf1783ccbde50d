//! Renders an action as one line, and the limits of an argument in words.

use crate::spec::{ActionSpec, Kind, Param, Presence, Slot};

/// `rename(id,title,allow_duplicate?)`: every argument, optional ones marked, groups with a bar (B-005).
pub fn signature(spec: &ActionSpec) -> String {
    signature_with(spec, true, &|_| false)
}

/// Like `signature`, with the words and fields of every argument that `tells` selects:
/// `set(state:done/open,edits:[{old,new,all?}])`. Unless `whole`, an ellipsis replaces optional arguments.
pub(super) fn signature_with(spec: &ActionSpec, whole: bool, tells: &dyn Fn(&Param) -> bool) -> String {
    let is_shown = |param: &&Param| whole || param.presence == Presence::Required;
    let one = |param: &Param| if tells(param) { with_words(param) } else { marked(param) };
    let mut slots: Vec<String> = spec
        .slots
        .iter()
        .map(|slot| {
            let groups = match slot {
                Slot::One(param) => &[std::slice::from_ref(param)][..],
                Slot::OneOf(groups, _) => groups,
            };
            let groups = groups
                .iter()
                .map(|group| group.iter().filter(is_shown).map(one).collect::<Vec<_>>().join("+"));
            groups.collect::<Vec<_>>().join("|")
        })
        .filter(|slot| !slot.is_empty())
        .collect();
    if spec.params().any(|param| !is_shown(&&param)) {
        slots.push("…".to_owned());
    }
    format!("{}({})", spec.name, slots.join(","))
}

fn marked(param: &Param) -> String {
    match param.presence {
        Presence::Required => param.name.to_owned(),
        _ => format!("{}?", param.name),
    }
}

fn with_words(param: &Param) -> String {
    let words = words(param.kind);
    if words.is_empty() { marked(param) } else { format!("{}:{words}", marked(param)) }
}

/// The words and fields of a kind, as they stand in a signature.
fn words(kind: Kind) -> String {
    match kind {
        Kind::Choice(words) => words.join("/"),
        Kind::List { item, .. } => match words(*item) {
            words if words.is_empty() => words,
            words => format!("[{words}]"),
        },
        Kind::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(with_words).collect();
            format!("{{{}}}", fields.join(","))
        }
        _ => String::new(),
    }
}

/// The limits of an argument, in words.
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
        Kind::Asset => "path of an asset".to_owned(),
        Kind::Tag => "tag without its # signs".to_owned(),
        Kind::Cell => "value of a cell, null clears".to_owned(),
        Kind::Choice(words) => words.join(" | "),
        Kind::List { item, min, max } => format!("list of {min} to {max}: {}", kind_words(*item)),
        Kind::Record(params) => {
            let fields: Vec<String> =
                params.iter().map(|param| format!("{}: {}", param.name, constraints(param))).collect();
            format!("object {{{}}}", fields.join("; "))
        }
        Kind::Object => "object".to_owned(),
        Kind::Attrs => "object of attribute names to text, null removes".to_owned(),
    }
}
