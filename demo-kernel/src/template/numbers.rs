//! Arithmetic of templates.

use super::call::{Failure, at, string};
use super::value::Any;

pub(super) fn call(name: &str, args: &[Any]) -> Result<Option<Any>, Failure> {
    let int = |place: usize| at(args, place).to_int();
    let float = |place: usize| at(args, place).to_float();
    let ints = || args.iter().map(Any::to_int);
    let floats = || args.iter().map(Any::to_float);
    let folded = |f: fn(f64, f64) -> f64| Any::Float(floats().reduce(f).unwrap_or_default());
    Ok(Some(match name {
        "int" | "int64" | "atoi" => Any::Int(int(0)),
        "float64" => Any::Float(float(0)),
        "add" => Any::Int(ints().fold(0, i64::wrapping_add)),
        "add1" => Any::Int(int(0).wrapping_add(1)),
        "sub" => Any::Int(int(0).wrapping_sub(int(1))),
        "mul" => Any::Int(ints().fold(1, i64::wrapping_mul)),
        "div" | "mod" => {
            let by_zero = || Failure::Message("runtime error: integer divide by zero".into());
            let result = if name == "div" { int(0).checked_div(int(1)) } else { int(0).checked_rem(int(1)) };
            Any::Int(result.ok_or_else(by_zero)?)
        }
        "max" => Any::Int(ints().max().unwrap_or_default()),
        "min" => Any::Int(ints().min().unwrap_or_default()),
        "addf" => folded(|a, b| a + b),
        "subf" => folded(|a, b| a - b),
        "mulf" => folded(|a, b| a * b),
        "divf" => folded(|a, b| a / b),
        "floor" => Any::Float(float(0).floor()),
        "ceil" => Any::Float(float(0).ceil()),
        "round" => {
            let factor = 10_f64.powi(i32::try_from(int(1)).unwrap_or(0));
            Any::Float((float(0) * factor).round() / factor)
        }
        "pow" => Any::Int(float(0).powf(float(1)) as i64),
        "powf" => Any::Float(float(0).powf(float(1))),
        "log" => Any::Int((float(0).ln() / float(1).ln()) as i64),
        "logf" => Any::Float(float(0).ln() / float(1).ln()),
        "FormatFloat" => Any::Text(formatted(&string(args, 0), float(1)).ok_or(Failure::NotHere)?),
        "runeCount" => Any::Int(string(args, 0).chars().filter(|c| !c.is_whitespace()).count() as i64),
        "wordCount" => Any::Int(words(&string(args, 0))),
        _ => return Ok(None),
    }))
}

/// Every Chinese, Japanese or Korean character is a word, like every run of others.
fn words(text: &str) -> i64 {
    let wide =
        |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    let mut count = 0;
    let mut inside = false;
    for sign in text.chars() {
        if wide(sign) {
            count += 1;
            inside = false;
        } else if sign.is_alphanumeric() {
            count += i64::from(!inside);
            inside = true;
        } else if sign.is_whitespace() {
            inside = false;
        }
    }
    count
}

/// Patterns of the form `#,###.##`.
fn formatted(pattern: &str, number: f64) -> Option<String> {
    let (whole, digits) = match pattern.split_once('.') {
        Some((whole, fraction)) => (whole, fraction.len()),
        None => (pattern, 0),
    };
    let signs = |text: &str| text.chars().all(|c| matches!(c, '#' | ','));
    if !signs(whole) || !whole.contains(',') || !pattern.split_once('.').is_none_or(|(_, tail)| signs(tail)) {
        return None;
    }
    let text = format!("{:.digits$}", number.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out += &format!(".{fraction}");
    }
    Some(if number < 0.0 { format!("-{out}") } else { out })
}
