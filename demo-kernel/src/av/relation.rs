//! Relations between databases: the target of a column, and its other side.

use serde_json::Value as Json;

use super::columns::show_at_end;
use super::database::{Column, Database, Key, RelationKey};
use super::value::{Relation, ValueKind};
use crate::answer::Refusal;
use crate::store::Db;

/// The caller's settings of a relation column.
struct RelationSettings<'a> {
    database: &'a str,
    key: &'a str,
    target: &'a str,
    is_two_way: bool,
    back_key: &'a str,
    name: &'a str,
    back_name: &'a str,
}

/// Sets to which database a column leads. Two-way relations get a column there.
pub(crate) fn set(db: &Db<'_>, operation: &Json) -> Result<(), Refusal> {
    let text = |name: &str| operation.get(name).and_then(Json::as_str).unwrap_or_default();
    let settings = RelationSettings {
        database: text("avID"),
        key: text("keyID"),
        target: text("id"),
        is_two_way: operation.get("isTwoWay").and_then(Json::as_bool).unwrap_or_default(),
        back_key: text("backRelationKeyID"),
        name: text("format"),
        back_name: text("name").trim(),
    };
    let mut source = db.database(settings.database)?;
    let mut target = db.database(settings.target)?;
    release(db, &settings, &mut source, &mut target)?;
    if settings.database == settings.target {
        let other = source.clone();
        connect(&settings, &other, &mut source);
        return db.regroup_and_save(&mut source);
    }
    connect(&settings, &source, &mut target);
    db.regroup_and_save(&mut source)?;
    db.regroup_and_save(&mut target)
}

/// Cuts the other side off that the column had before, and writes the new definition.
fn release(
    db: &Db<'_>,
    settings: &RelationSettings<'_>,
    source: &mut Database,
    target: &mut Database,
) -> Result<(), Refusal> {
    let Some(key) = source.key_mut(settings.key) else { return Ok(()) };
    let before = key.relation.replace(RelationKey {
        database: settings.target.to_owned(),
        is_two_way: settings.is_two_way,
        back_key: if settings.is_two_way { settings.back_key.to_owned() } else { String::new() },
    });
    settings.name.clone_into(&mut key.name);
    let Some(before) = before.filter(|before| before.is_two_way) else { return Ok(()) };
    let cut = |other: &mut Database| {
        let back = other.key_mut(&before.back_key).and_then(|key| key.relation.as_mut());
        if let Some(back) = back.filter(|back| back.database == settings.database && back.is_two_way) {
            (back.is_two_way, back.back_key) = (false, String::new());
        }
    };
    if before.database == settings.database {
        cut(source);
    } else if before.database == settings.target {
        cut(target);
    } else if let Some(mut other) = db.find_database(&before.database)? {
        cut(&mut other);
        db.save_database(&mut other)?;
    }
    Ok(())
}

fn connect(settings: &RelationSettings<'_>, source: &Database, target: &mut Database) {
    let name = match settings.back_name {
        "" => format!("{} {}", source.name, settings.name).trim().to_owned(),
        name => name.to_owned(),
    };
    let back = RelationKey {
        database: settings.database.to_owned(),
        is_two_way: settings.is_two_way,
        back_key: if settings.is_two_way { settings.key.to_owned() } else { String::new() },
    };
    if let Some(key) = target.key_mut(settings.back_key) {
        key.relation = Some(back);
        if settings.is_two_way {
            key.name = name;
        }
        return;
    }
    if !settings.is_two_way {
        return;
    }
    let mut key = Key::new(settings.back_key, &name, "", ValueKind::Relation);
    key.relation = Some(back);
    let mut column = Column { key, values: Vec::new() };
    let now = crate::id::now_ms();
    for value in source.column(settings.key).map(|column| column.values.as_slice()).unwrap_or_default() {
        for item in value.relation.as_ref().map(Relation::ids).unwrap_or_default() {
            column.relate(item, &value.item, now);
        }
    }
    target.columns.push(column);
    target.views.iter_mut().for_each(|view| show_at_end(view, settings.back_key, true));
}
