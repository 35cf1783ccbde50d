//! `document.create`: creates a document below a document or at the top of a notebook.

use serde_json::{Map, Value};

use super::destination::{self, Destination, hpath, kernel_id};
use crate::content::attrs;
use crate::content::icon::Icon;
use crate::content::incoming::{self, Incoming, Kept};
use crate::content::new_document::{self, NewDocument};
use crate::content::tag::{self, Tags};
use crate::content::title::Title;
use crate::prelude::*;

/// Create a document.
#[derive(Debug, Action)]
#[action(
    document.create,
    danger = None,
    idempotent = false,
    calls = [..destination, ..incoming, ..new_document],
    examples = [
        { "parent": "{doc}", "title": "{new}", "markdown": "First the beds." },
        {
            "notebook": "{notebook}", "title": "{new}", "markdown": "First the beds.\n\nThen the herbs.", "icon": "🌱",
            "tags": ["herbs"], "attrs": { "custom-status": "done" }, "allow_duplicate": true
        },
    ],
)]
pub struct Create {
    /// Below a document or at the top of a notebook.
    #[needs(Write)]
    #[one_of]
    pub destination: Destination,
    /// The title, without slashes, tabs and line breaks.
    pub title: Title,
    /// The text, as Markdown.
    pub markdown: Option<Markdown>,
    /// An emoji, its code points in hex (1f331), or a path emojis/....
    pub icon: Option<Icon>,
    /// Tags without commas and #.
    pub tags: Option<Tags>,
    /// Attributes: name, alias, memo, bookmark, style, or your own as custom-....
    pub attrs: Option<Attrs>,
    /// Whether a sibling may have the same title.
    pub allow_duplicate: Flag<false>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    new: NewDocument,
    incoming: Incoming,
}

impl Change for Create {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let attrs = self.attributes(cx)?;
        let tags = tag::given(self.tags.iter().flat_map(Many::as_slice), cx)?;
        let place = self.destination.place(cx).await?;
        let title = self.title.as_str();
        let hpath = format!("{}/{title}", hpath(place, cx).await?);
        let notebook = place.notebook.clone();
        let twins = cx.ask(filetree::get_ids_by_hpath(&notebook, &hpath)).await?;
        destination::refuse_twin(&twins, self.allow_duplicate.is_set())?;
        let incoming = incoming::check(cx, self.text(), &Kept::nothing()).await?;
        let new = NewDocument { notebook, hpath, parent: Some(kernel_id(place)), tags, attrs };
        let (hpath, notebook) = (new.hpath.clone(), new.notebook.to_string());
        let plan = Plan::new("create", Facts { new, incoming }).show("hpath", hpath);
        Ok(plan.show("notebook", notebook).touching(1, title))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { new, incoming } = plan.facts;
        let made = new.make(cx, &incoming.markdown, "attributes").await?;
        let output = Output::new()
            .with("id", made.id.as_str())
            .with("title", self.title.as_str())
            .with("hpath", new.hpath)
            .with("notebook", new.notebook.as_str());
        Ok(made.told(output).list("ids_dropped", incoming.ids_dropped))
    }
}

impl Create {
    fn text(&self) -> &str {
        self.markdown.as_ref().map(Markdown::as_str).unwrap_or_default()
    }

    fn attributes(&self, cx: &Cx<'_>) -> Result<Map<String, Value>, ToolError> {
        let given = self.attrs.as_ref().map(|given| attrs::of_new_document(given, cx));
        let mut all = given.transpose()?.unwrap_or_default();
        if let Some(icon) = &self.icon {
            all.insert("icon".to_owned(), icon.as_str().into());
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::dispatch::Engine;
    use crate::error::{ErrorType, ToolError};
    use crate::output::Reply;
    use crate::spec::Tool;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, Seen, call, engine};

    const PARENT: &str = "20250101000000-parent0";
    const SECRET: &str = "20250101000000-secret0";
    const TWIN: &str = "20250101000000-twin000";
    const NEW: &str = "20251121104500-";

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/filetree/getPathByID", |ask| match ask["id"].as_str() {
                Some(PARENT) => json!({ "notebook": GARDEN, "path": format!("/{PARENT}.sy") }),
                Some(SECRET) => json!({ "notebook": PRIVATE, "path": format!("/{SECRET}.sy") }),
                _ => json!({ "code": -1, "msg": "tree not found", "data": null }),
            })
            .answer("/api/filetree/getHPathByID", |_| json!("/Plants"))
            .answer("/api/filetree/getIDsByHPath", |ask| {
                if ask["path"] == "/Plants/Mint" { json!([TWIN]) } else { json!([]) }
            })
            .answer("/api/filetree/createDocWithMd", |ask| ask["id"].clone())
            .answer("/api/attr/setBlockAttrs", |_| Value::Null)
            .answer("/api/block/getChildBlocks", |_| json!([{ "id": TWIN, "type": "p", "markdown": "x" }]))
    }

    fn create(engine: &Engine<FakeKernel, Seen>, mut arguments: Value) -> Reply {
        arguments["action"] = json!("create");
        call(engine, Tool::Document, arguments)
    }

    fn refused(arguments: Value) -> (ToolError, Vec<&'static str>) {
        let engine = engine(kernel());
        let error = create(&engine, arguments).unwrap_err();
        (error, engine.kernel.asked().iter().map(|(path, _)| *path).collect())
    }

    /// B-026: the requests that its page names, plus one for the parent.
    #[test]
    fn create_below_a_document_sets_text_icon_and_tags() {
        let engine = engine(kernel());
        let arguments = json!({ "parent": PARENT, "title": "Sage", "markdown": "x", "icon": "🌱", "tags": ["herb", "a/b"] });
        let data = create(&engine, arguments).unwrap().data;
        assert!(data["id"].as_str().unwrap().starts_with(NEW));
        assert_eq!(
            (&data["title"], &data["hpath"], &data["notebook"], &data["ids"]),
            (&json!("Sage"), &json!("/Plants/Sage"), &json!(GARDEN), &json!([TWIN]))
        );
        let asked = engine.kernel.asked();
        let paths: Vec<&str> = asked.iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
        assert_eq!(
            paths,
            [
                "getPathByID",
                "getHPathByID",
                "getIDsByHPath",
                "createDocWithMd",
                "setBlockAttrs",
                "getChildBlocks"
            ]
        );
        let body = &asked[3].1;
        assert_eq!(
            (&body["path"], &body["parentID"], &body["tags"]),
            (&json!("/Plants/Sage"), &json!(PARENT), &json!("herb,a/b"))
        );
        assert_eq!(asked[4].1["attrs"], json!({ "icon": "1f331" }));
    }

    #[test]
    fn create_at_the_notebook_top_without_text() {
        let engine = engine(kernel());
        let data = create(&engine, json!({ "notebook": "Garden", "title": " Sage " })).unwrap().data;
        assert_eq!(data["hpath"], json!("/Sage"));
        assert!(!data.contains_key("ids"));
        let asked = engine.kernel.asked();
        assert_eq!(
            asked.iter().map(|(path, _)| *path).collect::<Vec<_>>(),
            ["/api/filetree/getIDsByHPath", "/api/filetree/createDocWithMd"]
        );
        assert_eq!(
            (&asked[1].1["path"], &asked[1].1["parentID"], &asked[1].1["markdown"]),
            (&json!("/Sage"), &json!(GARDEN), &json!(""))
        );
    }

    #[test]
    fn sibling_with_the_same_title_is_a_conflict_unless_allowed() {
        let (error, _) = refused(json!({ "parent": PARENT, "title": "Mint" }));
        assert_eq!((error.kind, &error.details["id"]), (ErrorType::Conflict, &json!(TWIN)));
        let engine = engine(kernel());
        assert!(
            create(&engine, json!({ "parent": PARENT, "title": "Mint", "allow_duplicate": true })).is_ok()
        );
    }

    /// B-055, B-063.
    #[test]
    fn hidden_parent_answers_like_missing_and_readable_parent_is_denied() {
        let (hidden, asked) = refused(json!({ "parent": SECRET, "title": "x" }));
        let (missing, asked_too) = refused(json!({ "parent": "20250101000000-nothing", "title": "x" }));
        assert_eq!((hidden.kind, &hidden.message, asked), (missing.kind, &missing.message, asked_too));
        assert_eq!(hidden.kind, ErrorType::NotFound);
        assert_eq!(refused(json!({ "notebook": ATTIC, "title": "x" })).0.kind, ErrorType::PermissionDenied);
        assert_eq!(refused(json!({ "notebook": "Private", "title": "x" })).0.kind, ErrorType::NotFound);
    }

    #[test]
    fn wrong_arguments_create_no_document() {
        for arguments in [
            json!({ "notebook": GARDEN, "title": "a/b" }),
            json!({ "notebook": GARDEN, "parent": PARENT, "title": "x" }),
            json!({ "title": "x" }),
            json!({ "notebook": GARDEN, "title": "x", "tags": ["a,b"] }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "icon": "<img src=x>" } }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "tags": "a# #b" } }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "tags": "a,".repeat(33) } }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "id": "y" } }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "custom-hidden": "true" } }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "title-img": "background-image:url(/api/icon/getDynamicIcon?type=8)" } }),
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "style": "background:url(/api/icon/%67etDynamicIcon)" } }),
            json!({ "notebook": GARDEN, "title": "x", "markdown": "<script>" }),
            json!({ "notebook": GARDEN, "title": "x", "icon": "rose" }),
        ] {
            let (error, asked) = refused(arguments.clone());
            assert_eq!(error.kind, ErrorType::Validation, "{arguments}");
            assert!(!asked.contains(&"/api/filetree/createDocWithMd"), "{arguments}");
        }
    }

    /// A document with that tag speaks to every client as the person does, so only a person may add it (B-118).
    #[test]
    fn create_refuses_the_prompt_tag() {
        const ACCESS: &str = "/data/storage/petal/siyuan-mcp-puppy/accessSettings";
        for (setting, tag) in [("prompt", "prompt"), ("prompt", "Pro\u{200b}mpt "), (" ask ", "ask")] {
            for arguments in
                [json!({ "tags": ["herb", tag] }), json!({ "attrs": { "tags": format!("herb,{tag}") } })]
            {
                let engine = engine(kernel().file(ACCESS, &json!({ "prompt_tag": setting }).to_string()));
                let mut arguments = arguments;
                arguments["notebook"] = json!(GARDEN);
                arguments["title"] = json!("x");
                let error = create(&engine, arguments).unwrap_err();
                assert_eq!(
                    (error.kind, error.fields[0].field.as_str()),
                    (ErrorType::Validation, "tags"),
                    "{tag}"
                );
                assert!(engine.kernel.asked().is_empty(), "{tag}");
            }
        }
    }

    /// B-034.
    #[test]
    fn create_preview_changes_nothing() {
        let engine = engine(kernel());
        let data =
            create(&engine, json!({ "notebook": GARDEN, "title": "Sage", "preview": true })).unwrap().data;
        assert_eq!(
            (&data["would"], &data["hpath"], &data["preview"]),
            (&json!("create"), &json!("/Sage"), &json!(true))
        );
        assert_eq!(engine.kernel.asked().len(), 1);
    }

    /// B-036: attributes that could not be set are reported beside the created document.
    #[test]
    fn failed_attributes_are_reported_with_the_created_document() {
        let engine =
            engine(kernel().answer("/api/attr/setBlockAttrs", |_| json!({ "code": -1, "msg": "no" })));
        let data = create(
            &engine,
            json!({ "notebook": GARDEN, "title": "x", "attrs": { "memo": "m", "alias": null } }),
        )
        .unwrap()
        .data;
        assert_eq!((&data["done"], &data["failed"][0]["what"]), (&json!(["document"]), &json!("attributes")));
    }
}
