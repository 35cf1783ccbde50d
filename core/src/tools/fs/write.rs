//! `fs.write`: creates, replaces, or extends the document at a path.

use super::free_path;
use crate::content::icon::Icon;
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::new_document::{self, NewDocument};
use crate::content::overwrite::{self, Overwrite};
use crate::content::tag::{self, Tags};
use crate::content::written;
use crate::permission::Place;
use crate::prelude::*;

/// Create a document at a path, or replace, extend or start an existing one.
#[derive(Debug, Action)]
#[action(
    fs.write,
    effect = When(Self::overwrites, Destructive),
    danger = When(Self::replaces_much, "Replaces the whole text of this document. A version is kept in the document's history."),
    deed = Overwrite(DocumentHistory),
    idempotent = false,
    calls = [
        filetree::GET_IDS_BY_HPATH, block::APPEND_BLOCK, block::PREPEND_BLOCK, ..incoming, ..overwrite,
        ..new_document,
    ],
    examples = [
        { "path": "{new_path}", "markdown": "First the beds." },
        { "path": "{new_path}", "markdown": "One.\n\nTwo.", "mode": "upsert", "icon": "🌱", "tags": ["herbs"] },
        { "path": "{path}", "markdown": "Order seeds.", "mode": "append" },
        { "path": "{path}", "markdown": "Mint grows anywhere.", "mode": "overwrite" },
    ],
)]
pub struct Write {
    /// Workspace path such as /Notebook/Folder/Doc, or a document's id.
    #[needs(Write)]
    pub path: WorkspacePath,
    /// The text, as Markdown.
    pub markdown: Markdown,
    /// The kind of write; upsert creates or appends.
    pub mode: Mode,
    /// The `hash` of an earlier read; if the text has changed since, nothing is written.
    #[read_by()]
    pub expect: Option<Text<1, 64>>,
    /// An emoji or its code points in hex, for a new document.
    pub icon: Option<Icon>,
    /// Tags of a new document.
    pub tags: Option<Tags>,
}

/// The kind of write to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Mode {
    /// Make a new document.
    #[default]
    Create,
    /// Replace the text.
    Overwrite,
    /// Add at the end.
    Append,
    /// Add at the start.
    Prepend,
    /// Make it, or add at the end.
    Upsert,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    incoming: Incoming,
    deed: WriteKind,
}

#[derive(Debug, Hash)]
enum WriteKind {
    Create { new: NewDocument, heading_dropped: bool },
    Add { doc: DocId, at_end: bool },
    Overwrite(DocId, Box<Overwrite>),
}

impl Write {
    fn overwrites(&self, plan: &Plan<Facts>) -> bool {
        matches!(plan.facts.deed, WriteKind::Overwrite(..))
    }

    fn replaces_much(&self, plan: &Plan<Facts>) -> bool {
        matches!(&plan.facts.deed, WriteKind::Overwrite(_, what) if what.replaces_much())
    }
}

impl Change for Write {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        if self.path.is_root() {
            return Err(ToolError::field("path", "a document; notebook.create creates a notebook"));
        }
        let place = cx.found(&self.path).await?;
        match (self.mode, &place.doc) {
            (Mode::Create, Some(doc)) => Err(ToolError::conflict("A document already exists at this path. Use mode append, prepend or overwrite, or another path.").with("id", doc.as_str())),
            (Mode::Create | Mode::Upsert, None) => self.plan_new(place, cx).await,
            (Mode::Upsert | Mode::Append, Some(doc)) => self.plan_addition(doc, true, cx).await,
            (Mode::Prepend, Some(doc)) => self.plan_addition(doc, false, cx).await,
            (Mode::Overwrite, Some(doc)) => {
                let expect = self.expect.as_ref().map(Text::as_str);
                let (incoming, what) = overwrite::plan(cx, doc, self.markdown.as_str(), expect).await?;
                let deed = |what| WriteKind::Overwrite(doc.clone(), what);
                Ok(what.planned(doc, |what| Facts { incoming, deed: deed(what) }))
            }
            (Mode::Append | Mode::Prepend | Mode::Overwrite, None) => Err(free_path::nothing_there()),
        }
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { incoming: Incoming { markdown, ids_dropped, .. }, deed } = plan.facts;
        let output = match deed {
            WriteKind::Create { new, heading_dropped } => {
                let made = new.make(cx, &markdown, "icon").await?;
                let output = Output::new().with("id", made.id.as_str()).with("created", true);
                made.add_to(output).flag("title_heading_dropped", heading_dropped)
            }
            WriteKind::Add { doc, at_end } => {
                let add = if at_end { block::append_block } else { block::prepend_block };
                let added = cx.ask(add(&doc, &markdown)).await?;
                Output::new().with("id", doc.as_str()).with("ids", written::ids(&added)?)
            }
            WriteKind::Overwrite(doc, what) => overwrite::run(cx, &doc, *what).await?,
        };
        Ok(output.list("ids_dropped", ids_dropped))
    }
}

impl Write {
    async fn plan_addition(&self, doc: &DocId, at_end: bool, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        if self.markdown.as_str().trim().is_empty() {
            return Err(ToolError::field("markdown", "text to add"));
        }
        let incoming = incoming::check(cx, self.markdown.as_str(), &ReplacedContent::nothing()).await?;
        let characters = incoming.markdown.chars().count();
        let deed = WriteKind::Add { doc: doc.clone(), at_end };
        let would = if at_end { "append" } else { "prepend" };
        let plan = Plan::new(would, Facts { incoming, deed }).show("id", doc.as_str());
        Ok(plan.show("characters", characters).changing([doc.clone()]))
    }

    async fn plan_new(&self, place: &Place, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let tags = tag::given(self.tags.iter().flat_map(Many::as_slice), cx)?;
        let (hpath, parent) = free_path::below(&self.path, place, cx).await?;
        let (markdown, heading_dropped) = free_path::without_title(self.markdown.as_str(), &hpath);
        let incoming = incoming::check(cx, markdown, &ReplacedContent::nothing()).await?;
        let attrs = self.icon.iter().map(|it| ("icon".to_owned(), it.as_str().into())).collect();
        let new = NewDocument { notebook: place.notebook.clone(), hpath, parent, tags, attrs };
        let deed = WriteKind::Create { new, heading_dropped };
        Ok(Plan::new("create", Facts { incoming, deed }).show("path", self.path.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{World, check, world};
    use crate::testing::{FakeKernel, call, engine};

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/filetree/getIDsByHPath", |_| json!([]))
            .answer("/api/filetree/createDocWithMd", |ask| ask["id"].clone())
            .answer("/api/block/getChildBlocks", |_| json!([]))
    }

    fn asked(kernel: &FakeKernel, path: &str) -> Option<Value> {
        kernel.asked().into_iter().find(|(it, _)| *it == path).map(|(_, body)| body)
    }

    /// `/Garden/Plants` with two paragraphs.
    fn plants() -> World {
        world().doc("/Garden/Plants", "mint\n\nsage")
    }

    #[test]
    fn write_creates_a_document_below_its_parent_with_tags() {
        let shed =
            json!({ "path": "/Garden/Plants/Shed", "markdown": "# Shed\n\ntools", "tags": ["a", "b"] });
        check(
            "fs.write",
            plants(),
            &shed,
            &expect![[r#"
            getIDsByHPath getIDsByHPath createDocWithMd getChildBlocks
            {"id":"{new 1}","created":true,"ids":["{new 2}"],"title_heading_dropped":true}
        "#]],
        );
        // The kernel creates missing parents.
        check(
            "fs.write",
            world(),
            &json!({ "path": "/Garden/A/B", "markdown": "x", "mode": "upsert" }),
            &expect![[r#"
                getIDsByHPath getIDsByHPath createDocWithMd getChildBlocks
                {"id":"{new 1}","created":true,"ids":["{new 2}"]}
            "#]],
        );
        let deep = json!({ "path": "/Garden/1/2/3/4/5/6/7/8", "markdown": "x" });
        check(
            "fs.write",
            world(),
            &deep,
            &expect![[r#"
            getIDsByHPath getIDsByHPath
            {"error":{"type":"validation_error","message":"`path` must be at most 7 titles below the notebook.","fields":{"path":"at most 7 titles below the notebook"}}}
        "#]],
        );
    }

    #[test]
    fn write_appends_to_or_replaces_an_existing_document() {
        let write =
            |mode: &str| json!({ "path": "/Garden/Plants", "mode": mode, "markdown": "sage\n\nthyme" });
        let to_plants = |mode: &str, expected| check("fs.write", plants(), &write(mode), &expected);
        to_plants(
            "append",
            expect![[r#"
            getIDsByHPath appendBlock
            {"id":"{/Garden/Plants}","ids":["{new 1}","{new 2}"]}
        "#]],
        );
        to_plants(
            "prepend",
            expect![[r#"
            getIDsByHPath prependBlock
            {"id":"{/Garden/Plants}","ids":["{new 1}","{new 2}"]}
        "#]],
        );
        to_plants(
            "overwrite",
            expect![[r#"
            getIDsByHPath getBlockKramdown sql sql createDocHistory updateBlock
            {"id":"{/Garden/Plants}","ids":["{new 1}"],"kept":1,"changed":true}
        "#]],
        );
        let nothing = json!({ "path": "/Garden/Plants", "mode": "append", "markdown": " \n" });
        check(
            "fs.write",
            plants(),
            &nothing,
            &expect![[r#"
            getIDsByHPath
            {"error":{"type":"validation_error","message":"`markdown` must be text to add.","fields":{"markdown":"text to add"}}}
        "#]],
        );
        to_plants(
            "create",
            expect![[r#"
            getIDsByHPath
            {"error":{"type":"conflict","message":"A document already exists at this path. Use mode append, prepend or overwrite, or another path.","id":"{/Garden/Plants}"}}
        "#]],
        );
        check(
            "fs.write",
            world(),
            &write("append"),
            &expect![[r#"
            getIDsByHPath
            {"error":{"type":"not_found","message":"No document exists at this path. Use mode create or upsert to create it."}}
        "#]],
        );
    }

    /// B-034.
    #[test]
    fn write_preview_writes_nothing() {
        let engine = engine(kernel());
        let arguments = json!({ "action": "write", "path": "/Garden/New", "markdown": "x", "preview": true });
        let reply = call(&engine, Tool::Fs, arguments).unwrap();
        assert_eq!(
            Value::Object(reply.data),
            json!({ "would": "create", "path": "/Garden/New", "preview": true, "effect": "writes" })
        );
        assert_eq!(asked(&engine.kernel, "/api/filetree/createDocWithMd"), None);
    }

    /// Icon and tags are checked as in document.create (F20); only a person may add the tag of prompts (B-118).
    #[test]
    fn write_checks_icon_and_tags_before_any_write() {
        let engine = engine(kernel().answer("/api/attr/setBlockAttrs", |_| Value::Null));
        let write = |more: Value| {
            let mut arguments = json!({ "action": "write", "path": "/Garden/New", "markdown": "x" });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            call(&engine, Tool::Fs, arguments)
        };
        for (more, field) in [
            (json!({ "icon": "<img src=x onerror=alert(1)>" }), "icon"),
            (json!({ "icon": "leaf" }), "icon"),
            (json!({ "tags": ["a,b"] }), "tags[0]"),
            (json!({ "tags": ["a", "b# #c"] }), "tags[1]"),
            (json!({ "tags": ["a", "Prompt"] }), "tags"),
        ] {
            let error = write(more.clone()).unwrap_err();
            assert_eq!(
                (error.kind, error.fields[0].field.as_str()),
                (ErrorType::Validation, field),
                "{more}"
            );
        }
        assert_eq!(asked(&engine.kernel, "/api/filetree/createDocWithMd"), None);
        write(json!({ "icon": "\u{1f331}", "tags": ["herb"] })).unwrap();
        let attrs = asked(&engine.kernel, "/api/attr/setBlockAttrs").unwrap();
        assert_eq!(attrs["attrs"], json!({ "icon": "1f331" }));
    }
}
