//! Statements of callers over the index, and the functions that SQL here has.

use std::sync::{Arc, LazyLock};

use base64::Engine as _;
use regex::Regex;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Row, Statement};
use serde_json::{Map, Value, json};

use super::{Db, Store};
use crate::answer::{Outcome, QueryRows, Refusal};
use crate::markdown::plain::is_cjk;

/// Rows of a SELECT that names no limit.
const LIMIT: usize = 64;
/// The patterns that [`reprinted`] rewrites.
static LIMITS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\bLIMIT\s+(\d+)\s*,\s*(\d+)").ok());
static TIMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\bCURRENT_(?:TIMESTAMP|DATE|TIME)\b").ok());

/// Chinese, Japanese and Korean characters three times over: the full-text index has runs of three characters,
/// and a word of one or two such characters must be found as well.
pub(super) fn wide(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let times = if is_cjk(c) { 3 } else { 1 };
        out.extend(std::iter::repeat_n(c, times));
    }
    out
}

/// Adds `wide` and `regexp` to a connection.
pub(super) fn add_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("wide", 1, flags, |context| {
        Ok(context.get_raw(0).as_str_or_null().ok().flatten().map(wide))
    })?;
    connection.create_scalar_function("regexp", 2, flags, |context: &mut Context<'_>| {
        type Boxed = Box<dyn std::error::Error + Send + Sync + 'static>;
        let pattern: Arc<Regex> =
            context.get_or_create_aux(0, |value| -> Result<_, Boxed> { Ok(Regex::new(value.as_str()?)?) })?;
        Ok(pattern.is_match(context.get_raw(1).as_str_or_null().ok().flatten().unwrap_or_default()))
    })
}

impl Store {
    /// The answer of `/api/query/sql` to a statement.
    pub(crate) fn query(&self, statement: &str, mode: &str) -> Result<QueryRows, Refusal> {
        let newer = self.siyuan.is_newer();
        let mut rows = self.rows(statement, mode)?;
        let mut limit = (0, false);
        if let (true, Value::Array(rows)) = (names_no_limit(statement), &mut rows) {
            limit = (LIMIT, rows.len() > LIMIT);
            rows.truncate(LIMIT);
        }
        if newer && rows.is_null() {
            rows = json!([]);
        }
        Ok(QueryRows { rows, limit: newer.then_some(limit) })
    }

    /// The rows of a statement; of one without a limit one more than are shown.
    fn rows(&self, statement: &str, mode: &str) -> Outcome {
        if !matches!(mode, "" | "readonly" | "multiple") {
            return Err(Refusal::new("unknown [mode]"));
        }
        let parts = split(statement);
        if parts.len() > 1 && mode != "multiple" {
            return Err(Refusal::new("SQL statement is not single"));
        }
        let not_a_query = || Refusal::new("SQL statement is not a read-only query");
        let Some(part) = parts.first() else {
            return if mode == "readonly" { Err(not_a_query()) } else { Ok(Value::Null) };
        };
        if mode == "readonly" {
            if !part.words.first().is_some_and(|word| matches!(word.as_str(), "SELECT" | "WITH")) {
                return Err(not_a_query());
            }
            if !part.is_select() {
                return Err(Refusal::new("SQL statement is not read-only"));
            }
            // This check uses the original statement, before the kernel reprints it.
            self.select(|connection| {
                connection.prepare(&part.text).map(drop).map_err(|error| Refusal::new(message(&error)))
            })?;
        }
        self.select(|connection| run(connection, part))
    }
}

impl Db<'_> {
    /// The rows of a reading statement of a template; none when it fails or would write.
    pub(crate) fn rows_of_statement(&self, statement: &str, limit: usize) -> Result<Vec<Value>, Refusal> {
        let Ok(mut statement) = self.0.prepare(statement) else { return Ok(Vec::new()) };
        if !statement.readonly() {
            return Ok(Vec::new());
        }
        let Value::Array(mut found) = rows(&mut statement) else { return Ok(Vec::new()) };
        found.truncate(limit);
        Ok(found)
    }
}

/// Whether the kernel gives a statement its own limit.
fn names_no_limit(statement: &str) -> bool {
    let parts = split(statement);
    parts.first().is_some_and(|part| part.is_select() && !part.words.iter().any(|word| word == "LIMIT"))
}

fn run(connection: &Connection, part: &StatementText) -> Outcome {
    if !part.is_select() {
        // Writing statements are not kept, and no other file is opened.
        let word = part.words.first().map_or("", String::as_str);
        if matches!(word, "ATTACH" | "DETACH" | "VACUUM" | "BEGIN" | "COMMIT" | "ROLLBACK" | "END") {
            return Ok(Value::Null);
        }
        if word == "VALUES" {
            return Err(Refusal::code(1, "near \"LIMIT\": syntax error"));
        }
        let mut statement = connection.prepare(&part.text).map_err(refusal)?;
        if statement.column_count() == 0 {
            statement.execute([]).map_err(refusal)?;
            return Ok(Value::Null);
        }
        return Ok(rows(&mut statement));
    }
    // The kernel's own parser gives up on ESCAPE.
    if part.words.iter().any(|word| word == "ESCAPE") {
        return Ok(Value::Null);
    }
    let text = if part.words.iter().any(|word| word == "LIMIT") {
        reprinted(&part.text)
    } else {
        format!("{} LIMIT {}", reprinted(&part.text), LIMIT + 1)
    };
    let mut statement = prepare(connection, &text, &part.text)?;
    if let wanted @ 1.. = statement.parameter_count() {
        return Err(Refusal::code(1, format!("not enough args to execute query: want {wanted} got 0")));
    }
    if !statement.readonly() {
        return Err(Refusal::new("SQL statement is not a read-only query"));
    }
    Ok(rows(&mut statement))
}

/// A statement as the kernel's own parser prints it: `LIMIT 2, 5` loses its meaning, and the names of times become
/// texts.
fn reprinted(text: &str) -> String {
    let (Some(limit), Some(time)) = (&*LIMITS, &*TIMES) else { return text.to_owned() };
    time.replace_all(&limit.replace_all(text, "LIMIT $1 OFFSET $2"), "'$0'").into_owned()
}

/// Prepares a statement as the kernel does: a name that is no column is quoted, so it is a text. If the statement
/// still fails, the original is tried with a limit appended, and that failure is reported.
fn prepare<'c>(connection: &'c Connection, text: &str, given: &str) -> Result<Statement<'c>, Refusal> {
    let mut text = text.to_owned();
    for _ in 0..4 {
        let error = match connection.prepare(&text) {
            Ok(statement) => return Ok(statement),
            Err(error) => message(&error),
        };
        let Some(name) = error.strip_prefix("no such column: ") else { break };
        let name = name.split([' ', '.']).next().unwrap_or_default();
        let Ok(word) = Regex::new(&format!(r"\b{}\b", regex::escape(name))) else { break };
        text = word.replace_all(&text, format!("\"{name}\"")).into_owned();
    }
    connection.prepare(&format!("{given} LIMIT {}", LIMIT + 1)).map_err(refusal)
}

fn message(error: &Error) -> String {
    match error {
        Error::SqliteFailure(_, Some(message)) => message.clone(),
        Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

#[allow(clippy::needless_pass_by_value, reason = "map_err hands the error over")]
fn refusal(error: Error) -> Refusal {
    Refusal::code(1, message(&error))
}

/// All rows as objects; an error while stepping is an empty list, as in the kernel.
pub(super) fn rows(statement: &mut Statement<'_>) -> Value {
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let object = |row: &Row<'_>| {
        let mut object = Map::new();
        for (at, name) in names.iter().enumerate() {
            object.insert(name.clone(), value(row.get_ref(at)?));
        }
        Ok(Value::Object(object))
    };
    let rows = statement.query_map([], object).and_then(Iterator::collect::<Result<Vec<Value>, _>>);
    rows.map_or_else(|_| json!([]), Value::Array)
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => json!(number),
        // Whole numbers lose their point on the way through Go.
        ValueRef::Real(number) if number.fract() == 0.0 && number.abs() < 9e18 => json!(number as i64),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => json!(base64::engine::general_purpose::STANDARD.encode(bytes)),
    }
}

/// One statement of a text, with its words outside of parentheses, in capitals.
#[derive(Debug, Default)]
struct StatementText {
    text: String,
    words: Vec<String>,
}

impl StatementText {
    fn is_select(&self) -> bool {
        let selects = |word: &String| matches!(word.as_str(), "SELECT" | "WITH");
        let writes = |word: &String| matches!(word.as_str(), "INSERT" | "UPDATE" | "DELETE" | "REPLACE");
        self.words.first().is_some_and(selects) && !self.words.iter().any(writes)
    }
}

/// Cuts a text at its semicolons; quotes and comments are respected, comments dropped.
fn split(text: &str) -> Vec<StatementText> {
    let mut parts = vec![StatementText::default()];
    let mut depth = 0_i32;
    let mut chars = text.chars().peekable();
    let mut word = String::new();
    while let Some(c) = chars.next() {
        let Some(part) = parts.last_mut() else { break };
        if c.is_alphanumeric() || c == '_' {
            word.push(c.to_ascii_uppercase());
            part.text.push(c);
            continue;
        }
        let done = std::mem::take(&mut word);
        // Before a parenthesis it is a function: `replace(a, b, c)` writes nothing.
        let function = done == "REPLACE" && c == '(';
        if !done.is_empty() && depth == 0 && !function {
            part.words.push(done);
        }
        let close = match c {
            '\'' | '"' | '`' => Some(c),
            '[' => Some(']'),
            _ => None,
        };
        match (c, chars.peek()) {
            ('-', Some('-')) => while chars.next().is_some_and(|c| c != '\n') {},
            ('/', Some('*')) => {
                let mut last = ' ';
                while let Some(next) = chars.next().filter(|next| (last, *next) != ('*', '/')) {
                    last = next;
                }
            }
            (';', _) => parts.push(StatementText::default()),
            _ => {
                part.text.push(c);
                depth += i32::from(c == '(') - i32::from(c == ')');
                if let Some(close) = close {
                    for next in chars.by_ref() {
                        part.text.push(next);
                        if next == close {
                            break;
                        }
                    }
                }
            }
        }
    }
    if let (Some(part), false) = (parts.last_mut(), word.is_empty()) {
        part.words.push(word);
    }
    for part in &mut parts {
        part.text = part.text.trim().to_owned();
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_split_outside_quotes() {
        let texts = |text| split(text).into_iter().map(|p| p.text).collect::<Vec<_>>();
        assert_eq!(texts("SELECT 1; SELECT 2"), ["SELECT 1", "SELECT 2"]);
        assert_eq!(texts("SELECT ';' AS \";\" -- a;\n;"), ["SELECT ';' AS \";\""]);
        assert_eq!(texts("/* ; */ SELECT 'it''s; x'"), ["SELECT 'it''s; x'"]);
        assert!(split("  ;; ").is_empty());
    }

    #[test]
    fn inner_limit_is_not_the_outer_limit() {
        assert!(
            !split("SELECT id FROM (SELECT id FROM blocks LIMIT 80)")[0].words.contains(&"LIMIT".to_owned())
        );
        assert!(split("SELECT 1 limit 2")[0].words.contains(&"LIMIT".to_owned()));
        assert!(!split("WITH x AS (SELECT 1) DELETE FROM blocks")[0].is_select());
    }

    #[test]
    fn chinese_characters_are_single_words() {
        assert_eq!(wide("a 梨b"), "a 梨梨梨b");
    }
}
