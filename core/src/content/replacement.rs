//! The new text of one block, put together so that its attributes, its id and its surroundings stay.

use super::incoming::is_protected;
use super::kramdown::{self, AttributeList};
use super::{blocks, fence, overwrite};
use crate::error::ToolError;

/// The data that is sent for a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockData {
    /// Kramdown of the block, and of blocks that follow it.
    pub data: String,
    /// Whether it changes anything.
    pub changed: bool,
    /// Whether the block is a list item, and stays one.
    pub is_item: bool,
}

/// Refuses kinds of blocks whose text cannot be changed this way; the error names the argument.
pub fn check_kind(field: &str, old: &str) -> Result<(), ToolError> {
    let text = old.trim_start();
    let refuse = |what: &str, instead: &str| {
        Err(ToolError::field(field, format!("a block of text; this one is {what}: {instead}")))
    };
    if text.starts_with("<div") && text.contains("data-av-id=") {
        return refuse("a database", "change it with the tool av");
    }
    if text.starts_with("<iframe") && text.contains("data-subtype=\"widget\"") {
        return refuse("a widget", "it is changed in SiYuan itself");
    }
    if text.starts_with("{{") && !text.starts_with("{{{") {
        return refuse("an embed", "delete it and add a new one");
    }
    let own = kramdown::attribute_lists(old).pop().and_then(|it| it.id().map(str::to_owned));
    let own_list = kramdown::rewrite(old, |list| {
        let mut list = list.clone();
        if list.id() == own.as_deref() {
            list.remove("custom-avs");
        }
        Some(list)
    });
    match overwrite::fragile(&own_list) {
        None => Ok(()),
        Some(kind) => Err(ToolError::conflict(format!(
            "Replacing the whole block would lose its {kind}. Nothing was written. Update the blocks inside it one by one."
        ))),
    }
}

/// Joins a block's new text and its attributes. `old` is its kramdown, `markdown` is checked already.
///
/// Without `keep_attrs`, only the attributes that SiYuan set itself stay.
pub fn replacement(id: &str, old: &str, markdown: &str, keep_attrs: bool) -> Result<BlockData, ToolError> {
    let is_item = kramdown::first_item(old).is_some_and(|(_, list, _)| list.id() == Some(id));
    let own = kramdown::attribute_lists(old).into_iter().find(|it| it.id() == Some(id)).unwrap_or_default();
    let mut attributes = own;
    attributes.retain(|name, _| name != "updated" && (keep_attrs || name == "id" || is_protected(name)));
    attributes.set("id", id);
    let data = if is_item { item(old, markdown, attributes)? } else { block(markdown, attributes) };
    Ok(BlockData { changed: !overwrite::same(&data, old), data, is_item })
}

/// The first block of the text gets the attributes: the kernel keeps that block, and the rest is put behind it.
fn block(markdown: &str, mut attributes: AttributeList) -> String {
    let mut parts = blocks::split(markdown).into_iter();
    let first = parts.next().unwrap_or_default();
    let mut first_text = first.to_owned();
    if let Some((text, last)) = first.rsplit_once('\n').or(Some(("", first)))
        && let Some((list, length)) = AttributeList::parse(last.trim_end())
        && length == last.trim_end().len()
    {
        merge(&mut attributes, &list);
        text.clone_into(&mut first_text);
    }
    let rest = markdown.find(first).and_then(|at| markdown.get(at + first.len()..)).unwrap_or_default();
    let rest = rest.trim_matches('\n').trim_end();
    let separated = if rest.is_empty() { String::new() } else { format!("\n\n{rest}") };
    format!("{first_text}\n{attributes}{separated}").trim_start_matches('\n').to_owned()
}

/// A text as one item of the list in which an item stands, with that item's mark if it has none. Of several items
/// beside another the kernel would keep the first, and of other text it would make a broken list.
pub fn item_beside(neighbour: &str, markdown: &str) -> Result<String, ToolError> {
    let markdown = markdown.trim_matches('\n').trim_end();
    let (mark, _, text) = kramdown::first_item(neighbour).unwrap_or(("- ", AttributeList::default(), ""));
    let Some((own_mark, _, own_text)) = kramdown::first_item(markdown) else {
        let task = if is_task(text) { "[ ] " } else { "" };
        return Ok(format!("{} {task}{}", mark.trim_end(), indented(markdown, mark)));
    };
    check_one_item(own_text)?;
    let is_ordered = |mark: &str| mark.starts_with(|it: char| it.is_ascii_digit());
    if is_ordered(own_mark) != is_ordered(mark) || is_task(own_text) != is_task(text) {
        let expected = "an item like those of this list, or text without a list mark";
        return Err(ToolError::field("markdown", expected).with("like", mark.trim_end()));
    }
    Ok(markdown.to_owned())
}

/// Whether the text of an item begins with a box.
fn is_task(text: &str) -> bool {
    let text = text.trim_start().strip_prefix('[').map(|it| it.chars());
    text.is_some_and(|mut it| it.next().is_some() && it.next() == Some(']'))
}

/// Lines behind the first indented so that they belong to an item with this mark.
fn indented(markdown: &str, mark: &str) -> String {
    let indent = " ".repeat(mark.trim_end().len() + 1);
    let lines = markdown.lines().enumerate().map(|(at, line)| match line {
        line if at == 0 || line.is_empty() => line.to_owned(),
        line => format!("{indent}{line}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Refuses text of an item that another item follows: the kernel keeps the first and drops the others.
fn check_one_item(text: &str) -> Result<(), ToolError> {
    if !text.lines().skip(1).any(|line| fence::list_mark(line).is_some()) {
        return Ok(());
    }
    Err(ToolError::field(
        "markdown",
        "one list item, with its content indented; add further items to the list with block.append",
    ))
}

/// Refuses new kramdown of a list item that is no longer exactly one item.
pub fn check_still_item(kramdown: &str) -> Result<(), ToolError> {
    match kramdown::first_item(kramdown) {
        Some((_, _, text)) => check_one_item(text),
        None => Err(ToolError::field("markdown", "a list item, with its list mark")),
    }
}

/// An item's text, with a list mark if it has none, and its attributes after the mark.
fn item(old: &str, markdown: &str, mut attributes: AttributeList) -> Result<String, ToolError> {
    let markdown = markdown.trim_matches('\n').trim_end();
    let (old_mark, _, _) = kramdown::first_item(old).unwrap_or(("- ", AttributeList::default(), ""));
    let Some((mark, list, rest)) = kramdown::first_item(markdown) else {
        return Ok(format!("{} {attributes}{}", old_mark.trim_end(), indented(markdown, old_mark)));
    };
    check_one_item(rest)?;
    merge(&mut attributes, &list);
    Ok(format!("{} {attributes}{rest}", mark.trim_end()))
}

fn merge(attributes: &mut AttributeList, given: &AttributeList) {
    for (name, value) in given.iter().filter(|(name, _)| *name != "id") {
        attributes.set(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "20250101000000-block00";

    fn with(old: &str, markdown: &str, keep_attrs: bool) -> BlockData {
        let old = old.replace("ID", ID);
        let made = replacement(ID, &old, markdown, keep_attrs).unwrap();
        BlockData { data: made.data.replace(ID, "ID"), ..made }
    }

    fn sent(old: &str, markdown: &str) -> String {
        with(old, markdown, true).data
    }

    #[test]
    fn replacement_sends_attributes_with_the_first_block() {
        let old = "old\n{: updated=\"1\" id=\"ID\" memo=\"a&quot;b\" custom-avs=\"y\"}";
        let list = "{: id=\"ID\" memo=\"a&quot;b\" custom-avs=\"y\"}";
        assert_eq!(sent(old, "new"), format!("new\n{list}"));
        assert_eq!(sent(old, "# H\ntext\n\n- a"), format!("# H\n{list}\n\ntext\n\n- a"));
        assert_eq!(
            with(old, "new", false).data,
            "new\n{: custom-avs=\"y\" id=\"ID\"}"
                .replace("{: custom-avs=\"y\" id=\"ID\"}", "{: id=\"ID\" custom-avs=\"y\"}")
        );
        assert_eq!(sent(old, ""), list);
    }

    #[test]
    fn replacement_attributes_in_the_text_win() {
        let old = "old\n{: id=\"ID\" memo=\"m\" alias=\"a\"}";
        assert_eq!(
            sent(old, "new\n{: id=\"ID\" memo=\"other\"}"),
            "new\n{: id=\"ID\" memo=\"other\" alias=\"a\"}"
        );
        assert!(!with(old, "old\n{: alias=\"a\" id=\"ID\" memo=\"m\"}", true).changed);
        assert!(!with(old, "old", true).changed && with(old, "old", false).changed);
    }

    #[test]
    fn replacement_of_an_item_stays_an_item() {
        let old = "- {: id=\"ID\" memo=\"m\"}[ ] old\n  {: id=\"20250101000000-inner00\"}";
        assert_eq!(sent(old, "text\nmore"), "- {: id=\"ID\" memo=\"m\"}text\n  more");
        assert_eq!(sent(old, "* [x] done\n  - nested"), "* {: id=\"ID\" memo=\"m\"}[x] done\n  - nested");
        assert_eq!(sent("12. {: id=\"ID\"}old", "text\nmore"), "12. {: id=\"ID\"}text\n    more");
        assert!(replacement(ID, &old.replace("ID", ID), "- a\n- b", true).is_err());
    }

    /// A list is not an item, although its text begins with one.
    #[test]
    fn list_attributes_follow_the_list() {
        let old = "- {: id=\"20250101000000-item000\"}a\n  {: id=\"20250101000000-inner00\"}\n{: id=\"ID\" memo=\"m\"}";
        assert_eq!(sent(old, "- b\n- c"), "- b\n- c\n{: id=\"ID\" memo=\"m\"}");
    }

    #[test]
    fn replacement_of_non_text_blocks_is_refused() {
        for old in [
            "<div data-type=\"NodeAttributeView\" data-av-id=\"x\"></div>\n{: id=\"x\"}",
            "<iframe src=\"/widgets/x\" data-subtype=\"widget\"></iframe>",
            "{{SELECT * FROM blocks}}\n{: id=\"x\"}",
            "{{{row\nrow\n{: id=\"y\" custom-avs=\"z\"}\n\n}}}\n{: id=\"x\"}",
            "> {{SELECT 1}}\n> {: id=\"y\"}\n>\n{: id=\"x\"}",
        ] {
            assert!(check_kind("id", old).is_err(), "{old}");
        }
        assert!(check_kind("id", "row of a database\n{: id=\"x\" custom-avs=\"z\"}").is_ok());
    }
}
