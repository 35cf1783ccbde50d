//! Lists, dictionaries and defaults of templates.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::call::{Failure, at, string};
use super::value::Any;

/// No list made by a template is longer.
const LONGEST: i64 = 100_000;

fn items(value: &Any) -> Vec<Any> {
    match value {
        Any::List(items) => items.to_vec(),
        _ => Vec::new(),
    }
}

fn entries(value: &Any) -> BTreeMap<String, Any> {
    match value {
        Any::Map(map) => map.as_ref().clone(),
        _ => BTreeMap::new(),
    }
}

fn map(entries: BTreeMap<String, Any>) -> Any {
    Any::Map(Rc::new(entries))
}

pub(super) fn call(name: &str, args: &[Any]) -> Result<Option<Any>, Failure> {
    let list = |place: usize| items(&at(args, place));
    let dict = |place: usize| entries(&at(args, place));
    let rest = || args.get(1..).unwrap_or_default();
    Ok(Some(match name {
        "list" => Any::list(args.to_vec()),
        "first" => list(0).first().cloned().unwrap_or(Any::Nil),
        "last" => list(0).last().cloned().unwrap_or(Any::Nil),
        "rest" => Any::list(list(0).into_iter().skip(1)),
        "initial" => {
            let mut items = list(0);
            items.pop();
            Any::list(items)
        }
        "append" | "push" => Any::list(list(0).into_iter().chain([at(args, 1)])),
        "prepend" => Any::list([at(args, 1)].into_iter().chain(list(0))),
        "concat" => Any::list(args.iter().flat_map(items)),
        "reverse" => Any::list(list(0).into_iter().rev()),
        "uniq" => {
            let mut kept: Vec<Any> = Vec::new();
            list(0).into_iter().for_each(|item| {
                if !kept.contains(&item) {
                    kept.push(item);
                }
            });
            Any::list(kept)
        }
        "without" => Any::list(list(0).into_iter().filter(|item| !rest().contains(item))),
        "has" => Any::Bool(list(1).contains(&at(args, 0))),
        "compact" => Any::list(list(0).into_iter().filter(Any::is_true)),
        "sortAlpha" => {
            let mut texts: Vec<String> = list(0).iter().map(Any::plain).collect();
            texts.sort();
            Any::list(texts.into_iter().map(Any::Text))
        }
        "toStrings" => Any::list(list(0).iter().map(|item| Any::Text(item.plain()))),
        "join" => {
            let texts: Vec<String> = list(1).iter().map(Any::plain).collect();
            let whole = if matches!(at(args, 1), Any::List(_)) { texts } else { vec![string(args, 1)] };
            Any::Text(whole.join(&string(args, 0)))
        }
        "splitList" => Any::list(string(args, 1).split(&string(args, 0)).map(Any::text)),
        "split" => {
            let parts = string(args, 1);
            let separator = string(args, 0);
            let named =
                parts.split(&separator).enumerate().map(|(at, part)| (format!("_{at}"), Any::text(part)));
            Any::map(named)
        }
        "until" => numbers(0, at(args, 0).to_int(), 1)?,
        "untilStep" => numbers(at(args, 0).to_int(), at(args, 1).to_int(), at(args, 2).to_int())?,
        "seq" => {
            let given: Vec<i64> = args.iter().map(Any::to_int).collect();
            let (from, to, step) = match given.as_slice() {
                [to] => (1, *to, if *to < 1 { -1 } else { 1 }),
                [from, to] => (*from, *to, if to < from { -1 } else { 1 }),
                [from, step, to] => (*from, *to, *step),
                _ => return Ok(Some(Any::text(""))),
            };
            let shown: Vec<String> =
                items(&numbers(from, to + step.signum(), step)?).iter().map(Any::plain).collect();
            Any::Text(shown.join(" "))
        }
        "index" => index(args)?,
        "slice" => {
            let all = list(0);
            let bound = |place: usize, default: usize| {
                args.get(place).map_or(default, |bound| usize::try_from(bound.to_int()).unwrap_or(usize::MAX))
            };
            let (from, to) = (bound(1, 0), bound(2, all.len()));
            let part = all.get(from..to);
            Any::list(part.ok_or_else(|| Failure::Message(format!("index out of range: {to}")))?.to_vec())
        }
        "len" => match at(args, 0) {
            Any::Text(text) => Any::Int(text.len() as i64),
            Any::List(items) => Any::Int(items.len() as i64),
            Any::Map(map) => Any::Int(map.len() as i64),
            Any::Nil | Any::Missing => return Err(Failure::Message("len of nil pointer".into())),
            other => return Err(Failure::Message(format!("len of type {}", other.type_name()))),
        },
        "dict" => {
            let pairs = args.chunks(2).map(|pair| (string(pair, 0), at(pair, 1)));
            Any::map(pairs)
        }
        "get" => dict(0).get(&string(args, 1)).cloned().unwrap_or_else(|| Any::text("")),
        "hasKey" => Any::Bool(dict(0).contains_key(&string(args, 1))),
        // A template sees the new dictionary only if it uses the result of the call.
        "set" => {
            let mut entries = dict(0);
            entries.insert(string(args, 1), at(args, 2));
            map(entries)
        }
        "unset" => {
            let mut entries = dict(0);
            entries.remove(&string(args, 1));
            map(entries)
        }
        "keys" => Any::list(args.iter().flat_map(|arg| entries(arg).into_keys()).map(Any::Text)),
        "values" => Any::list(dict(0).into_values()),
        "pick" | "omit" => {
            let named: Vec<String> = rest().iter().map(Any::plain).collect();
            let mut entries = dict(0);
            entries.retain(|key, _| named.contains(key) == (name == "pick"));
            map(entries)
        }
        "merge" => {
            let mut all = dict(0);
            for (key, value) in rest().iter().flat_map(entries) {
                all.entry(key).or_insert(value);
            }
            map(all)
        }
        "default" => {
            let given = at(args, 1);
            if given.is_true() { given } else { at(args, 0) }
        }
        "coalesce" => args.iter().find(|arg| arg.is_true()).cloned().unwrap_or(Any::Nil),
        "ternary" => at(args, usize::from(!at(args, 2).is_true())),
        "fromJson" => Any::of_json(&serde_json::from_str(&string(args, 0)).unwrap_or_default()),
        _ => return Ok(None),
    }))
}

fn numbers(from: i64, to: i64, step: i64) -> Result<Any, Failure> {
    if step == 0 || (to - from) / step > LONGEST {
        return Err(Failure::NotHere);
    }
    let inside = |number: &i64| if step > 0 { *number < to } else { *number > to };
    let all = std::iter::successors(Some(from), |number| Some(number + step)).take_while(inside);
    Ok(Any::list(all.map(Any::Int)))
}

fn index(args: &[Any]) -> Result<Any, Failure> {
    let mut value = at(args, 0);
    for key in args.iter().skip(1) {
        value = match &value {
            Any::Map(map) => map.get(&key.plain()).cloned().unwrap_or(Any::Missing),
            Any::List(items) => {
                let place = usize::try_from(key.to_int()).ok().and_then(|place| items.get(place));
                place
                    .cloned()
                    .ok_or_else(|| Failure::Message(format!("index out of range: {}", key.plain())))?
            }
            Any::Nil | Any::Missing => return Err(Failure::Message("index of untyped nil".into())),
            other => return Err(Failure::Message(format!("can't index item of type {}", other.type_name()))),
        };
    }
    Ok(value)
}
