//! Blocks of a stored document as Markdown.

use super::StoredNode;
use super::inline::{inline, plain};

/// A block as Markdown.
pub(super) fn block(node: &StoredNode) -> String {
    match node.r#type.as_str() {
        "NodeHeading" => format!("{} {}", "#".repeat(node.heading_level.clamp(1, 6)), inline(&node.children)),
        "NodeList" | "NodeMindmap" => node.children.iter().map(item).collect::<Vec<_>>().join("\n"),
        "NodeListItem" | "NodeMindmapItem" => item(node),
        "NodeTabItem" if !node.tab_item_title.is_empty() => {
            format!("{}\n\n{}", node.tab_item_title, blocks(node))
        }
        "NodeBlockquote" => quoted(&blocks(node)),
        "NodeCallout" => {
            let head = format!("[!{}] {}", node.callout_type, node.callout_title);
            quoted(&format!("{}\n{}", head.trim_end(), blocks(node)))
        }
        "NodeSuperBlock" => {
            let layout = data_of(node, "NodeSuperBlockLayoutMarker");
            format!("{{{{{{{layout}\n{}\n}}}}}}", blocks(node))
        }
        "NodeTable" => table(node),
        "NodeCodeBlock" => {
            let code = data_of(node, "NodeCodeBlockCode");
            let fence = if code.contains("```") { "~~~~" } else { "```" };
            format!("{fence}\n{}\n{fence}", code.trim_end_matches('\n'))
        }
        "NodeMathBlock" => format!("$$\n{}\n$$", data_of(node, "NodeMathBlockContent")),
        "NodeBlockQueryEmbed" => format!("{{{{{}}}}}", data_of(node, "NodeBlockQueryEmbedScript")),
        "NodeAttributeView" => format!(
            "<div data-type=\"NodeAttributeView\" data-av-id=\"{}\" data-av-type=\"{}\"></div>",
            node.database, node.attribute_view_type
        ),
        "NodeThematicBreak" => "---".to_owned(),
        _ if node.children.is_empty() => node.data.clone(),
        // Tabs, and containers of versions to come.
        _ if node.children.iter().any(|it| !it.id.is_empty()) => blocks(node),
        _ => inline(&node.children),
    }
}

/// The blocks inside a container.
fn blocks(node: &StoredNode) -> String {
    let inside = node.children.iter().filter(|it| !it.id.is_empty());
    inside.map(block).collect::<Vec<_>>().join("\n\n")
}

fn item(node: &StoredNode) -> String {
    let mark = match node.list_data.typ {
        1 => format!("{}. ", node.list_data.num.max(1)),
        3 => {
            let is_done = node.children.iter().any(|it| it.task_list_item_checked);
            format!("* [{}] ", if is_done { 'x' } else { ' ' })
        }
        _ => "* ".to_owned(),
    };
    let indent = " ".repeat(if node.list_data.typ == 1 { mark.len() } else { 2 });
    let text = blocks(node);
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(
            |(at, line)| if at == 0 || line.is_empty() { line.to_owned() } else { format!("{indent}{line}") },
        )
        .collect();
    format!("{mark}{}", lines.join("\n"))
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn table(node: &StoredNode) -> String {
    let mut rows = Vec::new();
    for part in &node.children {
        let is_head = part.r#type == "NodeTableHead";
        let own = if is_head { part.children.iter().collect() } else { vec![part] };
        for row in own {
            let cells: Vec<String> =
                row.children.iter().map(|cell| inline(&cell.children).replace('\n', "<br />")).collect();
            rows.push(format!("| {} |", cells.join(" | ")));
            if is_head {
                rows.push(format!("|{}", " --- |".repeat(cells.len())));
            }
        }
    }
    rows.join("\n")
}

/// The data of a part of a block.
fn data_of<'a>(node: &'a StoredNode, kind: &str) -> &'a str {
    node.children.iter().find(|it| it.r#type == kind).map(|it| plain(&it.data)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use demo_kernel::{Content, Demo, Moment, Siyuan};
    use serde_json::{Value, json};

    use crate::content::stored::StoredDocument;

    /// The file that the kernel writes for a text.
    fn stored(markdown: &str) -> StoredDocument {
        stored_by(Siyuan::V3_7, markdown)
    }

    /// The file that a version of the kernel writes for a text.
    fn stored_by(siyuan: Siyuan, markdown: &str) -> StoredDocument {
        let folder = tempfile::tempdir().unwrap();
        let demo =
            Demo::open_as(siyuan, folder.path(), Content::Empty, Moment { ms: 1_750_000_000_000, seed: 0 })
                .unwrap();
        let ask = |path: &str, body: Value| {
            let answer = demo.answer(&format!("/api/{path}"), body.to_string().as_bytes());
            serde_json::from_slice::<Value>(&answer.body).unwrap()["data"].take()
        };
        let mut made = ask("notebook/createNotebook", json!({ "name": "Garden" }));
        let notebook = made["notebook"]["id"].take();
        let id = ask(
            "filetree/createDocWithMd",
            json!({ "notebook": notebook, "path": "/Plan", "markdown": markdown, "tags": "a,b" }),
        );
        let path = format!("/data/{}/{}.sy", notebook.as_str().unwrap(), id.as_str().unwrap());
        let file = demo.answer("/api/file/getFile", json!({ "path": path }).to_string().as_bytes());
        StoredDocument::parse(&file.body).unwrap()
    }

    /// Tabs are read as their titles and blocks.
    #[test]
    fn stored_tabs_read_as_text() {
        let target = "20250101000000-target0";
        let text = format!("::: tabs\n@tab One (({target} 'x'))\n\nfirst\n\n@tab\n\n* second\n\n:::");
        let read = stored_by(Siyuan::V3_8, &text);
        let texts: Vec<&str> = read.texts().collect();
        assert_eq!(texts, [format!("One (({target} 'x'))\n\nfirst\n\n* second")]);
        assert!(read.follows.contains(target));
    }

    #[test]
    fn blocks_read_as_they_were_written() {
        let written = [
            "## Head **strong** and `code`",
            "plain [link](https://a.example) ==mark== #tag# $x^2$",
            "* one\n* two\n\n  * three",
            "* [ ] open\n* [x] done",
            "> quoted\n>\n> again",
            "```\nfn f() {}\n```",
            "$$\na < b\n$$",
            "{{SELECT * FROM blocks}}",
            "| a | b |\n| --- | --- |\n| 1 | 2 |",
            "---",
        ];
        let stored = stored(&written.join("\n\n"));
        assert_eq!(stored.texts().collect::<Vec<_>>(), written);
        assert_eq!((stored.title.as_str(), stored.tags.as_str()), ("Plan", "a,b"));
        assert!(stored.blocks.iter().all(|it| stored.ids.contains(&it.id)));
    }

    #[test]
    fn a_reference_with_a_text_of_its_own_follows_nothing() {
        let mark = |id: &str, kind: &str| {
            json!({
                "Type": "NodeTextMark", "TextMarkType": "block-ref", "TextMarkTextContent": "a &amp; b",
                "TextMarkBlockRefID": id, "TextMarkBlockRefSubtype": kind,
            })
        };
        let (follows, fixed) = ("20210808180117-czj9bvb", "20210808180117-6v0mkxr");
        let paragraph =
            json!({ "Type": "NodeParagraph", "Children": [mark(follows, "d"), mark(fixed, "s")] });
        let file = json!({ "Type": "NodeDocument", "Children": [paragraph] });
        let stored = StoredDocument::parse(file.to_string().as_bytes()).unwrap();
        assert_eq!(stored.follows.iter().collect::<Vec<_>>(), [follows]);
        let text = format!("(({follows} 'a & b'))(({fixed} \"a & b\"))");
        assert_eq!(stored.texts().collect::<Vec<_>>(), [text]);
    }

    #[test]
    fn what_is_no_document_is_not_read() {
        for wrong in ["", "{}", "[]", "{\"Type\":\"NodeParagraph\"}", "{\"Type\":1}"] {
            assert!(StoredDocument::parse(wrong.as_bytes()).is_none(), "{wrong}");
        }
        let deep = format!("{}{}", "{\"Type\":\"NodeDocument\",\"Children\":[".repeat(500), "]}".repeat(500));
        assert!(StoredDocument::parse(deep.as_bytes()).is_none());
    }
}
