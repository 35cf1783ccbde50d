//! `file.set_asset_text`: the text of an image, by which search finds it.

use crate::prelude::*;

/// Set, or recognise, the text of an image so that search finds it.
#[derive(Debug, Action)]
#[action(
    file.set_asset_text,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, asset::STAT_ASSET, asset::GET_IMAGE_OCR_TEXT,
        asset::SET_IMAGE_OCR_TEXT, asset::OCR
    ],
    examples = [{ "path": "{asset}", "text": "Mint beside the wall" }],
)]
pub struct SetAssetText {
    /// The asset, as notes name it.
    #[needs(Write)]
    pub path: AssetPath,
    /// The text, or that the image is read.
    #[one_of]
    pub source: TextSource,
}

/// The source of the text.
#[derive(Debug, OneOf)]
pub enum TextSource {
    /// The content as text.
    #[read_by()]
    Text(Text<0, 20_000>),
    /// Whether to recognise the text in the image.
    Recognise(Yes),
}

impl Change for SetAssetText {
    /// The text before.
    type Facts = String;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<String>, ToolError> {
        let missing = |error: ToolError| if error.code == Some(1) { ToolError::not_found() } else { error };
        cx.ask(asset::stat_asset(&self.path)).await.map_err(missing)?;
        let before = cx.ask(asset::get_image_ocr_text(&self.path)).await?.text;
        let would = if matches!(self.source, TextSource::Text(_)) { "set" } else { "recognise" };
        Ok(Plan::new(would, before.clone()).show("path", self.path.as_str()).show("replaces", before))
    }

    async fn run(self, plan: Plan<String>, cx: &Cx<'_>) -> Reply {
        let text = match &self.source {
            TextSource::Text(text) => {
                cx.ask(asset::set_image_ocr_text(&self.path, text.as_str())).await?;
                text.as_str().to_owned()
            }
            TextSource::Recognise(_) => cx.ask(asset::ocr(&self.path)).await.map_err(unread)?.text,
        };
        let changed = text != plan.facts;
        Ok(Output::new().with("path", self.path.as_str()).with("text", text).with("changed", changed))
    }
}

/// The kernel's refusal to read, with the way that is left.
fn unread(error: ToolError) -> ToolError {
    let message = error.message.trim_end_matches('.');
    let with_advice = format!("{message}. Look at the image with file.read_asset and set its text.");
    ToolError { message: with_advice, ..error }
}

#[cfg(test)]
#[path = "set_asset_text_tests.rs"]
mod tests;
