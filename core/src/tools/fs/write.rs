//! `fs.write`: a document at a path, made, replaced, extended or started.

use serde_json::json;

use crate::content::icon::Icon;
use crate::content::incoming::{self, Incoming, Kept};
use crate::content::overwrite::{self, Overwrite};
use crate::content::tag::{self, Tags};
use crate::content::written;
use crate::error::ErrorType;
use crate::id::{fresh_doc_id, is_node_id};
use crate::permission::{Above, Place};
use crate::prelude::*;
use crate::spec::Tool;

/// How many titles may lie below a notebook (the kernel makes the parents and then fails).
const DEEPEST: usize = 7;

/// Create a document at a path, or replace, extend or start an existing one.
#[derive(Debug, Action)]
#[action(
    fs.write,
    effect = When(Self::overwrites, Destructive),
    danger = When(Self::replaces_much, "Replaces the whole text of this document. A version is kept in the document's history."),
    idempotent = false,
    calls = [
        filetree::GET_IDS_BY_HPATH, filetree::CREATE_DOC_WITH_MD, block::GET_CHILD_BLOCKS,
        attr::SET_BLOCK_ATTRS, block::APPEND_BLOCK, block::PREPEND_BLOCK, ..incoming, ..overwrite,
    ],
)]
pub struct Write {
    /// Workspace path such as /Notebook/Folder/Doc, or a document's id.
    #[needs(Write)]
    pub path: WorkspacePath,
    /// The text, as Markdown.
    pub markdown: Markdown,
    /// What to do; upsert creates or appends.
    pub mode: Mode,
    /// The `hash` of an earlier read; if the text has changed since, nothing is written.
    pub expect: Option<Text<1, 64>>,
    /// An emoji or its code points in hex, for a new document.
    pub icon: Option<Icon>,
    /// Tags of a new document.
    pub tags: Option<Tags>,
}

/// What to do with what is there.
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

/// What the plan settled.
#[derive(Debug, Hash)]
pub struct Facts {
    incoming: Incoming,
    deed: Deed,
}

/// Where a document is made.
#[derive(Debug, Hash)]
struct NewDocument {
    notebook: NotebookId,
    hpath: String,
    parent: Option<DocId>,
    tags: String,
}

#[derive(Debug, Hash)]
enum Deed {
    Create(NewDocument, bool),
    Append(DocId),
    Prepend(DocId),
    Overwrite(DocId, Box<Overwrite>),
}

impl Write {
    fn overwrites(&self, plan: &Plan<Facts>) -> bool {
        matches!(plan.facts.deed, Deed::Overwrite(..))
    }

    fn replaces_much(&self, plan: &Plan<Facts>) -> bool {
        matches!(&plan.facts.deed, Deed::Overwrite(_, what) if what.replaces_much())
    }
}

impl Change for Write {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        if self.path.is_root() {
            return Err(ToolError::field("path", "a document; a notebook is made by notebook.create"));
        }
        let place = cx.found(&self.path).await?;
        let markdown = self.markdown.as_str();
        match (self.mode, &place.doc) {
            (Mode::Create, Some(doc)) => Err(ToolError::conflict("There is a document at this path already. Use mode append, prepend or overwrite, or another path.").with("id", doc.as_str())),
            (Mode::Create | Mode::Upsert, None) => self.plan_create(place, cx).await,
            (Mode::Upsert | Mode::Append, Some(doc)) => self.plan_addition(Deed::Append(doc.clone()), cx).await,
            (Mode::Prepend, Some(doc)) => self.plan_addition(Deed::Prepend(doc.clone()), cx).await,
            (Mode::Overwrite, Some(doc)) => {
                let expect = self.expect.as_ref().map(Text::as_str);
                let (incoming, what) = overwrite::plan(cx, doc, markdown, expect).await?;
                let shows = what.shows();
                let plan = Plan::new(Facts { incoming, deed: Deed::Overwrite(doc.clone(), Box::new(what)) });
                Ok(Plan { shows, ..plan })
            }
            (Mode::Append | Mode::Prepend | Mode::Overwrite, None) => Err(ToolError {
                message: "There is no document at this path. Use mode create or upsert to make it.".to_owned(),
                ..ToolError::not_found()
            }),
        }
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { incoming, deed } = plan.facts;
        let dropped = (!incoming.ids_dropped.is_empty()).then(|| incoming.ids_dropped.clone());
        let output = match deed {
            Deed::Create(new, heading_dropped) => {
                let created = self.create(cx, &incoming.markdown, &new).await?;
                created.with("title_heading_dropped", heading_dropped.then_some(true))
            }
            Deed::Append(doc) => {
                let added = cx.ask(block::append_block(&doc, &incoming.markdown)).await?;
                Output::new().with("id", doc.as_str()).with("ids", written::ids(&added)?)
            }
            Deed::Prepend(doc) => {
                let added = cx.ask(block::prepend_block(&doc, &incoming.markdown)).await?;
                Output::new().with("id", doc.as_str()).with("ids", written::ids(&added)?)
            }
            Deed::Overwrite(doc, what) => overwrite::run(cx, &doc, *what).await?,
        };
        Ok(output.with("ids_dropped", dropped))
    }
}

impl Write {
    async fn plan_addition(&self, deed: Deed, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        if self.markdown.as_str().trim().is_empty() {
            return Err(ToolError::field("markdown", "text to add"));
        }
        let incoming = incoming::check(cx, self.markdown.as_str(), &Kept::nothing()).await?;
        let (verb, doc) = match &deed {
            Deed::Prepend(doc) => ("prepend", doc.to_string()),
            Deed::Append(doc) | Deed::Overwrite(doc, _) => ("append", doc.to_string()),
            Deed::Create(..) => ("create", String::new()),
        };
        let characters = incoming.markdown.chars().count();
        Ok(Plan::new(Facts { incoming, deed })
            .show("would", verb)
            .show("id", doc)
            .show("characters", characters))
    }

    async fn plan_create(&self, place: &Place, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let tags = tag::given(self.tags.iter().flat_map(Many::as_slice), cx)?;
        let titles = self.path.titles();
        let (Some((_, title)), Some(above)) = (self.path.split_last(), &place.above) else {
            return Err(ToolError::not_found());
        };
        let (parent_hpath, parent) = self.parent(place, above, cx).await?;
        let deeper_already = parent.is_some() && parent_hpath.matches('/').count() >= DEEPEST;
        if titles.len() > DEEPEST && !deeper_already {
            return Err(ToolError::field("path", format!("at most {DEEPEST} titles below the notebook")));
        }
        let (markdown, heading_dropped) = without_title_heading(self.markdown.as_str(), title);
        let incoming = incoming::check(cx, markdown, &Kept::nothing()).await?;
        let hpath = format!("{parent_hpath}/{title}");
        let shown = self.path.to_string();
        let new = NewDocument { notebook: place.notebook.clone(), hpath, parent, tags };
        let deed = Deed::Create(new, heading_dropped);
        Ok(Plan::new(Facts { incoming, deed }).show("would", "create").show("path", shown))
    }

    /// The parent's hpath and, where it exists, its id. Missing parents are made by the kernel.
    async fn parent(
        &self,
        place: &Place,
        above: &Above,
        cx: &Cx<'_>,
    ) -> Result<(String, Option<DocId>), ToolError> {
        let Above { hpath, doc } = above;
        if let Some(doc) = doc {
            return Ok((hpath.clone(), Some(doc.clone())));
        }
        if self.path.titles().iter().any(|title| is_node_id(title)) {
            return Err(ToolError::field("path", "a path of titles, or of a parent's id and a title")
                .try_call(
                    Tool::Document,
                    "create",
                    json!({ "parent": "20210808180117-czj9bvb", "title": "New" }),
                ));
        }
        let mut ids = cx.ask(filetree::get_ids_by_hpath(&place.notebook, hpath)).await?;
        ids.dedup();
        match ids.as_slice() {
            [] => Ok((hpath.clone(), None)),
            [one] => Ok((hpath.clone(), Some(one.clone()))),
            several => {
                let beside =
                    self.path.split_last().and_then(|(parent, _)| parent.split_last().map(|(it, _)| it));
                let beside = beside.unwrap_or_else(WorkspacePath::root);
                let parents: Vec<String> =
                    several.iter().map(|id| beside.child(id.as_str()).to_string()).collect();
                Err(ToolError::field(
                    "path",
                    format!(
                        "a path below one document; {} share the parent's: put its id in its place",
                        several.len()
                    ),
                )
                .with("candidates", parents))
            }
        }
    }

    async fn create(&self, cx: &Cx<'_>, markdown: &str, new: &NewDocument) -> Reply {
        let fresh = fresh_doc_id(&cx.ambient().local_digits(), cx.ambient().random())
            .ok_or_else(|| ToolError::new(ErrorType::Internal, "the clock gave no id"))?;
        let NewDocument { notebook, hpath, parent, tags } = new;
        let made = filetree::create_doc_with_md(&fresh, notebook, hpath, parent.as_ref(), tags, markdown);
        let id = cx.ask(made).await?;
        let mut failed = Vec::new();
        let mut ids = Vec::new();
        if !markdown.trim().is_empty() {
            match cx.ask(block::get_child_blocks(&id)).await {
                Ok(blocks) => ids.extend(blocks.into_iter().map(|block| block.id)),
                Err(error) => failed.push(Failed::new(error).what("ids of the blocks")),
            }
        }
        if let Some(icon) = &self.icon {
            let icon = object([("icon", json!(icon.as_str()))]);
            let set = cx.ask(attr::set_block_attrs(&id, &icon)).await;
            failed.extend(set.err().map(|error| Failed::new(error).what("icon")));
        }
        let output = Output::new().with("id", id.as_str()).with("created", true).list("ids", ids);
        Ok(output.partly("document", failed))
    }
}

/// The text without a first heading that only repeats the title.
fn without_title_heading<'a>(markdown: &'a str, title: &str) -> (&'a str, bool) {
    let (first, rest) = markdown.split_once('\n').unwrap_or((markdown, ""));
    let repeats = first.strip_prefix("# ").is_some_and(|text| text.trim() == title);
    if repeats { (rest.trim_start_matches('\n'), true) } else { (markdown, false) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{FakeKernel, GARDEN, call, engine};

    const DOC: &str = "20250101000001-welcome";
    const MADE: &str = "20251121104500-7000000";

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/filetree/getIDsByHPath", |ask| {
                if ask["path"] == "/Welcome" { json!([DOC]) } else { json!([]) }
            })
            .answer("/api/filetree/createDocWithMd", |ask| ask["id"].clone())
            .answer(
                "/api/block/getChildBlocks",
                |_| json!([{ "id": "20251121104501-block00", "type": "p", "markdown": "x" }]),
            )
    }

    fn asked(kernel: &FakeKernel, path: &str) -> Option<Value> {
        kernel.asked().into_iter().find(|(it, _)| *it == path).map(|(_, body)| body)
    }

    #[test]
    fn a_new_document_gets_a_fresh_id_and_its_parents_one() {
        let engine = engine(kernel());
        let arguments = json!({ "action": "write", "path": "/Garden/Welcome/Shed", "markdown": "# Shed\n\ntools", "tags": ["a", "b"] });
        let reply = call(&engine, Tool::Fs, arguments).unwrap();
        let body = asked(&engine.kernel, "/api/filetree/createDocWithMd").unwrap();
        let expected = json!({ "notebook": GARDEN, "path": "/Welcome/Shed", "parentID": DOC, "markdown": "tools", "id": MADE, "tags": "a,b" });
        assert_eq!(body, expected);
        assert_eq!(
            Value::Object(reply.data),
            json!({ "id": MADE, "created": true, "ids": ["20251121104501-block00"], "title_heading_dropped": true })
        );
    }

    #[test]
    fn what_is_there_is_never_made_twice() {
        let engine = engine(kernel());
        let error =
            call(&engine, Tool::Fs, json!({ "action": "write", "path": "/Garden/Welcome", "markdown": "x" }))
                .unwrap_err();
        assert_eq!((error.kind, &error.details["id"]), (ErrorType::Conflict, &json!(DOC)));
        assert_eq!(asked(&engine.kernel, "/api/filetree/createDocWithMd"), None);
    }

    /// B-034, B-050.
    #[test]
    fn a_preview_writes_nothing_and_a_reader_may_not() {
        let engine = engine(kernel());
        let arguments = json!({ "action": "write", "path": "/Garden/New", "markdown": "x", "preview": true });
        let reply = call(&engine, Tool::Fs, arguments).unwrap();
        assert_eq!(
            Value::Object(reply.data),
            json!({ "would": "create", "path": "/Garden/New", "preview": true, "effect": "writes" })
        );
        assert_eq!(asked(&engine.kernel, "/api/filetree/createDocWithMd"), None);
        let error =
            call(&engine, Tool::Fs, json!({ "action": "write", "path": "/Attic/New", "markdown": "x" }))
                .unwrap_err();
        assert_eq!((error.kind, &error.details["required"]), (ErrorType::PermissionDenied, &json!("rw")));
    }

    /// Icon and tags are judged as document.create judges them (F20); the tag of prompts is a person's (B-118).
    #[test]
    fn icon_and_tags_are_judged_before_anything_is_made() {
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

    #[test]
    fn eight_titles_are_too_deep() {
        let engine = engine(kernel());
        let arguments = json!({ "action": "write", "path": "/Garden/1/2/3/4/5/6/7/8", "markdown": "x" });
        assert_eq!(call(&engine, Tool::Fs, arguments).unwrap_err().kind, ErrorType::Validation);
    }
}
