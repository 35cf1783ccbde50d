//! The functions that templates may name.

/// Keywords and constants.
const WORDS: &str = "if else end range with break continue true false nil";

/// Functions that read no notes, make nothing secret and no very long text. `define`, `template` and `block` are not
/// among them: templates that call each other grow without end. Nor are `set`, `merge` and `mergeOverwrite`, which change
/// a value that the next round of a loop reads again.
const HARMLESS: &str = "\
    and or not eq ne lt le gt ge len index slice print printf println html urlquery \
    now date dateInZone dateModify toDate parseTime duration ago unixEpoch Weekday WeekdayCN WeekdayCN2 ISOWeek \
    ISOYear ISOMonth ISOWeekDate htmlDate htmlDateInZone date_in_zone date_modify mustDateModify mustToDate \
    durationRound \
    abbrev abbrevboth camelcase cat contains hasPrefix hasSuffix initials kebabcase lower nospace plural quote \
    replace snakecase squote substr swapcase title trim trimAll trimPrefix trimSuffix trunc trimall untitle upper wrap wrapWith sha1sum sha256sum adler32sum b64enc b32enc \
    add add1 sub mul div mod max min addf add1f subf mulf divf maxf minf ceil floor round atoi biggest toDecimal \
    default empty coalesce ternary all any \
    list first last rest initial append prepend concat reverse uniq without has join split splitList sortAlpha push compact splitn \
    dict get hasKey keys values pick omit unset pluck dig \
    toString toStrings toJson toPrettyJson fromJson int float64 uuidv4 \
    runeCount wordCount markdown2text markdown2content FormatFloat countif pow log";

/// Functions that read notes of every notebook. `querySQL` is not among them, because it also writes.
const QUERIES: &str = "queryBlocks querySpans getBlock getHPathByID statBlock";

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == name)
}

/// Whether a template may name it whatever the levels of notebooks are.
pub fn is_harmless(name: &str) -> bool {
    has(WORDS, name) || has(HARMLESS, name)
}

/// Whether it reads notes of every notebook.
pub fn is_query(name: &str) -> bool {
    has(QUERIES, name)
}
