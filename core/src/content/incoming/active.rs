//! What would run in the person's window when they open the note: scripts, handlers, `javascript:`.

/// English words that look like the name of a handler.
const WORDS: [&str; 6] = ["online", "onion", "onset", "ongoing", "onward", "onwards"];

/// The first thing in a text (code blanked out) that would run, if there is one.
pub(super) fn active(masked: &str) -> Option<&'static str> {
    let text = masked.to_ascii_lowercase();
    if text.contains("<script") {
        return Some("<script>");
    }
    if has_handler(&text) {
        return Some("on...= attributes");
    }
    // Browsers pass over these inside of an address.
    let address: String =
        decoded(&text).chars().filter(|it| !matches!(it, '\t' | '\n' | '\r' | '\0')).collect();
    ["javascript:", "vbscript:"]
        .iter()
        .any(|scheme| is_address(&address, scheme))
        .then_some("javascript: links")
}

/// A handler's name after the first tag, as an attribute would stand there.
fn has_handler(text: &str) -> bool {
    let tag = text.match_indices('<').find(|(at, _)| {
        text.get(at + 1..).is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_alphabetic()))
    });
    let Some(rest) = tag.and_then(|(at, _)| text.get(at..)) else { return false };
    rest.match_indices("on").any(|(at, _)| {
        let before = rest.get(..at).and_then(|it| it.chars().next_back());
        let name = rest.get(at..).unwrap_or_default();
        let length = name.bytes().take_while(u8::is_ascii_lowercase).count();
        let assigned = name.get(length..).is_some_and(|it| it.trim_start().starts_with('='));
        let separate = before.is_some_and(|it| it.is_whitespace() || "\"'/;".contains(it) || it.is_control());
        let word = name.get(..length).is_some_and(|it| WORDS.contains(&it));
        separate && assigned && length >= 5 && !word
    })
}

/// Whether a scheme stands where an address stands, not in a sentence.
fn is_address(text: &str, scheme: &str) -> bool {
    text.match_indices(scheme).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let bare = before.trim_end_matches(['"', '\'']).trim_end();
        let quoted = bare.len() < before.len();
        bare.ends_with('=') || (!quoted && ["](", "](<", "]:", "<"].iter().any(|it| before.ends_with(it)))
    })
}

/// A text with its character references read: addresses may be written in them.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at + 1..).unwrap_or_default();
        if let Some((letter, after)) = reference(rest) {
            out.push(letter);
            rest = after;
        } else {
            out.push('&');
        }
    }
    out.push_str(rest);
    out
}

fn reference(text: &str) -> Option<(char, &str)> {
    for (name, letter) in [("colon;", ':'), ("tab;", '\t'), ("newline;", '\n'), ("lpar;", '(')] {
        if let Some(after) = text.strip_prefix(name) {
            return Some((letter, after));
        }
    }
    let digits = text.strip_prefix('#')?;
    let (digits, radix) = digits.strip_prefix('x').map_or((digits, 10), |hex| (hex, 16));
    let length = digits.chars().take_while(|it| it.is_digit(radix)).count();
    let letter = char::from_u32(u32::from_str_radix(digits.get(..length)?, radix).ok()?)?;
    let after = digits.get(length..)?;
    Some((letter, after.strip_prefix(';').unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::active;

    #[test]
    fn what_would_run_is_found() {
        for text in [
            "<SCRIPT>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<svg/onload = x>",
            "<b>x</b>\n<i a=\"1\"onclick=\"x\">",
            "<img b\" src=\">\" onmouseover=x>",
            "[a](javascript:x)",
            "[a]( <java\tscript:x>)",
            "[a]: JavaScript:x",
            "<a href='&#106;avascript&colon;x'>",
            "<a href=&#x6a;avascript:x>",
            "<javascript:x>",
        ] {
            assert!(active(text).is_some(), "{text}");
        }
    }

    #[test]
    fn prose_is_not() {
        for text in [
            "JavaScript: the good parts",
            "see \"JavaScript: The Good Parts\" (javascript: a book)",
            "once = 1, condition = 2, <b>only</b> one = 3, online = 4",
            "onclick = x without any tag",
            "<iframe src=\"https://example.org\"></iframe>",
            "a & b &amp; &#; &#x110000; &#55296;",
        ] {
            assert_eq!(active(text), None, "{text}");
        }
    }
}
