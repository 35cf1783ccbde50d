//! Computed cells of a view: titles, times, relations, rollups, templates.

use std::collections::HashMap;

use super::template;
use super::{Item, RenderedView, Source};
use crate::answer::Refusal;
use crate::av::database::{Database, Key};
use crate::av::rollup;
use crate::av::value::{Relation, TimeCell, Value, ValueKind};

/// The attribute for another title of a block in one database.
pub(crate) const STATIC_TEXT: &str = "custom-sy-av-s-text";

/// A row without a cell in the relation column leads nowhere.
const EMPTY: Relation = Relation { items: None, contents: None };

/// Cells by column and row.
type Cells = HashMap<(String, String), Value>;

/// Fills in all that is not stored.
pub(super) fn fill(source: &Source<'_>, database: &Database, out: &mut RenderedView) -> Result<(), Refusal> {
    for item in &mut out.items {
        fill_own(source, database, item)?;
        for cell in &mut item.cells {
            fill_relation(source, database, cell)?;
        }
    }
    fill_rollups(source, database, out)?;
    template::fill(source, database, out)
}

fn fill_own(source: &Source<'_>, database: &Database, item: &mut Item) -> Result<(), Refusal> {
    let row = database.row(&item.id);
    let attrs = source.attrs(row)?;
    for cell in &mut item.cells {
        let key = database.key(&cell.key);
        match cell.kind {
            Some(ValueKind::Block) => {
                let title = attrs.get(&format!("{STATIC_TEXT}-{}", database.id));
                if let (Some(block), Some(title)) = (&mut cell.block, title) {
                    title.clone_into(&mut block.content);
                }
            }
            Some(ValueKind::Created) => {
                let id = attrs.get("id").unwrap_or(&item.id);
                let with_time = key.and_then(|key| key.created).is_none_or(|c| c.include_time);
                let stamp = id.get(..14).map_or(0, crate::id::seconds_of);
                cell.created = Some(TimeCell::at(stamp * 1000, 0, with_time));
            }
            Some(ValueKind::Updated) => {
                let with_time = key.and_then(|key| key.updated).is_none_or(|u| u.include_time);
                let stored = row.and_then(|row| row.block.as_ref()).map_or(0, |block| block.updated);
                let at = attrs.get("updated").map_or(stored, |stamp| crate::id::seconds_of(stamp) * 1000);
                cell.updated = Some(TimeCell::at(at, 0, with_time));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The primary cells of the rows that a relation leads to.
pub(in crate::av) fn fill_relation(
    source: &Source<'_>,
    database: &Database,
    cell: &mut Value,
) -> Result<(), Refusal> {
    let (Some(ValueKind::Relation), Some(relation)) = (cell.kind, &mut cell.relation) else { return Ok(()) };
    relation.contents = None;
    let Some(target) = database.key(&cell.key).and_then(|key| key.relation.as_ref()) else { return Ok(()) };
    let find = |rows: &Database| {
        let found: Vec<Value> = relation.ids().iter().filter_map(|id| rows.row(id)).cloned().collect();
        (!found.is_empty()).then_some(found)
    };
    relation.contents = if target.database == database.id {
        find(database)
    } else {
        source.database(&target.database)?.as_deref().and_then(find)
    };
    Ok(())
}

/// The source of a rollup's values: the relation in the same row, the other database, the column there.
pub(in crate::av) struct Route<'d> {
    pub(in crate::av) relation: &'d Key,
    pub(in crate::av) key: &'d Key,
    pub(in crate::av) target: std::rc::Rc<Database>,
}

impl Route<'_> {
    pub(in crate::av) fn of<'d>(
        source: &Source<'_>,
        database: &'d Database,
        rollup: &'d Key,
    ) -> Result<Option<Route<'d>>, Refusal> {
        let Some(settings) = &rollup.rollup else { return Ok(None) };
        let Some(relation) = database.key(&settings.relation_key) else { return Ok(None) };
        let Some(other) = relation.relation.as_ref().map(|r| r.database.as_str()) else { return Ok(None) };
        let own = (other == database.id).then(|| std::rc::Rc::new(database.clone()));
        let target = if own.is_some() { own } else { source.database(other)? };
        let Some(target) = target.filter(|target| target.key(&settings.key).is_some()) else {
            return Ok(None);
        };
        Ok(Some(Route { relation, key: rollup, target }))
    }

    fn target_key(&self) -> Option<&Key> {
        self.target.key(&self.key.rollup.as_ref()?.key)
    }
}

fn fill_rollups(source: &Source<'_>, database: &Database, out: &mut RenderedView) -> Result<(), Refusal> {
    let mut routes = Vec::new();
    for (_, key) in out.columns.iter().filter(|(_, key)| key.kind == ValueKind::Rollup) {
        let Some(key) = database.key(&key.id) else { continue };
        routes.extend(Route::of(source, database, key)?);
    }
    // Databases whose computed columns are needed are rendered; the rendered cells then replace the stored ones.
    let mut rendered: HashMap<&str, Cells> = HashMap::new();
    for route in &routes {
        let same = route.target.id == database.id;
        let kind = route.target_key().map(|key| key.kind);
        let computed = matches!(kind, Some(ValueKind::Template))
            || !same && matches!(kind, Some(ValueKind::Updated | ValueKind::Created | ValueKind::Relation));
        if computed && let Some(view) = source.first_view(&route.target)? {
            rendered.insert(&route.target.id, cells(&view));
        } else if same {
            rendered.entry(&route.target.id).or_insert_with(|| cells(out));
        }
    }
    for item in &mut out.items {
        for cell in item.cells.iter_mut().filter(|cell| cell.kind == Some(ValueKind::Rollup)) {
            let Some(route) = routes.iter().find(|route| route.key.id == cell.key) else { continue };
            let Some(key) = route.target_key() else { continue };
            let stored = database.value(&route.relation.id, &item.id);
            let Some(relation) = stored.map_or(Some(&EMPTY), |value| value.relation.as_ref()) else {
                continue;
            };
            let there = rendered.get(route.target.id.as_str());
            let find = |id: &String| {
                let cell = there.and_then(|cells| cells.get(&(key.id.clone(), id.clone())));
                // A rendered cell counts even with an empty list; a stored one does not.
                let stored =
                    || route.target.value(&key.id, id).filter(|value| rollup::has_part(value, key.kind));
                cell.or_else(stored).cloned()
            };
            let calc = route.key.rollup.as_ref().and_then(|r| r.calc.as_ref());
            let contents = rollup::contents(relation.ids(), key, calc, find);
            cell.rollup.get_or_insert_default().contents = contents;
        }
    }
    Ok(())
}

fn cells(view: &RenderedView) -> Cells {
    let all = view.items.iter().flat_map(|item| &item.cells);
    all.map(|cell| ((cell.key.clone(), cell.item.clone()), cell.clone())).collect()
}
