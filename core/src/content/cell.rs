//! Values of cells: this product's form, and the object that the kernel stores. The kernel does not check its shape.

use serde_json::{Map, Value, json};

use super::incoming::{is_plain_address, would_run_in_value};
use super::stamp;
use crate::args::{Arg, Plain, Spot};
use crate::error::ToolError;
use crate::id::AssetPath;
use crate::kernel::{Ambient, clock};
use crate::spec::{Interpreter, Kind, ReadBy};

/// The value for a cell; null clears it. Its column decides which values are valid.
#[derive(Debug, Clone, PartialEq)]
pub struct CellValue(pub Value);

#[diagnostic::do_not_recommend]
impl Plain for CellValue {}

impl Arg for CellValue {
    const KIND: Kind = Kind::Cell;
    const READ_BY: ReadBy = ReadBy::These(&[Interpreter::Html]);

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            Some(value) => Some(CellValue(value)),
            None => spot.expected("the value of the cell, or null to clear it"),
        }
    }
}

/// A name or title that is shown as it stands, without spaces at its ends.
pub fn plain_text(field: &str, text: &str) -> Result<String, ToolError> {
    let text = text.trim();
    if text.is_empty() || text.contains(['\n', '\r']) || would_run_in_value(text) {
        return Err(ToolError::field(field, "one line of text without active content such as scripts"));
    }
    Ok(text.to_owned())
}

/// The maximum number of items that a caller puts into one cell.
pub const MOST: usize = 100;

/// The object for a value in a column of this type, or the expectation that the value fails. Relations hold row ids
/// by now.
pub fn to_kernel(kind: &str, value: &Value, ambient: &dyn Ambient) -> Result<Value, String> {
    // A reader follows an address by a click.
    if strings(value).any(would_run_in_value) {
        return Err("a value without HTML and without active content such as scripts".to_owned());
    }
    if kind == "url" && !strings(value).all(is_plain_address) {
        return Err("a web, mailto: or tel: address, because others can start programs".to_owned());
    }
    let clears = value.is_null();
    match kind {
        "block" | "text" | "url" | "email" | "phone" => match value.as_str() {
            Some(text) => Ok(json!({ kind: { "content": text } })),
            None if clears && kind != "block" => Ok(json!({ kind: { "content": "" } })),
            None => Err("text".to_owned()),
        },
        "number" => match value.as_f64() {
            Some(_) => Ok(json!({ "number": { "content": value, "isNotEmpty": true } })),
            None if clears => Ok(json!({ "number": { "content": 0, "isNotEmpty": false } })),
            None => Err("a number".to_owned()),
        },
        "checkbox" => match value.as_bool() {
            Some(set) => Ok(json!({ "checkbox": { "checked": set } })),
            None if clears => Ok(json!({ "checkbox": { "checked": false } })),
            None => Err("true or false".to_owned()),
        },
        "date" => date(value, ambient),
        "select" => match value.as_str().filter(|it| !it.trim().is_empty()) {
            Some(option) => Ok(json!({ "mSelect": [{ "content": option, "color": "" }] })),
            None if clears => Ok(json!({ "mSelect": [] })),
            None => Err("the name of one option".to_owned()),
        },
        "mSelect" => {
            let option = |it: &Value| {
                let name = it.as_str().filter(|it| !it.trim().is_empty())?;
                Some(json!({ "content": name, "color": "" }))
            };
            Ok(json!({ "mSelect": list(value, option).ok_or("a list of names of options")? }))
        }
        "mAsset" => Ok(
            json!({ "mAsset": list(value, asset).ok_or("a list of assets, each its path or {path, name}")? }),
        ),
        "relation" => {
            let ids = value.as_array().map_or(&[][..], Vec::as_slice);
            let fits = (clears || value.is_array()) && ids.iter().all(Value::is_string);
            if fits {
                Ok(json!({ "relation": { "blockIDs": ids } }))
            } else {
                Err("a list of ids of rows".to_owned())
            }
        }
        _ => Err(format!("left alone: SiYuan fills a column of the type {kind} itself")),
    }
}

fn strings(value: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        Value::String(text) => Box::new(std::iter::once(text.as_str())),
        Value::Array(items) => Box::new(items.iter().flat_map(strings)),
        Value::Object(map) => Box::new(map.values().flat_map(strings)),
        _ => Box::new(std::iter::empty()),
    }
}

fn list(value: &Value, item: impl Fn(&Value) -> Option<Value>) -> Option<Vec<Value>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::Array(items) if items.len() <= MOST => items.iter().map(item).collect(),
        _ => None,
    }
}

/// The asset paths in a value, if it is well formed.
pub fn assets(value: &Value) -> Vec<AssetPath> {
    let each = value.as_array().into_iter().flatten();
    let path = |it: &Value| it.as_str().or_else(|| it.get("path")?.as_str()).and_then(AssetPath::parse);
    each.filter_map(path).collect()
}

fn asset(value: &Value) -> Option<Value> {
    const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "avif", "ico"];
    let (path, name) = match value {
        Value::String(path) => (path.as_str(), ""),
        Value::Object(map) if map.keys().all(|it| it == "path" || it == "name") => {
            let name = map.get("name").map_or(Some(""), Value::as_str)?;
            (map.get("path")?.as_str()?, name)
        }
        _ => return None,
    };
    let path = AssetPath::parse(path)?;
    let extension = path.file_name().rsplit_once('.').map(|(_, it)| it.to_lowercase()).unwrap_or_default();
    let kind = if PICTURES.contains(&extension.as_str()) { "image" } else { "file" };
    Some(json!({ "type": kind, "name": name, "content": path.as_str() }))
}

/// All six fields, because the kernel keeps every field that is not sent.
fn date(value: &Value, ambient: &dyn Ambient) -> Result<Value, String> {
    let wrong = || "a date such as 2026-01-31 or 2026-01-31T09:00, or {start, end}".to_owned();
    let (start, end) = match value {
        Value::Null => (None, None),
        Value::String(_) => (Some(moment(value, ambient).ok_or_else(wrong)?), None),
        Value::Object(map) if map.keys().all(|it| it == "start" || it == "end") => {
            let of = |key: &str| moment(map.get(key).unwrap_or(&Value::Null), ambient).ok_or_else(wrong);
            (Some(of("start")?), Some(of("end")?))
        }
        _ => return Err(wrong()),
    };
    let time = start.or(end).is_some_and(|(_, time)| time) || end.is_some_and(|(_, time)| time);
    Ok(json!({ "date": {
        "content": start.map_or(0, |(ms, _)| ms), "isNotEmpty": start.is_some(), "isNotTime": !time,
        "hasEndDate": end.is_some(), "content2": end.map_or(0, |(ms, _)| ms), "isNotEmpty2": end.is_some(),
    } }))
}

/// A local day or time in milliseconds since 1970, and whether it has a time.
fn moment(value: &Value, ambient: &dyn Ambient) -> Option<(i64, bool)> {
    let text = value.as_str()?;
    let (day, time) = text.split_once('T').map_or((text, None), |(day, time)| (day, Some(time)));
    let shape = |text: &str, shape: &str| {
        text.len() == shape.len()
            && text
                .bytes()
                .zip(shape.bytes())
                .all(|(it, of)| if of == b'0' { it.is_ascii_digit() } else { it == of })
    };
    let fits = shape(day, "0000-00-00") && time.is_none_or(|it| shape(it, "00:00") || shape(it, "00:00:00"));
    let digits: String = text.bytes().filter(u8::is_ascii_digit).map(char::from).collect();
    let local = clock::seconds_of_digits(&format!("{digits:0<14}")).filter(|_| fits)?;
    // The offset of a moment is known only once the moment is; a second look is right, except in the hour that a
    // clock skips.
    let at = |offset: i32| local - i64::from(offset) * 60;
    let offset = ambient.local_offset(at(ambient.local_offset(local * 1_000)) * 1_000);
    Some((at(offset) * 1_000, time.is_some()))
}

/// The value of a cell in this product's form; `None` for an empty cell.
pub fn of_kernel(kind: &str, parts: &Map<String, Value>, ambient: &dyn Ambient) -> Option<Value> {
    let part = |name: &str| parts.get(name).filter(|it| !it.is_null());
    let contents = || {
        let all = part("mSelect")?.as_array()?.iter();
        Some(all.filter_map(|it| it.get("content")).cloned().collect::<Vec<Value>>())
    };
    match kind {
        "text" | "url" | "email" | "phone" | "block" => {
            part(kind)?.get("content").filter(|it| it.as_str() != Some("")).cloned()
        }
        "number" => {
            let number = part("number").filter(|it| it["isNotEmpty"] == true)?;
            number.get("content").cloned()
        }
        "checkbox" => part("checkbox")?.get("checked").cloned(),
        "select" => contents()?.into_iter().next(),
        "mSelect" => contents().filter(|it| !it.is_empty()).map(Value::from),
        "date" => {
            let date = part("date").filter(|it| it["isNotEmpty"] == true)?;
            let moment = |ms: &Value| local(ms.as_i64()?, date["isNotTime"] == true, ambient);
            match date["hasEndDate"].as_bool() {
                Some(true) => {
                    Some(json!({ "start": moment(&date["content"])?, "end": moment(&date["content2"])? }))
                }
                _ => moment(&date["content"]).map(Value::from),
            }
        }
        "mAsset" => {
            let assets: Vec<Value> = part("mAsset")?.as_array()?.iter().filter_map(asset_json).collect();
            (!assets.is_empty()).then(|| Value::from(assets))
        }
        "template" => part(kind)?.get("content").filter(|it| it.as_str() != Some("")).cloned(),
        "created" | "updated" => {
            let moment = part(kind).filter(|it| it["isNotEmpty"] != false)?;
            local(moment["content"].as_i64().filter(|ms| *ms > 0)?, false, ambient).map(Value::from)
        }
        _ => None,
    }
}

/// The parts of a value that is compared with a span of time; the kernel marks the end of one in cells only.
pub fn with_end(parts: &Map<String, Value>) -> Map<String, Value> {
    let mut parts = parts.clone();
    if let Some(date) = parts.get_mut("date").and_then(Value::as_object_mut) {
        date.insert("hasEndDate".to_owned(), true.into());
    }
    parts
}

/// Ids of the rows that a relation leads to.
pub fn related_rows(parts: &Value) -> impl Iterator<Item = &str> {
    let ids = parts.pointer("/relation/blockIDs").and_then(Value::as_array);
    ids.into_iter().flatten().filter_map(Value::as_str)
}

/// The options that a select has chosen.
pub fn chosen(parts: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let all = parts.get("mSelect").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(|it| it.get("content")?.as_str())
}

/// The values that a rollup shows without a calculation.
pub fn rolled_up(parts: &Map<String, Value>, ambient: &dyn Ambient) -> Vec<Value> {
    let all = parts.get("rollup").and_then(|it| it.get("contents")?.as_array());
    let value = |it: &Value| of_kernel(it.get("type")?.as_str()?, it.as_object()?, ambient);
    all.into_iter().flatten().filter_map(value).collect()
}

/// A number in its column's format, as a person sees it.
pub fn formatted(parts: &Map<String, Value>) -> Option<&str> {
    parts.get("number")?.get("formattedContent")?.as_str().filter(|it| !it.is_empty())
}

fn asset_json(asset: &Value) -> Option<Value> {
    let path = asset.get("content")?.as_str().filter(|it| !it.is_empty())?;
    let name = asset.get("name").and_then(Value::as_str).filter(|it| !it.is_empty());
    Some(name.map_or_else(|| path.into(), |name| json!({ "path": path, "name": name })))
}

fn local(ms: i64, is_day: bool, ambient: &dyn Ambient) -> Option<String> {
    let seconds = ms.div_euclid(1_000) + i64::from(ambient.local_offset(ms)) * 60;
    let text = stamp::of_seconds(u64::try_from(seconds).ok()?);
    text.get(..if is_day { 10 } else { 16 }).map(str::to_owned)
}

/// Whether the kernel stored what was sent; a field that it left out counts as empty.
pub fn is_stored(sent: &Value, stored: &Value) -> bool {
    match (sent, stored) {
        (Value::Object(sent), stored) => {
            // The kernel chooses the colours.
            let mut counted = sent.iter().filter(|(name, _)| *name != "color");
            counted.all(|(name, sent)| is_stored(sent, stored.get(name).unwrap_or(&Value::Null)))
        }
        (Value::Array(sent), Value::Array(stored)) => {
            sent.len() == stored.len()
                && sent.iter().zip(stored).all(|(sent, stored)| is_stored(sent, stored))
        }
        (sent, Value::Null) => {
            matches!(sent, Value::Null | Value::Bool(false))
                || sent.as_f64() == Some(0.0)
                || sent.as_str() == Some("")
                || sent.as_array().is_some_and(Vec::is_empty)
        }
        (Value::Number(sent), Value::Number(stored)) => sent.as_f64() == stored.as_f64(),
        (sent, stored) => sent == stored,
    }
}
