//! The operations on databases of the page's protocol (`/api/transactions`).

use serde_json::{Value as Json, json};

use super::rows::RowPlace;
use super::value::read;
use super::view::{Calculation, ViewColumn};
use super::{cells, columns, relation, rows, views};
use crate::answer::Refusal;
use crate::store::Db;

/// Performs an operation; returns `None` if it is not about databases, else its `retData`.
///
/// A failure is answered with code 0 like success: callers only see it when they read back.
pub(crate) fn perform(db: &Db<'_>, operation: &Json) -> Result<Option<Json>, Refusal> {
    let text = |name: &str| operation.get(name).and_then(Json::as_str).unwrap_or_default();
    if !text("action").contains("AttrView") {
        return Ok(None);
    }
    match act(db, operation, text("action")) {
        Err(refusal) if refusal.code == 501 => Err(refusal),
        Ok(()) if text("action") == "removeAttrViewView" => {
            let database = db.database(text("avID"))?;
            Ok(Some(json!(database.view_or_current("")?.layout.name())))
        }
        _ => Ok(Some(Json::Null)),
    }
}

/// Whether the kernel fails after this operation and does nothing more of its transaction (3.7.3).
pub(crate) fn is_the_last(db: &Db<'_>, operation: &Json) -> Result<bool, Refusal> {
    let text = |name: &str| operation.get(name).and_then(Json::as_str).unwrap_or_default();
    match text("action") {
        "updateAttrViewCol" => columns::update_fails_afterwards(db, text("avID"), text("id"), text("type")),
        _ => Ok(false),
    }
}

fn act(db: &Db<'_>, operation: &Json, action: &str) -> Result<(), Refusal> {
    let text = |name: &str| operation.get(name).and_then(Json::as_str).unwrap_or_default();
    let flag = |name: &str| operation.get(name).and_then(Json::as_bool).unwrap_or_default();
    let data = operation.get("data").unwrap_or(&Json::Null);
    let said = || data.as_str().ok_or_else(Refusal::panicked);
    let on = || data.as_bool().ok_or_else(Refusal::panicked);
    let (av, id, carrier, previous) = (text("avID"), text("id"), text("blockID"), text("previousID"));
    let field = |f: &dyn Fn(&mut ViewColumn)| change_field(db, av, carrier, id, f);
    let look = |name: &str, value: Json| {
        views::change(db, av, carrier, |view| {
            view.shown_layout_mut().into_iter().for_each(|layout| {
                layout.look.insert(name.to_owned(), value.clone());
            });
            Ok(())
        })
    };
    let key = |regroup, f: &dyn Fn(&mut super::database::Key)| {
        columns::change_key(db, av, id, regroup, |key| {
            f(key);
            Ok(())
        })
    };
    match action {
        "setAttrViewName" => rename(db, id, said()?),
        "setAttrViewFilters" => views::set_filters(db, av, carrier, data),
        "setAttrViewSorts" => views::set_sorts(db, av, carrier, data),
        "setAttrViewGroup" => views::set_group(db, av, carrier, data),
        "setAttrViewPageSize" => {
            let size = data.as_f64().ok_or_else(Refusal::panicked)? as i64;
            views::change(db, av, carrier, |view| {
                view.page_size = size;
                Ok(())
            })
        }
        "setAttrViewColWidth" => {
            let width = said()?.to_owned();
            field(&|field| field.width = field.width.as_ref().map(|_| width.clone()))
        }
        "setAttrViewColAlign" => {
            let align = said()?;
            if !matches!(align, "" | "left" | "center" | "right") {
                return Err(Refusal::new("invalid column align"));
            }
            let align = (!align.is_empty()).then(|| align.to_owned());
            field(&|field| field.align = field.width.as_ref().and_then(|_| align.clone()))
        }
        "setAttrViewColPin" => {
            let pin = on()?;
            field(&|field| field.pin = field.pin.map(|_| pin))
        }
        "setAttrViewColWrap" => {
            let wrap = on()?;
            field(&|field| field.wrap = wrap)?;
            views::change(db, av, carrier, |view| {
                if let Some(layout) = view.shown_layout_mut() {
                    layout.wrap_field = layout.fields.iter().all(|field| field.wrap);
                }
                Ok(())
            })
        }
        "setAttrViewColHidden" => {
            let hidden = on()?;
            field(&|field| field.hidden = hidden)
        }
        "setAttrViewColCalc" => {
            let calc: Calculation = read(data)?;
            field(&|field| {
                if field.width.is_some() {
                    field.calc = Some(calc.clone());
                }
            })
        }
        "setAttrViewColIcon" => {
            let icon = said()?;
            key(false, &|key| icon.clone_into(&mut key.icon))
        }
        "setAttrViewColDesc" => {
            let desc = said()?;
            key(false, &|key| desc.clone_into(&mut key.desc))
        }
        "updateAttrViewColNumberFormat" if text("type") == "number" => {
            key(true, &|key| text("format").clone_into(&mut key.number_format))
        }
        "updateAttrViewColTemplate" if text("type") == "template" => {
            let template = said()?;
            key(true, &|key| template.clone_into(&mut key.template))
        }
        "updateAttrViewColNumberFormat" | "updateAttrViewColTemplate" => Ok(()),
        "setAttrViewColDateFillCreated" => {
            let on = on()?;
            key(false, &|key| key.date.get_or_insert_default().auto_fill_now = on)
        }
        "setAttrViewColDateFillSpecificTime" => {
            let on = on()?;
            key(false, &|key| key.date.get_or_insert_default().fill_specific_time = on)
        }
        "setAttrViewCreatedIncludeTime" => {
            let on = on()?;
            key(false, &|key| key.created.get_or_insert_default().include_time = on)
        }
        "setAttrViewUpdatedIncludeTime" => {
            let on = on()?;
            key(false, &|key| key.updated.get_or_insert_default().include_time = on)
        }
        "updateAttrViewColOptions" => columns::set_options(db, av, id, data),
        "removeAttrViewColOption" => columns::remove_option(db, av, id, said()?),
        "updateAttrViewColOption" => columns::update_option(db, av, id, data),
        "updateAttrViewColRelation" => relation::set(db, operation),
        "updateAttrViewColRollup" => columns::set_rollup(db, av, id, operation),
        "addAttrViewCol" => {
            let icon = data.as_str().unwrap_or_default();
            columns::add(db, av, (id, text("name"), icon), text("type"), previous)
        }
        "updateAttrViewCol" => columns::update(db, av, id, text("name"), text("type")),
        "removeAttrViewCol" => columns::remove(db, av, id, flag("removeDest")),
        "sortAttrViewKey" => columns::sort(db, av, id, previous),
        "sortAttrViewCol" => views::sort_field(db, av, carrier, id, previous),
        "insertAttrViewBlock" => {
            let sources = operation.get("srcs").and_then(Json::as_array).cloned().unwrap_or_default();
            let place = RowPlace { carrier, view: text("viewID"), group: text("groupID"), previous };
            let (fill, now) = (flag("ignoreDefaultFill"), crate::id::now_ms());
            sources.iter().rev().try_for_each(|source| rows::add(db, av, source, place, fill, now))
        }
        "removeAttrViewBlock" => {
            let items: Vec<String> = read(operation.get("srcIDs").unwrap_or(&json!([])))?;
            rows::remove(db, av, &items)
        }
        "sortAttrViewRow" if text("groupID").is_empty() => rows::sort(db, av, carrier, id, previous),
        "updateAttrViewCell" => cells::set(db, av, text("keyID"), text("rowID"), data).map(drop),
        "addAttrViewView" => views::add(db, av, id, carrier, text("layout")),
        "removeAttrViewView" => views::remove(db, av, carrier),
        "duplicateAttrViewView" => views::duplicate(db, av, previous, id, carrier),
        "sortAttrViewView" => views::sort(db, av, id, previous),
        "setAttrViewViewName" => {
            let name = said()?.trim();
            views::change_named(db, av, id, |view| name.clone_into(&mut view.name))
        }
        "setAttrViewViewIcon" => {
            let icon = said()?;
            views::change_named(db, av, id, |view| icon.clone_into(&mut view.icon))
        }
        "setAttrViewViewDesc" => {
            let desc = said()?.trim();
            views::change_named(db, av, id, |view| desc.clone_into(&mut view.desc))
        }
        "setAttrViewBlockView" => views::show_on(db, av, carrier, id),
        "changeAttrViewLayout" => views::change_layout(db, av, carrier, text("layout")),
        "setAttrViewCoverFrom" => {
            look("coverFrom", json!(data.as_f64().ok_or_else(Refusal::panicked)? as i64))
        }
        "setAttrViewCoverFromAssetKeyID" => look("coverFromAssetKeyID", json!(text("keyID"))),
        "setAttrViewCardSize" => look("cardSize", json!(data.as_f64().ok_or_else(Refusal::panicked)? as i64)),
        "setAttrViewCardAspectRatio" => {
            look("cardAspectRatio", json!(data.as_f64().ok_or_else(Refusal::panicked)? as i64))
        }
        "setAttrViewFitImage" => look("fitImage", json!(on()?)),
        "setAttrViewDisplayFieldName" => look("displayFieldName", json!(on()?)),
        "setAttrViewFillColBackgroundColor" => look("fillColBackgroundColor", json!(on()?)),
        "setAttrViewShowIcon" => {
            let on = on()?;
            views::change(db, av, carrier, |view| {
                view.shown_layout_mut().into_iter().for_each(|layout| layout.show_icon = on);
                Ok(())
            })
        }
        "setAttrViewWrapField" => {
            let on = on()?;
            views::change(db, av, carrier, |view| {
                if let Some(layout) = view.shown_layout_mut() {
                    layout.wrap_field = on;
                    layout.fields.iter_mut().for_each(|field| field.wrap = on);
                }
                Ok(())
            })
        }
        "hideAttrViewName" => {
            let on = on()?;
            views::change(db, av, carrier, |view| {
                view.hide_attr_view_name = on;
                Ok(())
            })
        }
        "removeAttrViewGroup" => views::change(db, av, carrier, |view| {
            view.ungroup();
            Ok(())
        }),
        other => Err(Refusal::not_here(other)),
    }
}

/// Changes a column of the view that a block shows.
fn change_field(
    db: &Db<'_>,
    av: &str,
    carrier: &str,
    key: &str,
    f: &dyn Fn(&mut ViewColumn),
) -> Result<(), Refusal> {
    views::change(db, av, carrier, |view| {
        let fields = view.shown_layout_mut().into_iter().flat_map(|layout| layout.fields.iter_mut());
        fields.filter(|field| field.id == key).for_each(f);
        Ok(())
    })
}

/// Gives a database a name; the blocks of its rows show it.
pub(crate) fn rename(db: &Db<'_>, id: &str, name: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    database.name = name.trim().replace('\n', " ").chars().take(512).collect();
    db.save_database(&mut database)?;
    db.rename_on_rows(&database)
}
