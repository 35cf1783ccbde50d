//! `document.set_properties`: a document's icon, cover, tags, name, alias, memo and bookmark.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::args::OrClear;
use crate::content::attrs;
use crate::content::cover::{self, Cover};
use crate::content::icon::Icon;
use crate::content::tag::{Tag, Tags, refuse_prompt};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The maximum number of tags that are set at once.
const MOST: usize = 32;

/// Set icon, cover, tags and names.
///
/// An empty text or an empty list clears a property.
#[derive(Debug, Action)]
#[action(
    document.set_properties,
    danger = None,
    idempotent = true,
    calls = [attr::GET_BLOCK_ATTRS, attr::SET_BLOCK_ATTRS, query::SQL],
    examples = [
        { "id": "{doc}", "icon": "🌱", "add_tags": ["herbs"] },
        {
            "id": "{doc}", "cover": "{asset}", "tags": ["herbs"], "name": "mint", "alias": "peppermint",
            "memo": "Read in spring.", "bookmark": "Garden"
        },
        { "id": "{doc}", "remove_tags": ["herbs"] },
    ],
)]
pub struct SetProperties {
    /// The document.
    #[needs(Write)]
    pub id: DocId,
    /// An emoji, its code points in hex (1f331), or a path emojis/....
    pub icon: Option<OrClear<Icon>>,
    /// A picture: assets/... or https://....
    pub cover: Option<OrClear<Cover>>,
    /// Tags without commas and #.
    pub tags: Option<Many<Tag, 0, MOST>>,
    /// Tags to add.
    pub add_tags: Option<Tags>,
    /// Tags to remove.
    pub remove_tags: Option<Tags>,
    /// Its name, for references.
    #[read_by(Html)]
    pub name: Option<Text<0, 512>>,
    /// Other names, separated by commas.
    #[read_by(Html)]
    pub alias: Option<Text<0, 512>>,
    /// A note about it.
    #[read_by(Html)]
    pub memo: Option<Text<0, 4096>>,
    /// Label of a bookmark.
    #[read_by(Html)]
    pub bookmark: Option<Text<0, 512>>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    /// Old and new value of each attribute that changes, by its name in the kernel.
    changes: BTreeMap<&'static str, (String, String)>,
}

impl Change for SetProperties {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let texts = self.texts()?;
        cx.found(&self.id).await?;
        self.check_cover(cx).await?;
        let present = cx.ask(attr::get_block_attrs(&self.id)).await?;
        let value = |name: &str| present.get(name).cloned().unwrap_or_default();
        let mut wanted: Vec<(&'static str, String)> = texts;
        if let Some(icon) = &self.icon {
            wanted.push(("icon", icon.get().map(|it| it.as_str().to_owned()).unwrap_or_default()));
        }
        if let Some(cover) = &self.cover {
            wanted.push(("title-img", cover.get().map(Cover::style).unwrap_or_default()));
        }
        wanted.extend(self.tags(&value("tags"), cx)?.map(|tags| ("tags", tags)));
        let changed = wanted.into_iter().map(|(name, new)| (name, (value(name), new)));
        let changes: BTreeMap<_, _> = changed.filter(|(_, (old, new))| old != new).into_map();
        let shown = changes_json(&changes);
        let n = changes.len();
        let plan = Plan::new("set properties", Facts { changes }).show("changed", shown);
        Ok(plan.changing([self.id.clone()]).touching(n, self.id.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { changes } = plan.facts;
        if !changes.is_empty() {
            let attrs = changes.iter().map(|(name, (_, new))| ((*name).to_owned(), json!(new)));
            cx.ask(attr::set_block_attrs(&self.id, &attrs.collect::<Map<_, _>>())).await?;
        }
        let applied = changes_json(&changes);
        let changed = if changes.is_empty() { json!(false) } else { applied };
        Ok(Output::new().with("id", self.id.as_str()).with("changed", changed))
    }
}

impl SetProperties {
    /// The plain texts that are set; at least one property is given.
    fn texts(&self) -> Result<Vec<(&'static str, String)>, ToolError> {
        let name = self.name.as_ref().map(|it| ("name", it.as_str()));
        let alias = self.alias.as_ref().map(|it| ("alias", it.as_str()));
        let memo = self.memo.as_ref().map(|it| ("memo", it.as_str()));
        let bookmark = self.bookmark.as_ref().map(|it| ("bookmark", it.as_str()));
        let given = [name, alias, memo, bookmark].into_iter().flatten();
        let texts: Vec<(&str, String)> = given.map(|(name, it)| (name, it.trim().to_owned())).collect();
        attrs::refuse_active(texts.iter().map(|(name, value)| (*name, value.as_str())))?;
        let others = [self.icon.is_some(), self.cover.is_some(), self.tags.is_some()];
        let tags = [self.add_tags.is_some(), self.remove_tags.is_some()];
        if texts.is_empty() && !others.into_iter().chain(tags).any(|it| it) {
            return Err(ToolError::field("id", "sent with at least one property to set"));
        }
        Ok(texts)
    }

    /// Refuses a picture that only closed notebooks show: as a cover it would be in an open one too.
    async fn check_cover(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        let Some(asset) = self.cover.as_ref().and_then(|it| it.get()?.asset()) else { return Ok(()) };
        match cx.assets(&[&asset]).await?.into_iter().flatten().next() {
            Some(_) => Ok(()),
            None => Err(ToolError::not_found()),
        }
    }

    /// The tags as the kernel takes them, if they are to change.
    fn tags(&self, present: &str, cx: &Cx<'_>) -> Result<Option<String>, ToolError> {
        if self.tags.is_none() && self.add_tags.is_none() && self.remove_tags.is_none() {
            return Ok(None);
        }
        let present: Vec<&str> = present.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let is_new = |tag: &&Tag| !present.contains(&tag.as_str());
        let set = self.tags.iter().flat_map(Many::as_slice);
        let added = self.add_tags.iter().flat_map(Many::as_slice);
        refuse_prompt("tags", set.clone().filter(is_new), cx)?;
        refuse_prompt("add_tags", added.clone().filter(is_new), cx)?;
        let removed: Vec<&str> = self.remove_tags.iter().flat_map(Many::as_slice).map(Tag::as_str).collect();
        let base: Vec<&str> = if self.tags.is_some() { set.map(Tag::as_str).collect() } else { present };
        let mut tags: Vec<&str> = Vec::new();
        for tag in base.into_iter().chain(added.map(Tag::as_str)) {
            if !tags.contains(&tag) && !removed.contains(&tag) {
                tags.push(tag);
            }
        }
        Ok(Some(tags.join(",")))
    }
}

/// Old and new value of each property, under the names of the arguments.
fn changes_json(changes: &BTreeMap<&'static str, (String, String)>) -> Value {
    let each = changes.iter().map(|(name, (old, new))| match *name {
        "title-img" => ("cover".to_owned(), json!([cover::of_style(old), cover::of_style(new)])),
        name => (name.to_owned(), json!([old, new])),
    });
    Value::Object(each.collect())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::dispatch::{Approval, Engine};
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, check, checks, world};

    fn garden() -> World {
        let world = world().notebook("Private", "none").doc("/Garden/Mint", "x").doc("/Private/Plan", "x");
        let attrs = json!({ "tags": "herb,cold", "memo": "old", "icon": "1f331" });
        world.ask("attr/setBlockAttrs", &json!({ "id": world.id("/Garden/Mint"), "attrs": attrs }));
        world
    }

    #[test]
    fn what_changes_is_told_with_what_was_there() {
        let arguments = json!({
            "id": "{/Garden/Mint}", "icon": "", "cover": "https://a.example/x.png", "memo": "new", "name": "mint",
            "add_tags": ["herb", "tea"], "remove_tags": ["cold"],
        });
        check(
            "document.set_properties",
            garden(),
            &arguments,
            &expect![[r#"
            getPathByID getBlockAttrs setBlockAttrs
            {"id":"{/Garden/Mint}","changed":{"icon":["1f331",""],"memo":["old","new"],"name":["","mint"],"tags":["herb,cold","herb,tea"],"cover":["","https://a.example/x.png"]}}
        "#]],
        );
        let engine = Engine::new(garden(), Nobody);
        let id = engine.kernel.id("/Garden/Mint").to_owned();
        let mut arguments = arguments;
        arguments["id"] = json!(id);
        arguments["action"] = json!("set_properties");
        call(&engine, Tool::Document, &arguments, &Approval::Missing).unwrap();
        let attrs = engine.kernel.ask("attr/getBlockAttrs", &json!({ "id": id }));
        assert_eq!(
            (&attrs["tags"], &attrs["memo"], &attrs["title-img"], attrs.get("icon")),
            (
                &json!("herb,tea"),
                &json!("new"),
                &json!("background-image:url(https://a.example/x.png)"),
                None
            )
        );
    }

    #[test]
    fn what_is_so_already_is_not_written() {
        let same = json!({ "id": "{/Garden/Mint}", "tags": ["herb", "cold"], "memo": "old" });
        check(
            "document.set_properties",
            garden(),
            &same,
            &expect![[r#"
            getPathByID getBlockAttrs
            {"id":"{/Garden/Mint}","changed":false}
        "#]],
        );
        check(
            "document.set_properties",
            garden(),
            &json!({ "id": "{/Garden/Mint}", "tags": [] }),
            &expect![[r#"
            getPathByID getBlockAttrs setBlockAttrs
            {"id":"{/Garden/Mint}","changed":{"tags":["herb,cold",""]}}
        "#]],
        );
    }

    /// B-118: only a person makes a document a prompt; a document that is one may keep the tag.
    #[test]
    fn the_tag_of_prompts_is_not_added() {
        checks(
            "document.set_properties",
            garden,
            [("tags", json!(["Prompt"])), ("add_tags", json!(["pro\u{200b}mpt"]))]
                .map(|(key, tags)| json!({ "id": "{/Garden/Mint}", key: tags })),
            &expect![[r#"
            getPathByID getBlockAttrs
            {"error":{"type":"validation_error","message":"`tags` must be tags other than `prompt`: it makes a document a prompt for every client, so only a person may add it, in SiYuan.","fields":{"tags":"tags other than `prompt`: it makes a document a prompt for every client, so only a person may add it, in SiYuan"}}}
            getPathByID getBlockAttrs
            {"error":{"type":"validation_error","message":"`add_tags` must be tags other than `prompt`: it makes a document a prompt for every client, so only a person may add it, in SiYuan.","fields":{"add_tags":"tags other than `prompt`: it makes a document a prompt for every client, so only a person may add it, in SiYuan"}}}
        "#]],
        );
        let world = garden();
        let id = world.id("/Garden/Mint").to_owned();
        world.ask("attr/setBlockAttrs", &json!({ "id": id, "attrs": { "tags": "prompt" } }));
        check(
            "document.set_properties",
            world,
            &json!({ "id": id, "tags": ["prompt", "tea"] }),
            &expect![[r#"
            getPathByID getBlockAttrs setBlockAttrs
            {"id":"{/Garden/Mint}","changed":{"tags":["prompt","prompt,tea"]}}
        "#]],
        );
    }

    /// A picture that only a closed notebook shows would be readable through the document that gets it.
    #[test]
    fn a_picture_of_a_closed_notebook_is_no_cover() {
        let world = garden().doc("/Private/Photo", "![x](assets/secret-20250101000000-aaaaaaa.png)");
        let cover = json!({ "id": "{/Garden/Mint}", "cover": "assets/secret-20250101000000-aaaaaaa.png" });
        check(
            "document.set_properties",
            world,
            &cover,
            &expect![[r#"
                getPathByID sql
                {"error":{"type":"not_found","message":"Nothing that you may see matches `id`. Ids come from answers of document.search, search.text, fs.list, document.read: look there again. It may be hidden from agents, or its notebook closed in SiYuan."}}
            "#]],
        );
    }

    #[test]
    fn nothing_is_set_of_wrong_arguments() {
        checks(
            "document.set_properties",
            garden,
            [
                ("cover", json!("javascript:alert(1)")),
                ("memo", json!("<script>alert(1)</script>")),
                ("tags", json!(["a,b"])),
                ("icon", json!("rose")),
            ]
            .map(|(key, value)| json!({ "id": "{/Garden/Mint}", key: value })),
            &expect![[r#"

                {"error":{"type":"validation_error","message":"document.set_properties: `cover` must be a picture: assets/... or https://..., without quotes, parentheses and blanks.","fields":{"cover":"a picture: assets/... or https://..., without quotes, parentheses and blanks"},"hint":"document(action=\"set_properties\", id=\"{/Garden/Mint}\", cover=\"<a picture: assets/... or https://..., without quotes, parentheses and blanks>\")"}}
                getPathByID
                {"error":{"type":"validation_error","message":"`memo` must be a value without active content such as scripts.","fields":{"memo":"a value without active content such as scripts"}}}

                {"error":{"type":"validation_error","message":"document.set_properties: `tags[0]` must be a tag of 1 to 128 characters without commas, #, line breaks, markup and character references.","fields":{"tags[0]":"a tag of 1 to 128 characters without commas, #, line breaks, markup and character references"},"hint":"document(action=\"set_properties\", id=\"{/Garden/Mint}\", tags=[\"<a tag of 1 to 128 characters without commas, #, line breaks, markup and character references>\"])"}}

                {"error":{"type":"validation_error","message":"document.set_properties: `icon` must be an emoji, its code points in hex such as 1f331, or a path such as emojis/plants/leaf.png.","fields":{"icon":"an emoji, its code points in hex such as 1f331, or a path such as emojis/plants/leaf.png"},"hint":"document(action=\"set_properties\", id=\"{/Garden/Mint}\", icon=\"<an emoji, its code points in hex such as 1f331, or a path such as emojis/plants/leaf.png>\")"}}
            "#]],
        );
        check(
            "document.set_properties",
            garden(),
            &json!({ "id": "{/Garden/Mint}" }),
            &expect![[r#"
            getPathByID
            {"error":{"type":"validation_error","message":"`id` must be sent with at least one property to set.","fields":{"id":"sent with at least one property to set"}}}
        "#]],
        );
    }
}
