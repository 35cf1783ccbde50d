//! The functions of templates: Go's own, the basics of Sprig, and SiYuan's.

use std::cmp::Ordering;

use regex::Regex;

use super::call::{CallResult, Failure, at, string};
use super::lists;
use super::numbers;
use super::print::{printf, quoted};
use super::times;
use super::value::Any;
use crate::markdown::attrs::escape;
use crate::moment;
use crate::store::Db;

/// Functions with a fixed number of arguments.
const FIXED: &str = "not:1 html:1 js:1 urlquery:1 len:1 upper:1 lower:1 title:1 untitle:1 trim:1 trimAll:2 \
    trimSuffix:2 trimPrefix:2 repeat:2 substr:3 nospace:1 trunc:2 contains:2 hasPrefix:2 hasSuffix:2 indent:2 \
    nindent:2 replace:3 plural:3 snakecase:1 camelcase:1 kebabcase:1 splitList:2 split:2 join:2 sortAlpha:1 \
    first:1 last:1 rest:1 initial:1 append:2 push:2 prepend:2 reverse:1 uniq:1 has:2 compact:1 until:1 \
    untilStep:3 get:2 set:3 unset:2 hasKey:2 int:1 int64:1 float64:1 atoi:1 toString:1 toStrings:1 empty:1 \
    ternary:3 date:2 dateInZone:3 dateModify:2 date_modify:2 toDate:2 unixEpoch:1 htmlDate:1 duration:1 \
    durationRound:1 now:0 Weekday:1 WeekdayCN:1 WeekdayCN2:1 ISOWeek:1 ISOYear:1 ISOMonth:1 ISOWeekDate:2 \
    parseTime:1 sub:2 div:2 mod:2 add1:1 floor:1 ceil:1 pow:2 powf:2 log:2 logf:2 runeCount:1 wordCount:1 \
    regexMatch:2 regexReplaceAll:3 regexFind:2 regexFindAll:3 regexSplit:3 toJson:1 fromJson:1 \
    kindOf:1 typeOf:1 kindIs:2 swapcase:1 wrap:2 abbrev:2 initials:1 fail:1 getHPathByID:1 getBlock:1 querySQL:1 \
    FormatFloat:2 uuidv4:0 values:1 trimall:2";

/// Functions with any number of arguments.
const OPEN: &str = "and or print println printf index slice eq ne lt le gt ge list dict cat quote squote coalesce \
    default all any add mul max min addf subf mulf divf round seq without concat keys pick omit merge queryBlocks";

/// Functions that Sprig and SiYuan have and this kernel does not.
const ELSEWHERE: &str = "b64enc b64dec adler32sum ago base bcryptPassword biggest buildCustomCert chunk clean cleanExt \
    b32enc b32dec call date_in_zone decryptAES deepCopy deepEqual derivePassword dig dir encryptAES ext genCA \
    genCAWithKey genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey \
    htmlDateInZone htpasswd isAbs maxf minf mergeOverwrite mustAppend mustChunk mustCompact mustDateModify \
    must_date_modify mustDeepCopy mustFirst mustFromJson mustHas mustInitial mustLast mustMerge mustMergeOverwrite \
    mustPrepend mustPush mustRegexFind mustRegexFindAll mustRegexMatch mustRegexReplaceAll \
    mustRegexReplaceAllLiteral mustRegexSplit mustRest mustReverse mustSlice mustToDate mustToJson mustToPrettyJson \
    mustToRawJson mustUniq mustWithout osBase osClean osDir osExt osIsAbs pluck randAlpha randAlphaNum randAscii \
    randBytes randInt randNumeric regexQuoteMeta regexReplaceAllLiteral semver semverCompare sha1sum sha256sum \
    sha512sum shuffle splitn toDecimal toPrettyJson toRawJson tuple typeIs typeIsLike urlJoin urlParse wrapWith \
    abbrevboth add1f querySpans statBlock markdown2text markdown2content countif";

/// The characters that a query of an address keeps unescaped.
const KEPT: &percent_encoding::AsciiSet =
    &percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

fn arity(name: &str) -> Option<usize> {
    let entry = FIXED.split_whitespace().find_map(|entry| {
        let (known, count) = entry.split_once(':')?;
        (known == name).then_some(count)
    });
    entry.and_then(|count| count.parse().ok())
}

/// Whether a template may name it.
pub(super) fn exists(name: &str) -> bool {
    let listed = |names: &str| names.split_whitespace().any(|known| known == name);
    arity(name).is_some() || listed(OPEN) || listed(ELSEWHERE)
}

pub(super) fn call(db: &Db<'_>, name: &str, args: &[Any]) -> CallResult {
    if let Some(want) = arity(name).filter(|want| *want != args.len()) {
        return Err(Failure::Count(want));
    }
    let found = [comparison, text, numbers::call, lists::call, times::call, patterns].into_iter();
    for group in found {
        if let Some(value) = group(name, args)? {
            return Ok(value);
        }
    }
    kernel(db, name, args)
}

fn message(text: impl Into<String>) -> Failure {
    Failure::Message(text.into())
}

fn order(a: &Any, b: &Any) -> Result<Ordering, Failure> {
    match (a, b) {
        (Any::Int(a), Any::Int(b)) => Ok(a.cmp(b)),
        (Any::Float(a), Any::Float(b)) => Ok(a.total_cmp(b)),
        (Any::Text(a), Any::Text(b)) => Ok(a.cmp(b)),
        (Any::Bool(a), Any::Bool(b)) if a == b => Ok(Ordering::Equal),
        _ => Err(message(format!(
            "incompatible types for comparison: {} and {}",
            a.type_name(),
            b.type_name()
        ))),
    }
}

fn equal(a: &Any, b: &Any) -> Result<bool, Failure> {
    let empty = |value: &Any| matches!(value, Any::Nil | Any::Missing);
    match (a, b) {
        _ if empty(a) || empty(b) => Ok(empty(a) && empty(b)),
        (Any::Bool(a), Any::Bool(b)) => Ok(a == b),
        _ => order(a, b).map(Ordering::is_eq),
    }
}

fn comparison(name: &str, args: &[Any]) -> Result<Option<Any>, Failure> {
    let pair = || match args {
        [a, b] => order(a, b),
        _ => Err(Failure::Count(2)),
    };
    Ok(Some(Any::Bool(match name {
        "not" => !at(args, 0).is_true(),
        "eq" => {
            let [first, rest @ ..] = args else { return Err(Failure::Count(1)) };
            if rest.is_empty() {
                return Err(message("missing argument for comparison"));
            }
            let mut hit = false;
            for other in rest {
                hit = hit || equal(first, other)?;
            }
            hit
        }
        "ne" => match args {
            [a, b] => !equal(a, b)?,
            _ => return Err(Failure::Count(2)),
        },
        "lt" => pair()?.is_lt(),
        "le" => pair()?.is_le(),
        "gt" => pair()?.is_gt(),
        "ge" => pair()?.is_ge(),
        "empty" => !at(args, 0).is_true(),
        "all" => args.iter().all(Any::is_true),
        "any" => args.iter().any(Any::is_true),
        "contains" => string(args, 1).contains(&string(args, 0)),
        "hasPrefix" => string(args, 1).starts_with(&string(args, 0)),
        "hasSuffix" => string(args, 1).ends_with(&string(args, 0)),
        "kindIs" => at(args, 1).kind() == string(args, 0),
        _ => return Ok(None),
    })))
}

fn capitals(text: &str, up: bool) -> String {
    let mut start = true;
    let mut out = String::new();
    for sign in text.chars() {
        match (start, up) {
            (true, true) => out.extend(sign.to_uppercase()),
            (true, false) => out.extend(sign.to_lowercase()),
            _ => out.push(sign),
        }
        start = sign.is_whitespace();
    }
    out
}

/// The words of a name in any of the usual spellings.
fn words(text: &str, sign: char) -> String {
    let mut out = String::new();
    let signs: Vec<char> = text.chars().collect();
    for (at, c) in signs.iter().enumerate() {
        if matches!(c, '_' | '-' | ' ') {
            out.push(sign);
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| signs.get(at)).copied();
        if c.is_uppercase() && before.is_some_and(|b| b.is_lowercase() || b.is_ascii_digit()) {
            out.push(sign);
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn indent(count: usize, text: &str) -> String {
    let pad = " ".repeat(count);
    pad.clone() + &text.replace('\n', &format!("\n{pad}"))
}

fn text(name: &str, args: &[Any]) -> Result<Option<Any>, Failure> {
    let (one, two) = (string(args, 0), string(args, 1));
    let size = || usize::try_from(at(args, 0).to_int()).unwrap_or(0);
    Ok(Some(Any::Text(match name {
        "print" => {
            // A space separates two values if neither is a text.
            let mut out = String::new();
            let mut texts = true;
            for arg in args {
                let is_text = matches!(arg, Any::Text(_));
                if !texts && !is_text {
                    out.push(' ');
                }
                out += &arg.plain();
                texts = is_text;
            }
            out
        }
        "println" => args.iter().map(Any::plain).collect::<Vec<_>>().join(" ") + "\n",
        "printf" => printf(&one, args.get(1..).unwrap_or_default()),
        "html" => escape(&one).replace("&quot;", "&#34;").replace('\'', "&#39;"),
        "js" => one.replace('\\', "\\\\").replace('\'', "\\'").replace('"', "\\\"").replace('<', "\\u003C"),
        "urlquery" => percent_encoding::utf8_percent_encode(&one, KEPT).to_string().replace("%20", "+"),
        "upper" => one.to_uppercase(),
        "lower" => one.to_lowercase(),
        "title" => capitals(&one, true),
        "untitle" => capitals(&one, false),
        "swapcase" => {
            let swap =
                |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            capitals(&one.chars().map(swap).collect::<String>(), true)
        }
        "trim" => one.trim().to_owned(),
        "trimAll" | "trimall" => two.trim_matches(|c| one.contains(c)).to_owned(),
        "trimSuffix" => two.strip_suffix(&one).unwrap_or(&two).to_owned(),
        "trimPrefix" => two.strip_prefix(&one).unwrap_or(&two).to_owned(),
        "repeat" if size().saturating_mul(two.len()) > 1 << 20 => return Err(Failure::NotHere),
        "repeat" => two.repeat(size()),
        "substr" => {
            let whole = string(args, 2);
            let (from, to) = (at(args, 0).to_int().max(0) as usize, at(args, 1).to_int());
            let to = if to < 0 { whole.len() } else { (to as usize).min(whole.len()) };
            whole.get(from..to).unwrap_or_default().to_owned()
        }
        "nospace" => one.split_whitespace().collect(),
        "trunc" => {
            let count = at(args, 0).to_int();
            let length = two.chars().count() as i64;
            match count {
                0.. => two.chars().take(count as usize).collect(),
                _ if -count < length => two.chars().skip((length + count) as usize).collect(),
                _ => two,
            }
        }
        "abbrev" if two.chars().count() > size() && size() >= 4 => {
            two.chars().take(size() - 3).collect::<String>() + "..."
        }
        "abbrev" => two,
        "initials" => one.split_whitespace().filter_map(|word| word.chars().next()).collect(),
        "indent" => indent(size(), &two),
        "nindent" => format!("\n{}", indent(size(), &two)),
        "wrap" => {
            let mut lines: Vec<String> = Vec::new();
            for word in two.split(' ') {
                match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= size()) {
                    Some(line) => *line += &format!(" {word}"),
                    None => lines.push(word.to_owned()),
                }
            }
            lines.join("\n")
        }
        "replace" => string(args, 2).replace(&one, &two),
        "plural" => {
            if at(args, 2).to_int() == 1 {
                one
            } else {
                two
            }
        }
        "snakecase" => words(&one, '_'),
        "kebabcase" => words(&one, '-'),
        "camelcase" => {
            let parts = words(&one, '_');
            parts.split('_').map(|part| capitals(part, true)).collect()
        }
        "cat" => args.iter().map(Any::plain).collect::<Vec<_>>().join(" "),
        "quote" => args.iter().map(|arg| quoted(&arg.plain())).collect::<Vec<_>>().join(" "),
        "squote" => args.iter().map(|arg| format!("'{}'", arg.plain())).collect::<Vec<_>>().join(" "),
        "toString" => one,
        "kindOf" => at(args, 0).kind().to_owned(),
        "typeOf" => at(args, 0).type_name().to_owned(),
        "toJson" => at(args, 0).to_json().to_string(),
        "fail" => return Err(message(one)),
        "uuidv4" => {
            let digit = || char::from_digit(moment::draw(|dice| dice.u32(0..16)), 16).unwrap_or('0');
            let hex = |count| std::iter::repeat_with(digit).take(count).collect::<String>();
            format!("{}-{}-4{}-a{}-{}", hex(8), hex(4), hex(3), hex(3), hex(12))
        }
        _ => return Ok(None),
    })))
}

fn patterns(name: &str, args: &[Any]) -> Result<Option<Any>, Failure> {
    if !name.starts_with("regex") {
        return Ok(None);
    }
    let pattern = Regex::new(&string(args, 0)).map_err(|error| message(error.to_string()))?;
    let subject = string(args, 1);
    let limit = usize::try_from(at(args, 2).to_int()).unwrap_or(usize::MAX);
    Ok(Some(match name {
        "regexMatch" => Any::Bool(pattern.is_match(&subject)),
        "regexReplaceAll" => Any::text(pattern.replace_all(&subject, string(args, 2).as_str())),
        "regexFind" => Any::text(pattern.find(&subject).map_or("", |found| found.as_str())),
        "regexFindAll" => {
            Any::list(pattern.find_iter(&subject).take(limit).map(|found| Any::text(found.as_str())))
        }
        _ => Any::list(pattern.splitn(&subject, limit).map(Any::text)),
    }))
}

/// The functions that look into the notes.
fn kernel(db: &Db<'_>, name: &str, args: &[Any]) -> CallResult {
    let refused = Failure::Refused;
    match name {
        "getHPathByID" => {
            let tree = db.tree_of(&string(args, 0)).map_err(refused)?;
            let hpath = tree.map_or(Ok(String::new()), |tree| db.hpath(&tree.path));
            hpath.map(Any::Text).map_err(refused)
        }
        "queryBlocks" | "querySQL" => {
            let mut statement = string(args, 0);
            for arg in args.iter().skip(1) {
                statement = statement.replacen('?', &arg.plain(), 1);
            }
            let rows = db.rows_of_statement(&statement, if name == "querySQL" { 1024 } else { 512 });
            let rows = rows.map_err(refused)?;
            Ok(Any::list(
                rows.iter().map(|row| if name == "querySQL" { Any::of_json(row) } else { block(row) }),
            ))
        }
        "getBlock" => {
            let id = string(args, 0);
            if !crate::id::is_node_id(&id) {
                return Ok(Any::Nil);
            }
            let rows = db.rows_of_statement(&format!("SELECT * FROM blocks WHERE id = '{id}'"), 1);
            Ok(rows.map_err(refused)?.first().map_or(Any::Nil, block))
        }
        _ => Err(Failure::NotHere),
    }
}

/// A row of `blocks` under the names of the kernel's fields.
fn block(row: &serde_json::Value) -> Any {
    const NAMES: [(&str, &str); 21] = [
        ("id", "ID"),
        ("parent_id", "ParentID"),
        ("root_id", "RootID"),
        ("hash", "Hash"),
        ("box", "Box"),
        ("path", "Path"),
        ("hpath", "HPath"),
        ("name", "Name"),
        ("alias", "Alias"),
        ("memo", "Memo"),
        ("tag", "Tag"),
        ("content", "Content"),
        ("fcontent", "FContent"),
        ("markdown", "Markdown"),
        ("length", "Length"),
        ("type", "Type"),
        ("subtype", "SubType"),
        ("ial", "IAL"),
        ("sort", "Sort"),
        ("created", "Created"),
        ("updated", "Updated"),
    ];
    Any::map(
        NAMES
            .iter()
            .map(|(column, field)| ((*field).to_owned(), row.get(column).map_or(Any::Nil, Any::of_json))),
    )
}
