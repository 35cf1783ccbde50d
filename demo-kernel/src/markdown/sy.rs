//! Block trees in SiYuan's own format, as in its `.sy` files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::inline::ZERO_WIDTH;
use super::table::Align;
use super::write::wants_room;
use super::{Kind, ListType, Node, Span, Table};

/// The version of the format that SiYuan 3.7.3 writes.
const SPEC: &str = "2";

/// A document as the text of its file.
pub(crate) fn document(root: &Node) -> String {
    let mut tree = node(root);
    set(&mut tree, "Spec", json!(SPEC));
    tree.to_string()
}

/// A block with those inside it.
pub(crate) fn block(root: &Node) -> Value {
    node(root)
}

fn node(node: &Node) -> Value {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| _ = out.insert(name.to_owned(), value);
    put("ID", json!(node.id));
    put("Type", json!(node.kind.name()));
    let mut properties: Map<String, Value> =
        node.attrs.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    properties.insert("id".to_owned(), json!(node.id));
    if node.kind == Kind::Document {
        properties.insert("type".to_owned(), json!("doc"));
    }
    put("Properties", Value::Object(properties));
    let inner = || node.children.iter().map(self::node);
    let children: Vec<Value> = match &node.kind {
        Kind::Heading(level) => {
            put("HeadingLevel", json!(level));
            spans(&node.spans)
        }
        Kind::Paragraph => spans(&node.spans),
        Kind::List(list) | Kind::Mindmap(list) => {
            put("ListData", list_data(*list));
            inner().collect()
        }
        Kind::Item { marker, task } | Kind::MindmapItem { marker, task } => {
            put("ListData", item_data(marker, task.is_some()));
            let box_of = task.map(|mark| {
                let mut marker = part("NodeTaskListItemMarker", "");
                if mark != ' ' {
                    set(&mut marker, "TaskListItemChecked", json!(true));
                }
                marker
            });
            box_of.into_iter().chain(inner()).collect()
        }
        Kind::Quote => std::iter::once(part("NodeBlockquoteMarker", ">")).chain(inner()).collect(),
        Kind::Callout { name, icon, title } => {
            put("CalloutType", json!(name));
            put("CalloutTitle", json!(title));
            put("CalloutIcon", json!(icon));
            inner().collect()
        }
        Kind::Super { layout } => {
            let mut all =
                vec![part("NodeSuperBlockOpenMarker", ""), part("NodeSuperBlockLayoutMarker", layout)];
            all.extend(inner());
            all.push(part("NodeSuperBlockCloseMarker", ""));
            all
        }
        Kind::Table(table) => {
            put("TableAligns", json!(table.aligns.iter().map(|align| *align as u8).collect::<Vec<_>>()));
            rows(table)
        }
        Kind::Code { info, text } => {
            put("IsFencedCodeBlock", json!(true));
            let mut named = part("NodeCodeBlockFenceInfoMarker", "");
            if !info.is_empty() {
                set(&mut named, "CodeBlockInfo", json!(STANDARD.encode(info)));
            }
            let fence = |name: &str| part(name, "```");
            let code = part("NodeCodeBlockCode", &format!("{}\n", text.strip_suffix('\n').unwrap_or(text)));
            vec![fence("NodeCodeBlockFenceOpenMarker"), named, code, fence("NodeCodeBlockFenceCloseMarker")]
        }
        Kind::Math(text) => vec![
            part("NodeMathBlockOpenMarker", ""),
            part("NodeMathBlockContent", text),
            part("NodeMathBlockCloseMarker", ""),
        ],
        Kind::Html(text) | Kind::Media { text, .. } => {
            put("Data", json!(text));
            Vec::new()
        }
        Kind::Embed(statement) => {
            let brace = |name: &str| [part(name, ""), part(name, "")];
            let script = part("NodeBlockQueryEmbedScript", statement);
            brace("NodeOpenBrace").into_iter().chain([script]).chain(brace("NodeCloseBrace")).collect()
        }
        Kind::Database { av, view } => {
            put("AttributeViewID", json!(av));
            put("AttributeViewType", json!(view));
            Vec::new()
        }
        Kind::Tab { title } => {
            put("TabItemTitle", json!(title));
            inner().collect()
        }
        Kind::Custom { info, text } => {
            put("CustomBlockInfo", json!(info));
            put("Data", json!(text));
            Vec::new()
        }
        Kind::Document | Kind::Break | Kind::Tabs => inner().collect(),
    };
    if !children.is_empty() {
        put("Children", Value::Array(children));
    }
    Value::Object(out)
}

/// Gives a node a field.
fn set(node: &mut Value, name: &str, value: Value) {
    if let Some(fields) = node.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

/// A node without id; empty data is left out.
fn part(name: &str, data: &str) -> Value {
    if data.is_empty() { json!({ "Type": name }) } else { json!({ "Type": name, "Data": data }) }
}

/// The data of a list, with its type as the parser's number.
fn list_data(list: ListType) -> Value {
    match list {
        ListType::Bullet => json!({}),
        ListType::Ordered => json!({ "Typ": 1 }),
        ListType::Task => json!({ "Typ": 3 }),
    }
}

fn item_data(marker: &str, is_task: bool) -> Value {
    let number: String = marker.chars().take_while(char::is_ascii_digit).collect();
    let text = if marker.is_empty() { "*" } else { marker };
    match number.parse::<u32>() {
        Ok(start) => {
            json!({ "Typ": 1, "Start": start, "Delimiter": b'.', "Num": start, "Marker": STANDARD.encode(number) })
        }
        Err(_) if is_task => json!({ "Typ": 3, "BulletChar": b'*', "Marker": STANDARD.encode("*") }),
        Err(_) => json!({ "BulletChar": text.bytes().next(), "Marker": STANDARD.encode(text) }),
    }
}

fn rows(table: &Table) -> Vec<Value> {
    let row = |cells: &Vec<Vec<Span>>, name: &str| {
        let cells = cells.iter().enumerate().map(|(at, cell)| {
            let mut out = with(part("NodeTableCell", name), spans(cell));
            match table.aligns.get(at).copied().unwrap_or_default() {
                Align::None => {}
                align => set(&mut out, "TableCellAlign", json!(align as u8)),
            }
            out
        });
        with(part("NodeTableRow", "tr"), cells.collect())
    };
    let mut rows = table.rows.iter();
    let head = rows.next().map(|cells| with(part("NodeTableHead", "thead"), vec![row(cells, "th")]));
    head.into_iter().chain(rows.map(|cells| row(cells, "td"))).collect()
}

fn with(mut node: Value, children: Vec<Value>) -> Value {
    if !children.is_empty() {
        set(&mut node, "Children", Value::Array(children));
    }
    node
}

/// The spans of a text, with a zero-width space where the caret needs a place.
fn spans(all: &[Span]) -> Vec<Value> {
    let room = |wanted: bool| wanted.then(|| part("NodeText", &ZERO_WIDTH.to_string()));
    let mut out = Vec::new();
    for (at, one) in all.iter().enumerate() {
        let wants = wants_room(one);
        out.extend(room(wants && at == 0));
        out.extend(span(one));
        out.extend(room(wants && (!one.is("img") || at + 1 == all.len())));
    }
    out
}

/// A span; a list of attributes with its style follows.
fn span(span: &Span) -> Vec<Value> {
    let attr = |name: &str| span.attrs.text(name);
    let styled = |node: Value| {
        let style = attr("style");
        let list =
            (!style.is_empty()).then(|| part("NodeKramdownSpanIAL", &format!("{{: style=\"{style}\"}}")));
        std::iter::once(node).chain(list).collect()
    };
    if span.kind.is_empty() {
        return vec![part("NodeText", &span.text)];
    }
    if span.is("backslash") {
        return vec![with(part("NodeBackslash", "span"), vec![part("NodeText", &span.text)])];
    }
    if span.is("img") {
        let mut parts = ["NodeBang", "NodeOpenBracket"].map(|name| part(name, "")).to_vec();
        parts.push(part("NodeLinkText", &span.text));
        parts.extend(["NodeCloseBracket", "NodeOpenParen"].map(|name| part(name, "")));
        parts.push(part("NodeLinkDest", attr("data-src")));
        if !attr("title").is_empty() {
            parts.extend([part("NodeLinkSpace", ""), part("NodeLinkTitle", attr("title"))]);
        }
        parts.push(part("NodeCloseParen", ""));
        return styled(with(part("NodeImage", "span"), parts));
    }
    let mut mark = json!({ "Type": "NodeTextMark", "TextMarkType": span.kind });
    let mut put = |name: &str, value: &str| {
        if !value.is_empty() {
            set(&mut mark, name, json!(value));
        }
    };
    if span.is("inline-math") {
        put("TextMarkInlineMathContent", &span.text);
    } else {
        put("TextMarkTextContent", &span.text);
    }
    if span.is("a") {
        put("TextMarkAHref", attr("data-href"));
        put("TextMarkATitle", attr("data-title"));
    }
    if span.is("block-ref") {
        put("TextMarkBlockRefID", attr("data-id"));
        put("TextMarkBlockRefSubtype", attr("data-subtype"));
    }
    if span.is("file-annotation-ref") {
        put("TextMarkFileAnnotationRefID", attr("data-id"));
    }
    put("TextMarkInlineMemoContent", attr("data-inline-memo-content"));
    styled(mark)
}

#[cfg(test)]
mod tests {
    use super::super::scan;
    use super::*;

    fn written(markdown: &str) -> Vec<Value> {
        scan(markdown).iter().map(node).collect()
    }

    #[test]
    fn sy_text_keeps_its_marks() {
        let all = written("plain **strong** ((20210808180117-czj9bvb 'ref'))");
        let parts = all[0]["Children"].as_array().unwrap();
        assert_eq!(parts[0], json!({ "Type": "NodeText", "Data": "plain " }));
        assert_eq!(
            parts[1],
            json!({ "Type": "NodeTextMark", "TextMarkType": "strong", "TextMarkTextContent": "strong" })
        );
        assert_eq!(parts[3]["TextMarkBlockRefID"], "20210808180117-czj9bvb");
        assert_eq!(parts[3]["TextMarkTextContent"], "ref");
    }

    #[test]
    fn sy_blocks_have_type_specific_fields() {
        let all =
            written("## Head\n\n```rust\nfn f() {}\n```\n\n- [x] done\n\n> quoted\n\n|a|b|\n|-|:-:|\n|1|2|");
        assert_eq!(all[0]["HeadingLevel"], 2);
        assert_eq!(all[1]["Children"][1]["CodeBlockInfo"], "cnVzdA==");
        assert_eq!(all[1]["Children"][2]["Data"], "fn f() {}\n");
        assert_eq!(all[2]["ListData"]["Typ"], 3);
        assert_eq!(all[2]["Children"][0]["Children"][0]["TaskListItemChecked"], true);
        assert_eq!(all[3]["Children"][0]["Type"], "NodeBlockquoteMarker");
        assert_eq!(all[4]["TableAligns"], json!([0, 2]));
        assert_eq!(all[4]["Children"][1]["Children"][1]["TableCellAlign"], 2);
        assert!(all.iter().all(|it| it["ID"] == it["Properties"]["id"]));
    }
}
