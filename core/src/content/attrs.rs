//! Attributes that a caller may set or see: the kernel takes any name, some break blocks, some name databases.

use serde_json::{Map, Value};

use super::cover::{self, Cover};
use super::icon::Icon;
use super::incoming::{is_protected, would_run_in_value};
use super::style;
use super::tag::{self, Tag};
use crate::args::{Attrs, Checked};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::permission::Grants;

/// Whether an attribute may be shown.
///
/// `av-names` contains the names of databases in HTML, from any notebook. The others contain ids of databases and
/// values from them. Finding out whose they are would take requests, so they are shown only if no notebook is hidden.
pub fn is_shown(name: &str, grants: &Grants) -> bool {
    let of_databases = name == "custom-avs" || name.starts_with("custom-sy-av-s-text");
    name != "av-names" && !(of_databases && grants.any_hidden())
}

/// The attributes of a new document as the kernel takes them; icon and tags are checked like their own arguments.
pub fn of_new_document(given: &Attrs, cx: &Cx<'_>) -> Result<Map<String, Value>, ToolError> {
    let all = to_set(given, true, cx)?;
    Ok(all
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name, value.into()))
        .collect())
}

/// The values to set, empty for an attribute that goes; those of documents are checked like arguments of their own.
///
/// The kernel trims values. No document gets the tag that only a person may add.
pub fn to_set(given: &Attrs, document: bool, cx: &Cx<'_>) -> Result<Vec<(String, String)>, ToolError> {
    check(given, document)?;
    let mut all = Vec::new();
    for (name, value) in &given.0 {
        let text = value.as_deref().unwrap_or_default().trim();
        let wrong = |expected: &str| ToolError::field(&format!("attrs.{name}"), expected);
        let text = match name.as_str() {
            "tags" => {
                let each = text.split(',').filter(|it| !it.trim().is_empty()).map(Tag::parse);
                let tags: Vec<Tag> = each.collect::<Result<_, _>>().map_err(wrong)?;
                tag::given(&tags, cx)?
            }
            _ => stored(name, text).map_err(wrong)?,
        };
        all.push((name.clone(), text));
    }
    Ok(all)
}

/// The value in the form in which it is stored: SiYuan puts styles, covers and icons into its window unchanged.
fn stored(name: &str, text: &str) -> Result<String, &'static str> {
    match name {
        "style" => style::printed(text).ok_or(style::EXPECTED),
        "icon" if !text.is_empty() => Ok(Icon::parse(text)?.as_str().to_owned()),
        "title-img" if !text.is_empty() => Ok(Cover::parse(cover::of_style(text))?.style()),
        _ => Ok(text.to_owned()),
    }
}

/// Refuses names that a caller must not set, and names every one of them (B-081).
pub fn check(attrs: &Attrs, document: bool) -> Result<(), ToolError> {
    let wrong: Vec<&str> =
        attrs.0.iter().map(|(name, _)| name.as_str()).filter(|name| !may_set(name, document)).collect();
    if wrong.is_empty() {
        let given =
            attrs.0.iter().filter_map(|(name, value)| Some((format!("attrs.{name}"), value.as_deref()?)));
        return refuse_active(given);
    }
    let own = "custom- with a lower-case letter, then such letters, digits and hyphens";
    let expected = if document {
        format!(
            "name, alias, memo, bookmark, style, icon, tags, title-img or {own}; not {}",
            wrong.join(", ")
        )
    } else {
        format!("name, alias, memo, bookmark, style or {own}; not {}", wrong.join(", "))
    };
    Err(ToolError::field("attrs", expected))
}

/// Refuses values, each with its argument, that would run something where they are shown.
pub fn refuse_active<'v>(
    values: impl IntoIterator<Item = (impl AsRef<str>, &'v str)>,
) -> Result<(), ToolError> {
    match values.into_iter().find(|(_, value)| would_run_in_value(value)) {
        None => Ok(()),
        Some((name, _)) => {
            Err(ToolError::field(name.as_ref(), "a value without active content such as scripts"))
        }
    }
}

fn may_set(name: &str, document: bool) -> bool {
    let plain = matches!(name, "name" | "alias" | "memo" | "bookmark" | "style");
    let of_documents = document && matches!(name, "icon" | "tags" | "title-img");
    // The kernel refuses a name without a letter there.
    let own = name.strip_prefix("custom-").is_some_and(|rest| {
        rest.starts_with(|it: char| it.is_ascii_lowercase())
            && rest.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    });
    plain || of_documents || (own && !is_protected(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, document: bool) -> bool {
        check(&Attrs(vec![(name.to_owned(), None)]), document).is_err()
    }

    #[test]
    fn attribute_that_breaks_its_block_is_refused() {
        for name in [
            "id",
            "updated",
            "title",
            "type",
            "fold",
            "custom-avs",
            "custom-riff-decks",
            "custom-agent-rules",
            "custom-sy-av",
            "custom-",
            "custom-1",
            "custom--a",
            "custom-A",
            "custom-a b",
            "onclick",
            "",
        ] {
            assert!(refused(name, false) && refused(name, true), "{name}");
        }
        for name in ["name", "alias", "memo", "bookmark", "style", "custom-status-2"] {
            assert!(!refused(name, false), "{name}");
        }
        assert!(refused("icon", false) && !refused("icon", true));
    }

    /// S5: what could cover a question of this product is refused, in every attribute that becomes a style.
    #[test]
    fn styles_and_covers_hold_nothing_that_positions() {
        assert_eq!(stored("style", "color:red").as_deref(), Ok("color: red;"));
        assert_eq!(stored("title-img", "").as_deref(), Ok(""));
        let cover = "background-image:url(assets/a-20250101000000-aaaaaaa.png)";
        assert_eq!(stored("title-img", cover).as_deref(), Ok(cover));
        for (name, value) in [
            ("style", "position:fixed;inset:0;z-index:2147483647"),
            ("style", "color: red; pointer-events: none"),
            ("title-img", "position:fixed;inset:0"),
            ("title-img", "background-image:url(assets/a.png);position:fixed"),
            (
                "title-img",
                "background-image:url(\"assets/a.png\");position:fixed;background-image:url(assets/a.png)",
            ),
        ] {
            assert!(stored(name, value).is_err(), "{value}");
        }
    }
}
