//! Values as text: Go's `%v` and the verbs of `printf`.

use super::value::Any;

impl Any {
    /// A value as in the output of a template.
    pub(crate) fn show(&self) -> String {
        match self {
            Any::Missing => "<no value>".into(),
            other => other.plain(),
        }
    }

    /// As `print` writes it.
    pub(super) fn plain(&self) -> String {
        match self {
            Any::Nil | Any::Missing => "<nil>".into(),
            Any::Bool(flag) => flag.to_string(),
            Any::Int(number) => number.to_string(),
            Any::Float(number) => float(*number),
            Any::Text(text) => text.clone(),
            Any::Time(time) => super::clock::layout(*time, "2006-01-02 15:04:05 -0700 MST"),
            Any::List(items) => {
                let items: Vec<_> = items.iter().map(Any::plain).collect();
                format!("[{}]", items.join(" "))
            }
            Any::Map(map) => {
                let entries: Vec<_> =
                    map.iter().map(|(key, value)| format!("{key}:{}", value.plain())).collect();
                format!("map[{}]", entries.join(" "))
            }
        }
    }
}

/// The shortest form; very large and very small ones with an exponent.
fn float(number: f64) -> String {
    let size = number.abs();
    if number != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let sign = if exponent.starts_with('-') { '-' } else { '+' };
        return format!("{digits}e{sign}{:0>2}", exponent.trim_start_matches('-'));
    }
    number.to_string()
}

/// `printf`: `%v %s %d %f %x %q %t %%` with flags, width and precision.
pub(super) fn printf(format: &str, args: &[Any]) -> String {
    let mut out = String::new();
    let mut rest = format.chars().peekable();
    let mut args = args.iter();
    while let Some(sign) = rest.next() {
        if sign != '%' {
            out.push(sign);
            continue;
        }
        let (mut flags, mut width, mut precision) = (String::new(), String::new(), None::<String>);
        while let Some(c) = rest.next_if(|c| "-+0 #".contains(*c)) {
            flags.push(c);
        }
        while let Some(c) = rest.next_if(char::is_ascii_digit) {
            width.push(c);
        }
        if rest.next_if_eq(&'.').is_some() {
            let digits = precision.insert(String::new());
            while let Some(c) = rest.next_if(char::is_ascii_digit) {
                digits.push(c);
            }
        }
        let Some(verb) = rest.next() else {
            out += "%!(NOVERB)";
            break;
        };
        if verb == '%' {
            out.push('%');
            continue;
        }
        let Some(arg) = args.next() else {
            out += &format!("%!{verb}(MISSING)");
            continue;
        };
        let digits = precision.as_deref().map(|digits| digits.parse().unwrap_or(0));
        out +=
            &padded(&verb_text(verb, arg, digits, flags.contains('+')), &flags, width.parse().unwrap_or(0));
    }
    out
}

fn verb_text(verb: char, arg: &Any, digits: Option<usize>, plus: bool) -> String {
    let signed = |text: String| if plus && !text.starts_with('-') { format!("+{text}") } else { text };
    match (verb, arg) {
        ('d', Any::Int(number)) => signed(number.to_string()),
        ('f' | 'F', Any::Float(number)) => signed(format!("{number:.*}", digits.unwrap_or(6))),
        ('x', Any::Int(number)) => format!("{number:x}"),
        ('X', Any::Int(number)) => format!("{number:X}"),
        ('x', Any::Text(text)) => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
        ('q', Any::Text(text)) => quoted(text),
        ('t', Any::Bool(flag)) => flag.to_string(),
        ('s', Any::Int(_) | Any::Float(_) | Any::Bool(_)) => {
            format!("%!s({}={})", arg.type_name(), arg.plain())
        }
        ('s' | 'v', _) => match digits {
            Some(digits) if verb == 's' => arg.plain().chars().take(digits).collect(),
            _ => arg.plain(),
        },
        ('T', _) => arg.type_name().to_owned(),
        _ => format!("%!{verb}({}={})", arg.type_name(), arg.plain()),
    }
}

fn padded(text: &str, flags: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    if flags.contains('-') {
        return text.to_owned() + &" ".repeat(missing);
    }
    if flags.contains('0') {
        let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+'])));
        return format!("{sign}{}{digits}", "0".repeat(missing));
    }
    " ".repeat(missing) + text
}

/// In Go's quotes.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}
