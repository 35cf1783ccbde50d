//! `file.read_asset`: a picture as a picture, a text as text, PDF and Office files as their indexed text.

use futures_util::future::try_join;

use crate::content::{part, picture, stamp};
use crate::index::{self, Select, Table};
use crate::kernel::api::asset::AssetStat;
use crate::prelude::*;

/// The largest text that is read, in bytes.
const MOST_TEXT: u64 = 20 * 1024 * 1024;

/// Read an asset: images as images, other files as text.
#[derive(Debug, Action)]
#[action(
    file.read_asset,
    danger = None,
    idempotent = true,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, asset::STAT_ASSET, asset::GET_IMAGE_OCR_TEXT, file::GET_FILE,
        search::GET_ASSET_CONTENT_BY_PATH,
    ],
    examples = [
        { "path": "{asset}" },
        { "path": "{asset}", "as": "text", "offset": 0, "budget": 500 },
        { "path": "{asset}", "as": "auto", "max_bytes": 1_000_000 },
    ],
)]
pub struct ReadAsset {
    /// The asset, as notes name it.
    #[needs(Read)]
    pub path: AssetPath,
    /// The form in which to return it.
    pub r#as: AssetForm,
    /// Maximum size of an image, in bytes.
    pub max_bytes: Int<1, 20_971_520, 5_242_880>,
    /// Characters to skip.
    pub offset: Int<0, 1_000_000_000, 0>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
}

/// The form in which an asset is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum AssetForm {
    /// As what it is.
    #[default]
    Auto,
    /// Its size and uses only.
    Info,
    /// Text.
    Text,
    /// A picture.
    Image,
}

/// The kind of a file, according to the ending of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Picture,
    /// A file whose text the kernel has read.
    Indexed,
    Other,
}

impl Run for ReadAsset {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        // Files are large, so nothing of one is asked before the check has passed.
        cx.places(&self.path).await?;
        let missing = |error: ToolError| if error.code == Some(1) { ToolError::not_found() } else { error };
        let stat = cx.ask(asset::stat_asset(&self.path)).await.map_err(missing)?;
        let uses = Select::from(Table::Assets)
            .column("1", "n_one")
            .filter(index::any([
                index::eq("f.path", self.path.as_str()),
                index::starts_with("f.path", &format!("{}?", self.path.as_str())),
            ]))
            .per(["f.block_id"])
            .limit(1)
            .counted();
        let recognised = cx.ask(asset::get_image_ocr_text(&self.path));
        let (uses, recognised) = try_join(cx.select(uses), recognised).await?;
        let output = Output::new()
            .with("path", self.path.as_str())
            .with("type", self.end())
            .with("size", stat.size)
            .with("updated", stamp::of_seconds(stat.updated / 1_000))
            .with("refs", uses.total.unwrap_or_default())
            .with("recognised", recognised.text.trim());
        match (self.r#as, self.sort()) {
            (AssetForm::Info, _) => Ok(output),
            (AssetForm::Image, _) | (AssetForm::Auto, FileKind::Picture) => {
                self.picture(&stat, output, cx).await
            }
            (AssetForm::Text | AssetForm::Auto, FileKind::Indexed) => self.indexed(output, cx).await,
            (AssetForm::Text, _) => self.text(&stat, output, cx).await?.ok_or_else(|| {
                ToolError::field("as", "info: this file contains no text").with("type", self.end())
            }),
            (AssetForm::Auto, FileKind::Other) if stat.size > MOST_TEXT => Ok(output),
            (AssetForm::Auto, FileKind::Other) => {
                Ok(self.text(&stat, output.clone(), cx).await?.unwrap_or(output))
            }
        }
    }
}

impl ReadAsset {
    /// The file's extension, in small letters.
    fn end(&self) -> String {
        self.path.file_name().rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).unwrap_or_default()
    }

    fn sort(&self) -> FileKind {
        match self.end().as_str() {
            "png" | "jpg" | "jpeg" | "gif" | "webp" => FileKind::Picture,
            "pdf" | "docx" | "xlsx" | "pptx" | "epub" => FileKind::Indexed,
            _ => FileKind::Other,
        }
    }

    async fn bytes(&self, cx: &Cx<'_>) -> Result<Vec<u8>, ToolError> {
        cx.read_file(&format!("/data/{}", self.path.as_str())).await?.ok_or_else(ToolError::not_found)
    }

    /// B-120.
    async fn picture(&self, stat: &AssetStat, output: Output, cx: &Cx<'_>) -> Reply {
        let too_large = |size: u64| {
            let expected = format!("at least {size}, the size of this image, or left out with as: info");
            ToolError::field("max_bytes", expected).with("size", size)
        };
        let most = u64::try_from(self.max_bytes.get()).unwrap_or_default();
        if stat.size > most {
            return Err(too_large(stat.size));
        }
        let bytes = self.bytes(cx).await?;
        if bytes.len() > self.max_bytes.get() {
            return Err(too_large(u64::try_from(bytes.len()).unwrap_or(u64::MAX)));
        }
        match picture::mime(&bytes) {
            Some(mime) => Ok(output.with("type", mime).picture(mime, bytes)),
            None if self.r#as == AssetForm::Auto => Ok(output),
            None => Err(ToolError::field("as", "text or info: this file is no PNG, JPEG, GIF or WebP image")),
        }
    }

    async fn indexed(&self, output: Output, cx: &Cx<'_>) -> Reply {
        let content = cx.ask(search::get_asset_content_by_path(&self.path)).await?.asset_content;
        match content.filter(|it| !it.content.trim().is_empty()) {
            Some(text) => Ok(part::of(&text.content, self.offset.get(), self.budget.get(), output)),
            None if self.r#as == AssetForm::Auto => {
                Ok(output.with("note", "no text of this file is indexed"))
            }
            None => Err(ToolError::conflict(
                "No text is indexed for this file. SiYuan may not have read it yet; call again in a moment.",
            )),
        }
    }

    /// The text of a file; `None` if it is none.
    async fn text(&self, stat: &AssetStat, output: Output, cx: &Cx<'_>) -> Result<Option<Output>, ToolError> {
        if stat.size > MOST_TEXT {
            let expected = format!("a file of at most {MOST_TEXT} bytes, to be read as text");
            return Err(ToolError::field("path", expected).with("size", stat.size));
        }
        let text = String::from_utf8(self.bytes(cx).await?).ok().filter(|it| !it.contains('\0'));
        Ok(text.map(|text| part::of(&text, self.offset.get(), self.budget.get(), output)))
    }
}

#[cfg(test)]
#[path = "read_asset_tests.rs"]
mod tests;
