//! Groups of a view: their rows, titles and order.

use std::collections::BTreeMap;

use super::database::{Database, Key};
use super::dates;
use super::format::time_of;
use super::render::{self, Item, Source};
use super::sort::natural;
use super::value::{Checkbox, Choice, Relation, Text, Value, ValueKind};
use super::view::{Grouping, LayoutKind, Range, View};
use crate::answer::Refusal;

/// The group of rows without a value.
const EMPTY: &str = "_@default@_";
const OUT_OF_RANGE: &str = "_@notInRange@_";
/// Groups relative to today, the latest first.
const RELATIVE: [&str; 7] = [
    "_@next30Days@_",
    "_@next7Days@_",
    "_@tomorrow@_",
    "_@today@_",
    "_@yesterday@_",
    "_@last7Days@_",
    "_@last30Days@_",
];

/// Rebuilds the groups of all grouped views.
pub(super) fn regroup(source: &Source<'_>, database: &mut Database) -> Result<(), Refusal> {
    for at in 0..database.views.len() {
        let grouped = database.views.get(at).is_some_and(|view| view.group_kind(&database.columns).is_some());
        if grouped {
            regroup_view(source, database, at)?;
        }
    }
    Ok(())
}

/// Rebuilds the groups of one view; manual folding, hiding and sorting are kept.
pub(super) fn regroup_view(source: &Source<'_>, database: &mut Database, at: usize) -> Result<(), Refusal> {
    let Some(view) = database.views.get(at).cloned() else { return Ok(()) };
    let Some(group) = view.group.clone().filter(|group| !group.field.is_empty()) else { return Ok(()) };
    let Some(key) = database.key(&group.field).cloned() else { return Ok(()) };
    let bare = View { groups: Vec::new(), ..view.clone() };
    let rendered = render::render(source, database, &bare, "")?;
    // Values that rendering wrote into stored cells stay there when groups are made.
    for cell in rendered.items.iter().flat_map(|item| &item.cells) {
        let stored = database.column_mut(&cell.key).and_then(|column| column.value_mut(&cell.item));
        if let Some(stored) = stored.filter(|stored| stored.id == cell.id) {
            let computed =
                matches!(cell.kind, Some(ValueKind::Template | ValueKind::Created | ValueKind::Updated));
            if !computed {
                stored.clone_from(cell);
            }
        }
    }
    let target = match (&key.relation, key.kind) {
        (Some(relation), ValueKind::Relation) if relation.database != database.id => {
            source.database(&relation.database)?
        }
        (Some(_), ValueKind::Relation) => Some(std::rc::Rc::new(database.clone())),
        _ => None,
    };
    let mut groups = Vec::new();
    for (value, items) in collect(&rendered.items, &group, &key, target.is_some()) {
        let mut new = View::new(view.layout, &[]);
        new.name = String::new();
        new.group_items = Some(items);
        (new.group_hidden, new.group_sort) = (1, -1);
        new.group_val = Some(value_of_group(&value, &key, target.as_deref()));
        new.group_key = Some(key.clone());
        groups.push(new);
    }
    keep_states(&mut groups, &view);
    let Some(view) = database.views.get_mut(at) else { return Ok(()) };
    view.groups = groups;
    view.group_created = crate::id::now_ms();
    Ok(())
}

/// The rows by the text of their group.
fn collect(items: &[Item], group: &Grouping, key: &Key, has_target: bool) -> BTreeMap<String, Vec<String>> {
    let mut sorted: Vec<&Item> = items.iter().collect();
    let cell = |item: &Item| item.cell(&group.field).cloned().unwrap_or_default();
    match group.method {
        0 if group.order != 2 => sorted.sort_by_key(|item| cell(item).shown(false)),
        1 => sorted.sort_by(|a, b| number(&cell(a)).total_cmp(&number(&cell(b)))),
        2..=6 => sorted.sort_by_key(|item| time(&cell(item))),
        _ => {}
    }
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for item in sorted {
        let value = cell(item);
        for name in names_of(&value, group, key, has_target) {
            groups.entry(name).or_default().push(item.id.clone());
        }
    }
    for option in key.options.iter().filter(|_| key.kind.is_choice()) {
        groups.entry(option.name.clone()).or_default();
    }
    if key.kind == ValueKind::Checkbox {
        groups.entry(String::new()).or_default();
        groups.entry("√".into()).or_default();
    } else {
        groups.entry(EMPTY.into()).or_default();
    }
    groups
}

fn number(value: &Value) -> f64 {
    value.number.as_ref().map_or(0.0, |number| number.content)
}

fn time(value: &Value) -> i64 {
    match value.kind {
        Some(ValueKind::Created) => value.created.as_ref().map_or(0, |moment| moment.content),
        Some(ValueKind::Updated) => value.updated.as_ref().map_or(0, |moment| moment.content),
        _ => value.date.as_ref().map_or(0, |date| date.content),
    }
}

/// The groups that a row belongs to.
fn names_of(value: &Value, group: &Grouping, key: &Key, has_target: bool) -> Vec<String> {
    if value.is_blank() {
        return vec![EMPTY.into()];
    }
    match group.method {
        0 if key.kind.is_choice() => value.m_select.iter().map(|choice| choice.content.clone()).collect(),
        0 if key.kind == ValueKind::Relation => {
            let ids = value.relation.as_ref().map(|r| r.ids().to_vec()).unwrap_or_default();
            if has_target { ids } else { Vec::new() }
        }
        0 => vec![value.shown(false)],
        1 => vec![range_name(number(value), group.range.unwrap_or_default())],
        method => vec![dates::group_of(time(value), method)],
    }
}

fn range_name(number: f64, range: Range) -> String {
    if number < range.num_start || number > range.num_end || range.num_step <= 0.0 {
        return OUT_OF_RANGE.into();
    }
    let steps = ((number - range.num_start) / range.num_step).floor();
    let start = range.num_start + steps * range.num_step;
    format!("{start} - {}", start + range.num_step)
}

fn value_of_group(name: &str, key: &Key, target: Option<&Database>) -> Value {
    let of = |kind| Value { kind: Some(kind), ..Value::default() };
    match key.kind {
        ValueKind::Select | ValueKind::MSelect if key.option(name).is_some() => {
            let color = key.option(name).map(|option| option.color.clone()).unwrap_or_default();
            Value { m_select: vec![Choice { content: name.into(), color }], ..of(ValueKind::Select) }
        }
        ValueKind::Relation if target.is_some() && name != EMPTY => {
            let contents = target.and_then(|target| target.row(name)).map(|row| vec![row.clone()]);
            let relation = Relation { items: Some(vec![name.into()]), contents };
            Value { relation: Some(relation), ..of(ValueKind::Relation) }
        }
        ValueKind::Checkbox => {
            Value { checkbox: Some(Checkbox { checked: !name.is_empty() }), ..of(ValueKind::Checkbox) }
        }
        _ => Value { text: Some(Text { content: name.into() }), ..of(ValueKind::Text) },
    }
}

/// Keeps manual changes of groups; new groups are ranked in their present order, the empty one last.
fn keep_states(groups: &mut Vec<View>, old: &View) {
    for group in groups.iter_mut() {
        let name = group.group_value();
        let Some(before) = old.groups.iter().find(|old| old.group_value() == name) else { continue };
        group.id.clone_from(&before.id);
        group.group_folded = before.group_folded && old.layout != LayoutKind::Kanban;
        (group.group_hidden, group.group_sort) = (before.group_hidden, before.group_sort);
        let order = before.group_items.clone().unwrap_or_default();
        let rank = |id: &String| order.iter().position(|other| other == id).unwrap_or(0);
        group.group_items.iter_mut().for_each(|items| items.sort_by_key(rank));
    }
    let empty = groups.iter().position(|g| g.group_value() == EMPTY && g.group_sort == -1);
    let empty = empty.map(|at| groups.remove(at));
    for (at, group) in groups.iter_mut().enumerate() {
        if group.group_sort == -1 {
            group.group_sort = i64::try_from(at).unwrap_or(0);
        }
    }
    if let Some(mut empty) = empty {
        empty.group_sort = i64::try_from(groups.len()).unwrap_or(0);
        groups.push(empty);
    }
}

/// Sets the grouping of a view.
pub(super) fn set_group(
    source: &Source<'_>,
    database: &mut Database,
    view_id: &str,
    group: &Grouping,
) -> Result<(), Refusal> {
    let Some(at) = database.views.iter().position(|view| view.id == view_id) else { return Ok(()) };
    let Some(view) = database.views.get_mut(at) else { return Ok(()) };
    let before = view.group.replace(group.clone());
    let new_field = before.as_ref().is_none_or(|before| before.field != group.field);
    regroup(source, database)?;
    if group.hide_empty != before.is_some_and(|before| before.hide_empty) {
        hide_empty(source, database, at, group.hide_empty)?;
    }
    let key = database.key(&group.field).cloned();
    let Some(view) = database.views.get_mut(at) else { return Ok(()) };
    if new_field {
        match key.as_ref().map(|key| key.kind) {
            Some(ValueKind::Select | ValueKind::MSelect) => {
                view.group.iter_mut().for_each(|group| group.order = 3);
                sort_groups(view, key.as_ref());
            }
            Some(ValueKind::Checkbox) => {
                view.group.iter_mut().for_each(|group| group.order = 2);
                view.groups.sort_by_key(|group| group.group_value().is_empty());
            }
            _ => {}
        }
        for (at, group) in view.groups.iter_mut().enumerate() {
            group.group_sort = i64::try_from(at).unwrap_or(0);
        }
    }
    Ok(())
}

fn hide_empty(source: &Source<'_>, database: &mut Database, at: usize, hide: bool) -> Result<(), Refusal> {
    let Some(view) = database.views.get(at).cloned() else { return Ok(()) };
    let (from, to) = if hide { (0, 1) } else { (1, 0) };
    for (place, group) in view.groups.iter().enumerate().filter(|(_, group)| group.group_hidden == from) {
        let mut rendered = render::render(source, database, &in_group(&view, group), "")?;
        super::filter::filter(source, database, &mut rendered)?;
        let group = database.views.get_mut(at).and_then(|view| view.groups.get_mut(place));
        if let Some(group) = group.filter(|_| rendered.items.is_empty()) {
            group.group_hidden = to;
        }
    }
    Ok(())
}

/// A group as a view: the columns, filters and sorting are those of its view.
pub(super) fn in_group(view: &View, group: &View) -> View {
    View {
        filters: view.filters.clone(),
        sorts: view.sorts.clone(),
        table: view.table.clone(),
        gallery: view.gallery.clone(),
        kanban: view.kanban.clone(),
        ..group.clone()
    }
}

/// Sorts the groups of a view as its grouping requires.
pub(super) fn sort_groups(view: &mut View, key: Option<&Key>) {
    let Some(group) = view.group.clone() else { return };
    if group.order == 2 {
        view.groups.sort_by_key(|group| group.group_sort);
        return;
    }
    let (mut empty, mut rest): (Vec<View>, Vec<View>) =
        std::mem::take(&mut view.groups).into_iter().partition(|group| group.group_value() == EMPTY);
    match (group.method, group.order, key) {
        (2, order, _) => {
            rest = sort_relative(rest);
            if order == 1 {
                rest.reverse();
            }
        }
        (_, 3, Some(key)) if key.kind.is_choice() => rest.sort_by_key(|group| key.rank(&group.group_value())),
        (_, 0, _) => rest.sort_by(|a, b| natural(&a.group_value(), &b.group_value())),
        (_, 1, _) => rest.sort_by(|a, b| natural(&b.group_value(), &a.group_value())),
        _ => {}
    }
    rest.append(&mut empty);
    view.groups = rest;
}

/// Months in order; the groups around today stand between past and future ones.
fn sort_relative(groups: Vec<View>) -> Vec<View> {
    let (mut near, mut months): (Vec<View>, Vec<View>) =
        groups.into_iter().partition(|group| RELATIVE.contains(&group.group_value().as_str()));
    months.retain(|group| !group.group_value().starts_with('_'));
    months.sort_by_key(View::group_value);
    let rank = |group: &View| RELATIVE.iter().position(|name| *name == group.group_value());
    near.sort_by_key(|group| std::cmp::Reverse(rank(group)));
    let this_month = dates::group_of(crate::id::now_ms(), 5);
    let start = months.iter().rposition(|group| group.group_value() < this_month).map_or(0, |at| at + 1);
    months.splice(start..start, near);
    months
}

/// The title that people read above a group.
pub(super) fn title(group: &View, key: &Key) -> String {
    match group.group_value().as_str() {
        EMPTY => format!("Field [{}] is empty", key.name),
        OUT_OF_RANGE => "Out of range".into(),
        "_@last30Days@_" => "Last 30 days".into(),
        "_@last7Days@_" => "Last 7 days".into(),
        "_@yesterday@_" => "Yesterday".into(),
        "_@today@_" => "Today".into(),
        "_@tomorrow@_" => "Tomorrow".into(),
        "_@next7Days@_" => "Next 7 days".into(),
        "_@next30Days@_" => "Next 30 days".into(),
        other => other.into(),
    }
}

/// Whether the groups of a view were made on another day than today.
pub(super) fn is_stale(view: &View) -> bool {
    view.is_grouped_by_date() && time_of(view.group_created).date() != dates::today()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::av::database::SelectOption;

    #[test]
    fn numbers_are_grouped_by_range() {
        let range = Range { num_start: 0.0, num_end: 20.0, num_step: 5.0 };
        assert_eq!(range_name(12.5, range), "10 - 15");
        assert_eq!(range_name(5.0, range), "5 - 10");
        assert_eq!(range_name(21.0, range), OUT_OF_RANGE);
    }

    #[test]
    fn every_option_has_a_group_and_empty_is_last() {
        let mut key = Key::new("k", "Stage", "", ValueKind::Select);
        let option = |name: &str| SelectOption { name: name.into(), ..SelectOption::default() };
        key.options = vec![option("todo"), option("done")];
        let cell = |item: &str, name: &str| Item {
            id: item.into(),
            cells: vec![Value {
                key: "k".into(),
                item: item.into(),
                kind: Some(ValueKind::Select),
                m_select: (!name.is_empty())
                    .then(|| Choice { content: name.into(), color: String::new() })
                    .into_iter()
                    .collect(),
                ..Value::default()
            }],
        };
        let group = Grouping { field: "k".into(), order: 3, ..Grouping::default() };
        let items = [cell("1", "done"), cell("2", "")];
        let mut view = View { group: Some(group.clone()), ..View::default() };
        for (name, items) in collect(&items, &group, &key, false) {
            let group_val = Some(value_of_group(&name, &key, None));
            view.groups.push(View { group_val, group_items: Some(items), ..View::default() });
        }
        sort_groups(&mut view, Some(&key));
        let titles: Vec<_> = view.groups.iter().map(|group| title(group, &key)).collect();
        assert_eq!(titles, ["todo", "done", "Field [Stage] is empty"]);
        let counts = view.groups.iter().map(|g| g.group_items.as_ref().unwrap().len());
        assert_eq!(counts.collect::<Vec<_>>(), [0, 1, 1]);
    }
}
