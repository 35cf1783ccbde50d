//! Tags of documents: one tag as an argument, and the one tag that only a person may add.
//!
//! A document with the tag of `accessSettings.prompt_tag` is offered to every client as a prompt, in the person's own
//! voice. If an agent could add that tag, a text that it wrote, perhaps under the influence of an injection, would
//! speak to later agents as the person. So no action adds the tag; documents that a person tagged stay as they are.

use super::incoming::would_run_in_value;
use crate::args::{Checked, Many};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::spec::{Interpreter, Kind};
use crate::visible::is_seen;

/// The other texts that the kernel reads as a comma or a line break.
const READ_AS_OTHERS: [&str; 2] = ["，", "_esc_newline_"];

/// One tag. The kernel stores the tags of a document in one text with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag(String);

/// The maximum number of tags of a new document, whichever argument gives them.
const MOST: usize = 32;

/// The tags of a new document.
pub type Tags = Many<Tag, 1, MOST>;

impl Checked for Tag {
    const MOST: usize = 128;
    const KIND: Kind = Kind::Tag;
    const READ_BY: &'static [Interpreter] = &[Interpreter::Html];
    const EXPECTED: &'static str =
        "a tag of 1 to 128 characters without commas, #, line breaks, markup and character references";

    fn parse(text: &str) -> Result<Tag, &'static str> {
        let tag = text.trim();
        // The kernel decodes character references in tags, twice.
        let encoded = tag.split_once('&').is_some_and(|(_, rest)| rest.contains(';'));
        let parted = tag.contains([',', '#', '\n', '\r']) || READ_AS_OTHERS.iter().any(|it| tag.contains(it));
        let usable = tag.chars().any(is_seen) && tag.chars().count() <= Tag::MOST && !encoded && !parted;
        if usable && !would_run_in_value(tag) { Ok(Tag(tag.to_owned())) } else { Err(Tag::EXPECTED) }
    }
}

/// A tag as notes may carry it: a tag in a text may contain what parts the tags of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyTag(String);

impl Checked for AnyTag {
    const MOST: usize = 128;
    const KIND: Kind = Kind::Tag;
    const READ_BY: &'static [Interpreter] = &[Interpreter::Sql];
    const EXPECTED: &'static str = "a tag of 1 to 128 characters without its # signs";

    fn parse(text: &str) -> Result<AnyTag, &'static str> {
        let usable = !text.contains('#') && (1..=AnyTag::MOST).contains(&text.chars().count());
        if usable { Ok(AnyTag(text.to_owned())) } else { Err(AnyTag::EXPECTED) }
    }
}

impl Tag {
    /// The tag without its `#` signs.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether two tags are the same, ignoring case and invisible characters.
    fn is(&self, other: &str) -> bool {
        let seen = |text: &str| text.chars().filter(|it| is_seen(*it)).collect::<String>().to_lowercase();
        seen(&self.0) == seen(other)
    }
}

/// Tags as the kernel takes them, for a document without any; refuses the tag that only a person may add.
pub fn given<'a>(tags: impl IntoIterator<Item = &'a Tag>, cx: &Cx<'_>) -> Result<String, ToolError> {
    let tags: Vec<&Tag> = tags.into_iter().collect();
    if tags.len() > MOST {
        return Err(ToolError::field("tags", format!("at most {MOST} tags")));
    }
    refuse_prompt("tags", tags.iter().copied(), cx)?;
    Ok(tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>().join(","))
}

/// Refuses something that would carry the tag that only a person may add: its stored tags are `stored`.
pub fn refuse_stored(param: &str, stored: &str, cx: &Cx<'_>) -> Result<(), ToolError> {
    let prompt = cx.scope().access.prompt_tag.as_str();
    if !stored.split([',', '，']).any(|tag| Tag(tag.to_owned()).is(prompt)) {
        return Ok(());
    }
    Err(ToolError::field(
        param,
        format!(
            "content without the tag `{}`: the new document would be a prompt for every client, and only a person may create one",
            prompt.trim()
        ),
    ))
}

/// Refuses the tag that only a person may add, in every argument that would add it.
pub fn refuse_prompt<'a>(
    param: &str,
    tags: impl IntoIterator<Item = &'a Tag>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    let prompt = cx.scope().access.prompt_tag.as_str();
    if !tags.into_iter().any(|tag| tag.is(prompt)) {
        return Ok(());
    }
    Err(ToolError::field(
        param,
        format!(
            "tags other than `{}`: it makes a document a prompt for every client, so only a person may add it, in SiYuan",
            prompt.trim()
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_exactly_one_tag_is_refused() {
        for wrong in [
            "",
            " ",
            "\u{200b}",
            "a,b",
            "a# #prompt",
            "#a",
            "a\nb",
            "x，prompt",
            "x&comma;prompt",
            "x&ampnum;prompt",
            "prompt_esc_newline_",
            "<img src=x onerror=alert(1)>",
            &"x".repeat(129),
        ] {
            assert!(Tag::parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(Tag::parse("R&D").is_ok());
        assert_eq!(Tag::parse(" a/b ").map(|it| it.as_str().to_owned()), Ok("a/b".to_owned()));
    }

    #[test]
    fn tag_is_recognized_in_every_spelling() {
        for tag in ["prompt", "Prompt", "pro\u{200b}mpt", "prompt\u{a0}", "p\u{e000}rompt", "\u{feff}prompt"]
        {
            assert!(Tag::parse(tag).unwrap().is(" prompt "), "{tag:?}");
        }
        for tag in ["prompts", "prompt/garden"] {
            assert!(!Tag::parse(tag).unwrap().is("prompt"), "{tag:?}");
        }
    }
}
