//! Full-text search over the index.

use regex::Regex;
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};
use serde_json::{Value, json};

mod meaning;
mod words;

use super::select::wide;
use super::{Db, Store};
use crate::answer::Refusal;
use crate::markdown::attrs;

/// The words of a search and where it looks.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) query: String,
    /// 0 words, 1 query syntax, 2 SQL, 3 regular expression.
    pub(crate) method: i64,
    /// Short names of the types.
    pub(crate) types: Vec<&'static str>,
    /// `BOX` or `BOX/path/of/ids`.
    pub(crate) paths: Vec<String>,
    pub(crate) order: i64,
    pub(crate) page: i64,
    pub(crate) size: i64,
}

/// One page of results, and their number.
#[derive(Debug, Default)]
pub(crate) struct SearchPage {
    pub(crate) blocks: Vec<Value>,
    pub(crate) matched: i64,
    pub(crate) documents: i64,
    pub(crate) pages: i64,
    /// Whether the search was for documents that contain all words in any block.
    pub(crate) by_document: bool,
}

/// A condition with its values.
#[derive(Default)]
struct Condition {
    sql: Vec<String>,
    values: Vec<Sql>,
}

impl Condition {
    fn add(&mut self, sql: impl Into<String>, values: impl IntoIterator<Item = String>) {
        self.sql.push(sql.into());
        self.values.extend(values.into_iter().map(Sql::Text));
    }

    fn list(&mut self, column: &str, values: Vec<String>) {
        let marks = vec!["?"; values.len()].join(", ");
        self.add(format!("{column} IN ({marks})"), values);
    }
}

impl Store {
    /// Searches; an invalid query finds nothing.
    pub(crate) fn search(&self, search: &Search) -> Result<SearchPage, Refusal> {
        // In the real kernel, several words by relevance find nothing either.
        let several = search.query.split_whitespace().nth(1).is_some();
        if search.query.trim().is_empty() || (search.method == 0 && search.order == 7 && several) {
            return Ok(SearchPage::default());
        }
        self.select(|connection| Ok(find(connection, search).unwrap_or_default()))
    }
}

impl Store {
    pub(crate) fn by_meaning(&self, search: &Search) -> Result<SearchPage, Refusal> {
        if search.query.is_empty() {
            return Ok(SearchPage::default());
        }
        self.select(|connection| Ok(meaning::find(connection, search)?))
    }
}

fn find(connection: &Connection, search: &Search) -> rusqlite::Result<SearchPage> {
    let mut filter = Condition::default();
    let mut marks = Vec::new();
    let query = search.query.trim();
    match search.method {
        1 => by_syntax(query, &mut filter, &mut marks),
        2 => return by_statement(connection, query),
        3 => {
            filter.add("content REGEXP ?", [query.to_owned()]);
            marks.push(query.to_owned());
        }
        _ if crate::id::is_node_id(query) => filter.add("b.id = ?", [query.to_owned()]),
        _ => query.split_whitespace().for_each(|word| by_word(word, &mut filter, &mut marks)),
    }
    let several = search.method == 0 && query.split_whitespace().nth(1).is_some();
    if several && !crate::id::is_node_id(query) {
        return words::find(connection, search, query);
    }
    filter.list("b.type", search.types.iter().map(|&t| t.to_owned()).collect());
    by_paths(&search.paths, &mut filter);
    let full = filter.sql.iter().any(|sql| sql.starts_with("blocks_fts MATCH"));
    let from = if full { "blocks_fts f JOIN blocks b ON b.rowid = f.rowid" } else { "blocks b" };
    let condition = filter.sql.join(" AND ");
    let count = format!("SELECT count(*), count(DISTINCT b.root_id) FROM {from} WHERE {condition}");
    let counted =
        connection.query_row(&count, params_from_iter(&filter.values), |r| Ok((r.get(0)?, r.get(1)?)));
    let (matched, documents): (i64, i64) = counted?;
    let order = order(search.order, full);
    let page = format!("SELECT b.* FROM {from} WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?");
    let mut values = filter.values;
    values.extend([Sql::Integer(search.size), Sql::Integer((search.page - 1) * search.size)]);
    let marker = marker(&marks, search.method == 3);
    let mut statement = connection.prepare(&page)?;
    let rows = statement.query_map(params_from_iter(values), |row| block(row, marker.as_ref()))?;
    let mut blocks: Vec<Value> = rows.collect::<Result<_, _>>()?;
    blocks.iter_mut().for_each(place_document);
    let pages = (matched + search.size - 1) / search.size.max(1);
    Ok(SearchPage { blocks, matched, documents, pages, by_document: false })
}

/// A found document has its parent's path of titles, not its own.
fn place_document(block: &mut Value) {
    let Some(block) = block.as_object_mut().filter(|block| block.get("type") == Some(&json!("NodeDocument")))
    else {
        return;
    };
    if let Some(Value::String(hpath)) = block.get_mut("hPath") {
        let end = hpath.rfind('/').map_or(0, |slash| slash + 1);
        hpath.truncate(end);
    }
}

/// A word anywhere in a word of the block; the index has runs of three characters at least.
fn by_word(word: &str, filter: &mut Condition, marks: &mut Vec<String>) {
    marks.push(regex::escape(word));
    if wide(word).chars().count() >= 3 {
        match filter
            .values
            .first_mut()
            .filter(|_| filter.sql.first().is_some_and(|s| s.starts_with("blocks_fts")))
        {
            Some(Sql::Text(query)) => *query += &format!(" AND {}", phrase(word)),
            _ => {
                filter.sql.insert(0, "blocks_fts MATCH ?".into());
                filter.values.insert(0, Sql::Text(phrase(word)));
            }
        }
    } else {
        let text = "lower(b.content || ' ' || b.name || ' ' || b.alias || ' ' || b.memo || ' ' || b.tag)";
        filter.add(format!("instr({text}, ?) > 0"), [word.to_lowercase()]);
    }
}

fn phrase(word: &str) -> String {
    format!("\"{}\"", wide(word).replace('"', "\"\""))
}

/// The index's own query syntax. Quoted words joined by AND are taken one by one, for short ones are not in
/// the index.
fn by_syntax(query: &str, filter: &mut Condition, marks: &mut Vec<String>) {
    // Callers double every ' because the real kernel pastes the text into a statement.
    let query = query.replace("''", "'");
    let words: Vec<&str> = query.split(" AND ").map(str::trim).collect();
    let bare = |word: &str| {
        word.strip_prefix('"').and_then(|w| w.strip_suffix('"')).is_some_and(|w| !w.contains('"'))
    };
    if words.iter().all(|word| bare(word)) {
        words.iter().for_each(|word| by_word(word.trim_matches('"'), filter, marks));
        return;
    }
    filter.add("blocks_fts MATCH ?", [wide(&query)]);
    let keyword = |word: &&str| !matches!(*word, "AND" | "OR" | "NOT" | "NEAR");
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).filter(keyword);
    marks.extend(words.map(regex::escape));
}

/// Notebooks and documents are two lists that must both fit, as in the kernel; ill-formed ones are dropped.
fn by_paths(paths: &[String], filter: &mut Condition) {
    let mut notebooks = Vec::new();
    let mut documents = Vec::new();
    for path in paths {
        let (notebook, rest) = path.split_once('/').unwrap_or((path, ""));
        if crate::id::is_node_id(notebook) {
            notebooks.push(notebook.to_owned());
            if !rest.is_empty() {
                documents.push(format!("/{rest}"));
            }
        }
    }
    if !notebooks.is_empty() {
        filter.list("b.box", notebooks);
    }
    if !documents.is_empty() {
        let one = vec!["substr(b.path, 1, length(?)) = ?"; documents.len()].join(" OR ");
        let values = documents.into_iter().flat_map(|path| [path.clone(), path]);
        filter.add(format!("({one})"), values);
    }
}

fn order(order: i64, full: bool) -> &'static str {
    match order {
        1 => "b.created ASC, b.id",
        2 => "b.created DESC, b.id",
        3 => "b.updated ASC, b.id",
        4 => "b.updated DESC, b.id",
        6 if full => "f.rank DESC, b.id",
        7 if full => "f.rank ASC, b.id",
        _ => "b.sort ASC, b.updated DESC, b.id",
    }
}

fn by_statement(connection: &Connection, statement: &str) -> rusqlite::Result<SearchPage> {
    let mut statement = connection.prepare(statement)?;
    if !statement.readonly() {
        return Ok(SearchPage::default());
    }
    let rows = statement.query_map([], |row| block(row, None))?;
    let blocks: Vec<Value> = rows.collect::<Result<_, _>>()?;
    let mut roots: Vec<&str> = blocks.iter().filter_map(|b| b.get("rootID")?.as_str()).collect();
    roots.sort_unstable();
    roots.dedup();
    let (documents, matched) = (roots.len() as i64, blocks.len() as i64);
    Ok(SearchPage { blocks, matched, documents, pages: (matched + 31) / 32, by_document: false })
}

fn marker(marks: &[String], regex: bool) -> Option<Regex> {
    if marks.is_empty() {
        return None;
    }
    let fold = if regex { "" } else { "(?i)" };
    Regex::new(&format!("{fold}(?:{})", marks.join("|"))).ok()
}

/// At most this many characters of a long block are shown, from a little before the first match.
const WINDOW: usize = 512;

/// The content with its matches marked, safe to be put into a page.
fn marked(content: &str, marker: Option<&Regex>) -> String {
    let Some(marker) = marker else { return content.to_owned() };
    let start =
        marker.find(content).map_or(0, |m| content.get(..m.start()).unwrap_or_default().chars().count());
    let length = content.chars().count();
    let from = if length > WINDOW { start.saturating_sub(WINDOW / 8).min(length - WINDOW) } else { 0 };
    let window: String = content.chars().skip(from).take(WINDOW).collect();
    let mut out = String::from(if from > 0 { "..." } else { "" });
    let mut at = 0;
    for found in marker.find_iter(&window).filter(|m| !m.is_empty()) {
        out += &escape(window.get(at..found.start()).unwrap_or_default());
        out += &format!("<mark>{}</mark>", escape(found.as_str()));
        at = found.end();
    }
    out += &escape(window.get(at..).unwrap_or_default());
    out + if from + WINDOW < length { "..." } else { "" }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A row of `blocks` as the kernel shows blocks.
fn block(row: &rusqlite::Row<'_>, marker: Option<&Regex>) -> rusqlite::Result<Value> {
    let text = |name: &str| row.get::<_, Option<String>>(name).map(Option::unwrap_or_default);
    let kind = text("type")?;
    let content = text("content")?;
    let list = text("ial")?;
    let ial: serde_json::Map<String, Value> = attrs::read(&list)
        .map(|(list, _)| list.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect())
        .unwrap_or_default();
    let folded = ial.get("fold") == Some(&json!("1"));
    let found = |name: &str| {
        let text = text(name)?;
        let marks = marker.is_some_and(|marker| marker.is_match(&text));
        Ok::<String, rusqlite::Error>(if marks { marked(&text, marker) } else { text })
    };
    Ok(json!({
        "box": text("box")?,
        "path": text("path")?,
        "hPath": text("hpath")?,
        "id": text("id")?,
        "rootID": text("root_id")?,
        "parentID": text("parent_id")?,
        "name": found("name")?,
        "alias": found("alias")?,
        "memo": found("memo")?,
        "tag": found("tag")?,
        "content": marked(&content, marker),
        "fcontent": text("fcontent")?,
        "markdown": text("markdown")?,
        "folded": folded,
        "type": long_name(&kind),
        "subType": text("subtype")?,
        "refText": "",
        "refs": null,
        "defID": "",
        "defPath": "",
        "ial": ial,
        "children": null,
        "depth": 0,
        "count": 0,
        "refCount": 0,
        "sort": row.get::<_, i64>("sort")?,
        "created": "",
        "updated": "",
        "riffCardID": "",
        "riffCard": null,
    }))
}

/// The node name of a short type.
fn long_name(short: &str) -> &'static str {
    const NAMES: [(&str, &str); 20] = [
        ("d", "NodeDocument"),
        ("h", "NodeHeading"),
        ("p", "NodeParagraph"),
        ("l", "NodeList"),
        ("i", "NodeListItem"),
        ("b", "NodeBlockquote"),
        ("callout", "NodeCallout"),
        ("s", "NodeSuperBlock"),
        ("t", "NodeTable"),
        ("c", "NodeCodeBlock"),
        ("m", "NodeMathBlock"),
        ("html", "NodeHTMLBlock"),
        ("tb", "NodeThematicBreak"),
        ("query_embed", "NodeBlockQueryEmbed"),
        ("av", "NodeAttributeView"),
        ("tabs", "NodeTabs"),
        ("tab", "NodeTabItem"),
        ("mindmap", "NodeMindmap"),
        ("mindmap_item", "NodeMindmapItem"),
        ("custom", "NodeCustomBlock"),
    ];
    NAMES.iter().find(|(name, _)| *name == short).map_or("", |(_, long)| long)
}

impl Db<'_> {
    /// The blocks of a condition on `blocks`, as the kernel shows them.
    pub(crate) fn blocks_where(&self, condition: &str, values: &[&str]) -> Result<Vec<Value>, Refusal> {
        let mut query = self.0.prepare_cached(&format!("SELECT * FROM blocks WHERE {condition}"))?;
        let rows = query.query_map(params_from_iter(values), |row| block(row, None))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One column of a statement of ours with one value.
    pub(crate) fn column(&self, statement: &str, value: &str) -> Result<Vec<String>, Refusal> {
        let mut query = self.0.prepare_cached(statement)?;
        let rows = query.query_map([value], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_marked_and_the_rest_is_escaped() {
        let marker = marker(&["pear".into()], false);
        assert_eq!(marked("a <b> Pear", marker.as_ref()), "a &lt;b&gt; <mark>Pear</mark>");
        let long = format!("{}pear", "x".repeat(2000));
        assert!(marked(&long, marker.as_ref()).starts_with("...x"));
    }
}
