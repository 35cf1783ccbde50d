//! Templates: whether one only computes with what it is given, or may read notes.
//!
//! SiYuan's templates may run SQL over every notebook, and that SQL may even write. A template is judged by the names
//! that it uses: a name that is not in the list may do anything.

/// The marks around the actions of a template in a file.
pub const IN_FILES: (&str, &str) = (".action{", "}");
/// The marks around the actions of a template in a setting or a text.
pub const IN_TEXT: (&str, &str) = ("{{", "}}");

/// The names that compute only, group by group.
const KNOWN: [&str; 7] = [
    "true false nil if else end range with and or not eq ne lt le gt ge len index slice print printf println html \
     urlquery define template block break continue",
    "now date dateInZone dateModify toDate parseTime duration ago unixEpoch Weekday WeekdayCN WeekdayCN2 ISOWeek \
     ISOYear ISOMonth ISOWeekDate htmlDate htmlDateInZone date_in_zone date_modify mustDateModify mustToDate \
     durationRound",
    "abbrev abbrevboth trunc trim trimAll trimall trimSuffix trimPrefix upper lower title untitle substr nospace \
     initials swapcase snakecase camelcase kebabcase wrap wrapWith contains hasPrefix hasSuffix quote squote cat \
     indent nindent replace plural sha1sum sha256sum adler32sum toString toStrings b64enc b64dec b32enc b32dec \
     regexMatch regexFindAll regexFind regexReplaceAll regexReplaceAllLiteral regexSplit regexQuoteMeta",
    "int int64 float64 atoi add add1 sub div mod mul max min biggest floor ceil round toDecimal addf add1f subf divf \
     mulf maxf minf pow log FormatFloat countif",
    "default empty coalesce all any ternary",
    "list first last rest initial append prepend push concat reverse uniq without has compact sortAlpha join split \
     splitn splitList",
    "dict get set unset hasKey keys values pick omit merge mergeOverwrite pluck dig toJson toPrettyJson fromJson \
     uuidv4 runeCount wordCount markdown2text markdown2content",
];

/// Whether a template uses only names that compute. A template that cannot be read to its end does not.
pub fn only_computes(template: &str, (open, close): (&str, &str)) -> bool {
    let mut rest = template;
    while let Some((_, action)) = rest.split_once(open) {
        match behind_action(action, close) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    true
}

/// The text behind an action that uses only known names.
fn behind_action<'a>(action: &'a str, close: &str) -> Option<&'a str> {
    let mut rest = action;
    loop {
        if let Some(behind) = rest.strip_prefix(close) {
            return Some(behind);
        }
        let first = rest.chars().next()?;
        let after = rest.get(first.len_utf8()..)?;
        rest = match first {
            '"' | '\'' => behind_quoted(after, first)?,
            '`' => after.split_once('`')?.1,
            // A comment ends where the language ends it; anything else with a slash is no template.
            '/' => after.strip_prefix('*')?.split_once("*/")?.1,
            '.' | '$' => after.trim_start_matches(is_of_name),
            _ if is_of_name(first) => {
                let name: &str = rest.split(|it| !is_of_name(it)).next()?;
                let is_number = first.is_ascii_digit();
                if !is_number && !KNOWN.iter().any(|group| group.split_whitespace().any(|it| it == name)) {
                    return None;
                }
                rest.get(name.len()..)?
            }
            _ => after,
        };
    }
}

fn behind_quoted(text: &str, quote: char) -> Option<&str> {
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => _ = letters.next()?,
            '\n' => return None,
            _ if letter == quote => return text.get(at + letter.len_utf8()..),
            _ => {}
        }
    }
    None
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_computes_is_known() {
        for template in [
            "/daily note/{{now | date \"2006/01\"}}/{{now | date \"2006-01-02\"}}",
            "no action",
            "{{/* getBlock */}}{{- $x := dict \"a\" 1 -}}{{ $x.querySQL }} {{`queryBlocks }}`}}{{ 'x' }}",
            "{{ if eq .title \"queryBlocks\" }}{{ now.Format \"2006\" }}{{ end }}",
        ] {
            assert!(only_computes(template, IN_TEXT), "{template}");
        }
        assert!(only_computes("# .action{.title}\n{{SELECT * FROM blocks}}", IN_FILES));
    }

    #[test]
    fn what_may_read_notes_is_not() {
        for template in [
            "{{ queryBlocks \"SELECT * FROM blocks\" }}",
            "{{ now }}{{ (querySQL \"x\") }}",
            "{{ \"a\\\"\" | getBlock }}",
            "{{ `a` | statBlock }}",
            "{{ /* a */ getHPathByID .id }}",
            "{{ now",
            "{{ \"a }}",
            "{{ repeat 1000000000 \"x\" }}",
            "{{ genPrivateKey \"rsa\" }}",
        ] {
            assert!(!only_computes(template, IN_TEXT), "{template}");
        }
        assert!(!only_computes(".action{ range querySpans \"}\" }", IN_FILES));
    }
}
