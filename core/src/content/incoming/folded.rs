//! A text in the form in which the parsers behind the kernel may finally read it.
//!
//! Character references are decoded, capitals folded, and characters that are dropped on the way are left out.

/// The maximum depth of references inside references: `&amp;lt;` has two.
const MOST_DEPTH: usize = 4;

/// The characters that named references stand for, as far as they can begin or end anything.
const NAMED: [(&str, &str); 52] = [
    ("af", ""),
    ("amp", "&"),
    ("apos", "'"),
    ("applyfunction", ""),
    ("ast", "*"),
    ("bsol", "\\"),
    ("colon", ":"),
    ("comma", ","),
    ("commat", "@"),
    ("diacriticalgrave", "`"),
    ("dollar", "$"),
    ("equals", "="),
    ("excl", "!"),
    ("grave", "`"),
    ("gt", ">"),
    ("hat", "^"),
    ("ic", ""),
    ("invisiblecomma", ""),
    ("invisibletimes", ""),
    ("it", ""),
    ("lbrace", "{"),
    ("lbrack", "["),
    ("lcub", "{"),
    ("lowbar", "_"),
    ("lpar", "("),
    ("lrm", ""),
    ("lsqb", "["),
    ("lt", "<"),
    ("midast", "*"),
    ("nbsp", " "),
    ("negativemediumspace", ""),
    ("newline", "\n"),
    ("nobreak", ""),
    ("num", "#"),
    ("percnt", "%"),
    ("period", "."),
    ("plus", "+"),
    ("quest", "?"),
    ("quot", "\""),
    ("rbrace", "}"),
    ("rbrack", "]"),
    ("rcub", "}"),
    ("rlm", ""),
    ("rpar", ")"),
    ("rsqb", "]"),
    ("semi", ";"),
    ("shy", ""),
    ("sol", "/"),
    ("tab", "\t"),
    ("verbar", "|"),
    ("zerowidthspace", ""),
    ("zwnj", ""),
];

/// The references that are also read without a semicolon.
const BARE: [&str; 6] = ["amp", "gt", "lt", "nbsp", "quot", "shy"];

/// Folds a text; `None` if references nest deeper than anyone writes.
pub(super) fn folded(text: &str) -> Option<String> {
    let mut text = fold(text);
    for _ in 0..MOST_DEPTH {
        if !text.contains('&') {
            return Some(text);
        }
        let next = fold(&decoded(&text));
        if next == text {
            return Some(text);
        }
        text = next;
    }
    None
}

/// The readings of a text at every depth of its character references: in lower case first, then decoded step by step.
pub(super) fn readings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_ascii_lowercase(), fold(text)];
    for _ in 0..MOST_DEPTH {
        let Some(last) = all.last().filter(|it| it.contains('&')) else { break };
        let next = fold(&decoded(last));
        if next == *last {
            break;
        }
        all.push(next);
    }
    all.dedup();
    all
}

/// A text without its tags and comments, and without the list at the end of a span: inside marks and after some code,
/// the parser removes these and joins the text around them.
pub(super) fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Once one of them has no end, none further on has one.
    let (mut comments, mut lists) = (true, true);
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let comment = after.strip_prefix("!--").filter(|_| comments);
        if let Some(comment) = comment {
            if let Some((_, behind)) = comment.split_once("-->") {
                rest = behind;
                continue;
            }
            comments = false;
        }
        let tag = after.starts_with(|it: char| it.is_ascii_alphabetic() || "/!?".contains(it));
        let end = after.find(['>', '<']).and_then(|end| after.split_at_checked(end)).filter(|_| tag);
        let Some((tag, behind)) = end.and_then(|(tag, behind)| Some((tag, behind.strip_prefix('>')?))) else {
            out.push('<');
            rest = after;
            continue;
        };
        rest = behind;
        if let Some(list) = behind.strip_prefix("{:").filter(|_| lists && tag == "/span") {
            match list.split_once(['}', '\n']) {
                Some((_, behind)) => rest = behind,
                None => lists = false,
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether a character is dropped, or invisible to a reader of the text.
pub(super) fn is_dropped(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2038}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

fn fold(text: &str) -> String {
    let letters = text.chars().filter(|it| !is_dropped(*it));
    letters
        .map(|it| match it {
            // The only others that fold to ASCII.
            '\u{17f}' => 's',
            '\u{212a}' => 'k',
            it => it.to_ascii_lowercase(),
        })
        .collect()
}

/// A folded text with its character references decoded once.
pub(super) fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        rest = match numeric(after) {
            Some((letter, after)) => {
                out.push(letter);
                after
            }
            None => match named(after) {
                Some((letters, after)) => {
                    out.push_str(letters);
                    after
                }
                None => {
                    out.push('&');
                    after
                }
            },
        };
    }
    out.push_str(rest);
    out
}

fn numeric(text: &str) -> Option<(char, &str)> {
    let digits = text.strip_prefix('#')?;
    let (digits, radix) = digits.strip_prefix('x').map_or((digits, 10), |hex| (hex, 16));
    let length = digits.bytes().take_while(|it| char::from(*it).is_digit(radix)).count();
    let number = digits.get(..length)?.trim_start_matches('0');
    let letter = char::from_u32(u32::from_str_radix(number, radix).ok()?)?;
    let after = digits.get(length..)?;
    Some((letter, after.strip_prefix(';').unwrap_or(after)))
}

fn named(text: &str) -> Option<(&'static str, &str)> {
    const LONGEST: usize = 32;
    let length = text.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let name = text.get(..length)?;
    if let Some(after) = text.get(length..)?.strip_prefix(';')
        && let Ok(at) = NAMED.binary_search_by_key(&name, |(it, _)| *it)
    {
        return NAMED.get(at).map(|(_, letters)| (*letters, after));
    }
    let bare = BARE.iter().find(|it| text.starts_with(**it))?;
    let letters = NAMED.iter().find(|(it, _)| it == bare).map(|(_, letters)| *letters)?;
    let after = text.get(bare.len()..)?;
    Some((letters, after.strip_prefix(';').unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_letter_is_decoded() {
        for text in [
            "<",
            "&lt;",
            "&LT",
            "&#60;",
            "&#0000060",
            "&#x3c;",
            "&#X3C",
            "&amp;lt;",
            "&amp;#38;lt;",
            "\u{200b}<\u{2038}",
        ] {
            assert_eq!(folded(text).as_deref(), Some("<"), "{text}");
        }
        assert_eq!(folded("On\u{ad}CLICK &Tab;&equals; K\u{17f}").as_deref(), Some("onclick \t= ks"));
        assert_eq!(
            folded("a & b &; &#; &#x110000; &#55296; &nope; R&D").as_deref(),
            Some("a & b &; &#; &#x110000; &#55296; &nope; r&d")
        );
    }

    #[test]
    fn deeply_nested_entities_are_not_decoded() {
        assert_eq!(folded(&format!("&{}lt;", "amp;".repeat(9))), None);
    }

    #[test]
    fn text_split_by_tags_is_joined() {
        let text = "2025</b>01<!-- > -->01<i x=\"y\">0 </span>{: a=\"1\"}0 a < b > c <d <e>";
        assert_eq!(without_tags(text), "20250101000 0 a < b > c <d ".replace("01000 0", "010 0"));
    }

    #[test]
    fn entity_names_are_sorted() {
        assert!(NAMED.is_sorted_by_key(|(name, _)| *name));
    }
}
