//! Several words: documents that contain them all in any block, and their matching blocks.

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};
use serde_json::Value;

use super::{Condition, Search, SearchPage, block, by_paths, by_word, marker, order, place_document};

/// The documents and blocks that a search covers.
fn scope(search: &Search) -> Condition {
    let mut filter = Condition::default();
    filter.list("b.type", search.types.iter().map(|&t| t.to_owned()).collect());
    by_paths(&search.paths, &mut filter);
    filter
}

/// Each found document counts as one match.
pub(super) fn find(connection: &Connection, search: &Search, query: &str) -> rusqlite::Result<SearchPage> {
    let (mut documents, mut of_all) = (Vec::new(), scope(search));
    let (mut values, mut marks) = (Vec::new(), Vec::new());
    for word in query.split_whitespace() {
        // One word at a time, so that each may be in another block.
        let mut one = Condition::default();
        by_word(word, &mut one, &mut marks);
        let from = if one.sql.iter().any(|sql| sql.starts_with("blocks_fts MATCH")) {
            "blocks_fts f JOIN blocks b ON b.rowid = f.rowid"
        } else {
            "blocks b"
        };
        let place = scope(search);
        let condition = one.sql.into_iter().chain(place.sql).collect::<Vec<_>>().join(" AND ");
        documents.push(format!("SELECT b.root_id FROM {from} WHERE {condition}"));
        values.extend(one.values.into_iter().chain(place.values));
        let text = "lower(b.content || ' ' || b.name || ' ' || b.alias || ' ' || b.memo || ' ' || b.tag)";
        of_all.add(format!("instr({text}, ?) > 0"), [word.to_lowercase()]);
    }
    let documents = documents.join(" INTERSECT ");
    let count = format!("SELECT count(*) FROM ({documents})");
    let matched: i64 = connection.query_row(&count, params_from_iter(&values), |row| row.get(0))?;
    let page = format!(
        "WITH page AS (SELECT root_id FROM ({documents}) ORDER BY root_id DESC LIMIT ? OFFSET ?)
         SELECT b.* FROM blocks b WHERE (b.id IN (SELECT root_id FROM page) AND {place})
         OR (b.root_id IN (SELECT root_id FROM page) AND {all}) ORDER BY {order}",
        place = scope(search).sql.join(" AND "),
        all = of_all.sql.join(" AND "),
        order = order(search.order, false),
    );
    values.extend([Sql::Integer(search.size), Sql::Integer((search.page - 1) * search.size)]);
    values.extend(scope(search).values.into_iter().chain(of_all.values));
    let marker = marker(&marks, false);
    let mut statement = connection.prepare(&page)?;
    let rows = statement.query_map(params_from_iter(values), |row| block(row, marker.as_ref()))?;
    let mut blocks: Vec<Value> = rows.collect::<Result<_, _>>()?;
    blocks.iter_mut().for_each(place_document);
    let pages = (matched + search.size - 1) / search.size.max(1);
    Ok(SearchPage { blocks, matched, documents: matched, pages, by_document: true })
}
