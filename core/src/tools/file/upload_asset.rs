//! `file.upload_asset`: stores a file as an asset.
//!
//! The kernel's own upload answers the path of a file with the same content, whoever's it is. That would tell whether
//! a closed notebook holds it, so each upload is a file of its own, with a name that is chosen here.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{asset_name, transfer};
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::{picture, written};
use crate::id::fresh_doc_id;
use crate::prelude::*;

/// The largest file, in bytes: as base64 it must fit into a request, from the transfer folder into memory.
const MOST_BASE64: usize = 2 * 1024 * 1024;
const MOST_LOCAL: u64 = 100 * 1024 * 1024;

/// Store a file as an asset; returns the Markdown that shows it.
#[derive(Debug, Action)]
#[action(
    file.upload_asset,
    effect = When(Self::is_local, External),
    danger = When(Self::is_local, "Copies the local file {name} ({size} bytes) into the workspace."),
    deed = Upload(Unchanged),
    idempotent = false,
    calls = [file::PUT_FILE, block::APPEND_BLOCK, ..incoming],
    examples = [
        { "id": "{doc}", "name": "notes.txt", "text": "Mint, thyme", "folder": "lists", "append": true },
        { "id": "{doc}", "name": "dot.gif", "base64": "R0lGODlhAQABAAAAACw=" },
    ],
)]
pub struct UploadAsset {
    /// The document or block.
    #[needs(Write)]
    pub id: BlockId,
    /// File name, without folder; renaming keeps the extension.
    #[read_by(Html)]
    pub name: Text<1, 200>,
    /// The content.
    #[one_of]
    pub content: UploadContent,
    /// Folder below assets/.
    #[read_by()]
    pub folder: Option<Text<1, 200>>,
    /// Whether the link is added at the end of the document.
    pub append: Flag<false>,
}

/// The source of the content.
#[derive(Debug, OneOf)]
pub enum UploadContent {
    /// The content as text.
    #[read_by(Html, Script)]
    Text(Text<1, 1_000_000>),
    /// The content in base64.
    #[read_by(Html, Script)]
    Base64(Text<1, 2_900_000>),
    /// A file in the transfer folder.
    #[read_by()]
    LocalPath(Text<1, 512>),
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    folder: String,
    name: String,
    bytes: Vec<u8>,
}

impl Change for UploadAsset {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let folder = match &self.folder {
            Some(folder) => asset_name::folder(folder.as_str())?,
            None => String::new(),
        };
        let name = asset_name::clean(self.name.as_str())
            .ok_or_else(|| ToolError::field("name", "a file name with an extension, such as plan.png"))?;
        let bytes = self.bytes(cx).await?;
        if bytes.is_empty() {
            return Err(ToolError::field(self.field(), "a file that is not empty"));
        }
        if let Some(expected) = asset_name::refused(&name, &bytes) {
            return Err(ToolError::field("name", expected));
        }
        let doc = cx.found(&self.id).await?.doc.clone();
        let (size, shown_name) = (bytes.len(), self.shown_name().to_owned());
        let thing = Thing::path(&shown_name);
        Ok(Plan::new("upload", Facts { folder: folder.clone(), name: name.clone(), bytes })
            .show("path", format!("assets/{folder}{name}"))
            .show("size", size)
            .about(ThingKind::File, Things::of([thing]))
            .also(Consequence::Size(size as u64))
            .changing(doc.filter(|_| self.append.is_set()))
            .touching(1, shown_name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { folder, name, bytes } = plan.facts;
        let id = fresh_doc_id(&cx.ambient().local_digits(), cx.ambient().random()).ok_or_else(|| {
            ToolError::conflict("The clock of this machine is wrong. A person must set it.")
        })?;
        let (stem, end) = name.rsplit_once('.').unwrap_or((&name, ""));
        let path = format!("assets/{folder}{stem}-{id}.{end}");
        let size = bytes.len();
        let is_picture = picture::mime(&bytes).is_some() || end == "svg";
        let markdown = format!("{}[{stem}]({path})", if is_picture { "!" } else { "" });
        cx.write_file(&format!("/data/{path}"), bytes).await?;
        let output = Output::new().with("path", path).with("markdown", markdown.as_str()).with("size", size);
        if !self.append.is_set() {
            return Ok(output);
        }
        match self.append(&markdown, cx).await {
            Ok(block) => Ok(output.with("block", block)),
            Err(error) => Ok(output.partly("upload", vec![Failed::new(error).what("adding the link")])),
        }
    }
}

impl UploadAsset {
    fn is_local(&self, _: &Plan<Facts>) -> bool {
        matches!(self.content, UploadContent::LocalPath(_))
    }

    const fn field(&self) -> &'static str {
        match self.content {
            UploadContent::Text(_) => "text",
            UploadContent::Base64(_) => "base64",
            UploadContent::LocalPath(_) => "local_path",
        }
    }

    /// The name that a person is shown.
    fn shown_name(&self) -> &str {
        match &self.content {
            UploadContent::LocalPath(path) => path.as_str(),
            _ => self.name.as_str(),
        }
    }

    async fn bytes(&self, cx: &Cx<'_>) -> Result<Vec<u8>, ToolError> {
        match &self.content {
            UploadContent::Text(text) => Ok(text.as_str().as_bytes().to_vec()),
            UploadContent::Base64(text) => {
                let plain: String = text.as_str().chars().filter(|it| !it.is_ascii_whitespace()).collect();
                let bytes =
                    STANDARD.decode(plain).map_err(|_| ToolError::field("base64", "a file in base64"))?;
                if bytes.len() > MOST_BASE64 {
                    let expected =
                        format!("a file of at most {MOST_BASE64} bytes; use local_path for larger ones");
                    return Err(ToolError::field("base64", expected).with("size", bytes.len()));
                }
                Ok(bytes)
            }
            UploadContent::LocalPath(path) => transfer::read(path.as_str(), MOST_LOCAL, cx).await,
        }
    }

    /// Adds the link at the end of the document, or of the block.
    async fn append(&self, markdown: &str, cx: &Cx<'_>) -> Result<String, ToolError> {
        let doc = cx.found(&self.id).await?.doc.clone().ok_or_else(ToolError::not_found)?;
        let Incoming { markdown, .. } = incoming::check(cx, markdown, &ReplacedContent::nothing()).await?;
        let ids = written::ids(&cx.ask(block::append_block(&doc, &markdown)).await?)?;
        ids.into_iter().next().ok_or_else(|| ToolError::conflict("SiYuan added nothing."))
    }
}

#[cfg(test)]
#[path = "upload_asset_tests.rs"]
mod tests;
