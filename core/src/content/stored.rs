//! A document in SiYuan's own format, as its files and their saved versions hold it: its top-level blocks as Markdown.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Map;

mod inline;
mod text;

/// A document of a file.
#[derive(Debug, Default)]
pub struct StoredDocument {
    /// Its title.
    pub title: String,
    /// Its tags, with commas between them.
    pub tags: String,
    /// Its top-level blocks.
    pub blocks: Vec<StoredBlock>,
    /// The ids of all its blocks.
    pub ids: BTreeSet<String>,
    /// The blocks whose text SiYuan keeps writing into references here.
    pub follows: BTreeSet<String>,
    /// The databases that it shows.
    pub databases: BTreeSet<String>,
    /// The statements of its query embeds, as they are stored.
    pub embeds: Vec<String>,
}

/// A top-level block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBlock {
    /// Its id.
    pub id: String,
    /// Its text.
    pub markdown: String,
}

/// A node of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct StoredNode {
    #[serde(rename = "ID")]
    id: String,
    r#type: String,
    data: String,
    heading_level: usize,
    list_data: ListData,
    task_list_item_checked: bool,
    callout_type: String,
    callout_title: String,
    tab_item_title: String,
    #[serde(rename = "AttributeViewID")]
    database: String,
    attribute_view_type: String,
    text_mark_type: String,
    text_mark_text_content: String,
    text_mark_inline_math_content: String,
    #[serde(rename = "TextMarkAHref")]
    address: String,
    #[serde(rename = "TextMarkBlockRefID")]
    reference: String,
    #[serde(rename = "TextMarkBlockRefSubtype")]
    reference_kind: String,
    properties: Map<String, serde_json::Value>,
    children: Vec<StoredNode>,
}

/// The kind and number of a list or of its item.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct ListData {
    /// 0 with bullets, 1 with numbers, 3 with tasks.
    typ: u8,
    num: u32,
}

impl StoredDocument {
    /// Reads a file; `None` when it holds no document.
    pub fn parse(bytes: &[u8]) -> Option<StoredDocument> {
        let root: StoredNode = serde_json::from_slice(bytes).ok()?;
        if root.r#type != "NodeDocument" {
            return None;
        }
        let text = |name: &str| root.properties.get(name).and_then(|it| it.as_str()).unwrap_or_default();
        let mut stored = StoredDocument {
            title: inline::unescaped(text("title")),
            tags: text("tags").to_owned(),
            ..StoredDocument::default()
        };
        stored.blocks = root
            .children
            .iter()
            .map(|it| StoredBlock { id: it.id.clone(), markdown: text::block(it) })
            .collect();
        stored.collect(&root);
        Some(stored)
    }

    fn collect(&mut self, node: &StoredNode) {
        let insert = |set: &mut BTreeSet<String>, id: &str| {
            if !id.is_empty() {
                set.insert(id.to_owned());
            }
        };
        insert(&mut self.ids, &node.id);
        insert(&mut self.databases, &node.database);
        if node.r#type == "NodeBlockQueryEmbedScript" {
            self.embeds.push(node.data.clone());
        }
        // A reference with a text of its own ("s") does not follow its block.
        if node.reference_kind != "s" {
            insert(&mut self.follows, &node.reference);
        }
        // Titles are kept as Markdown.
        let titles = [&node.callout_title, &node.tab_item_title];
        for reference in titles.into_iter().flat_map(|title| title.split("((").skip(1)) {
            insert(&mut self.follows, reference.get(..22).unwrap_or_default());
        }
        node.children.iter().for_each(|child| self.collect(child));
    }

    /// Its blocks as texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().map(|it| it.markdown.as_str())
    }
}
