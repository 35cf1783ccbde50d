//! Prompts: ready-made tasks with typed arguments, and the documents that a person tagged as prompts (B-118).

mod arguments;
pub mod builtin;
pub mod complete;
mod tagged;

use serde_json::{Map, Value};

use crate::activity::{Observer, Transport};
use crate::dispatch::{Engine, running};
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::Kernel;
use crate::resources::{self, ReadScope, ResourceText};
use crate::spec::Param;
use arguments::ArgumentValues;
use builtin::{BUILTIN, Builtin};
use tagged::PromptDocument;

/// An entry of the list of prompts.
#[derive(Debug, Clone)]
pub struct PromptEntry {
    /// Its name; people type it.
    pub name: String,
    /// Its title.
    pub title: String,
    /// A description, or its origin.
    pub about: String,
    /// Its arguments.
    pub arguments: &'static [Param],
}

/// A part of a prompt's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptPart {
    /// Words of the person.
    Text(String),
    /// A document attached to them.
    Document(ResourceText),
}

/// A prompt with its arguments filled in.
#[derive(Debug, Clone)]
pub struct PromptText {
    /// A description.
    pub about: String,
    /// The content.
    pub parts: Vec<PromptPart>,
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// Every prompt: the built-in ones, then tagged documents by title. Without a kernel, only the built-in ones.
    pub async fn prompts(&self) -> Vec<PromptEntry> {
        let mut all: Vec<PromptEntry> = BUILTIN.iter().map(Builtin::listed).collect();
        if let Ok(cx) = self.reader(ReadScope::Document).await
            && let Ok(tagged) = tagged::all(&cx).await
        {
            all.extend(tagged.into_iter().map(PromptDocument::listed));
        }
        all
    }

    /// One prompt with its arguments; the puppy sees an attached document as it sees `fs.read`.
    pub async fn prompt(
        &self,
        name: &str,
        given: &Map<String, Value>,
        transport: Transport,
    ) -> Result<PromptText, ToolError> {
        if let Some(builtin) = BUILTIN.iter().find(|it| it.name == name) {
            let policy = self.policy().await;
            running(&policy.rules)?;
            let given = arguments::settled(builtin.arguments.params, given);
            let needs = builtin.arguments.needs(given.clone())?;
            let cx = self.reader_under(&policy, &needs.iter().map(arguments::shows).collect::<Vec<_>>())?;
            let places = cx.resolver().find(&needs).await?;
            let given = ArgumentValues::new(builtin.arguments.params, &given, &needs, &places)?;
            let mut parts = vec![PromptPart::Text(builtin.text(&given, &self.kernel.local_digits()))];
            if let Some(id) = &given.document {
                let read = resources::document(&cx, id);
                let text = |content: &ResourceText| content.text.clone();
                parts.push(PromptPart::Document(self.observed(name, transport, read, text).await?));
            }
            return Ok(PromptText { about: builtin.about.to_owned(), parts });
        }
        let cx = self.reader(ReadScope::Document).await?;
        let tagged = tagged::all(&cx).await?.into_iter().find(|it| it.name == name);
        let Some(tagged) = tagged else {
            let known = BUILTIN.iter().map(|it| it.name);
            let near = crate::args::nearest(name, known).map(|it| format!(" Did you mean `{it}`?"));
            let message = format!("There is no such prompt.{}", near.unwrap_or_default());
            return Err(ToolError { message, ..ToolError::field("name", "a prompt of the list") });
        };
        let id = DocId::parse(&tagged.id).ok_or_else(ToolError::not_found)?;
        let text = self.observed(name, transport, resources::text(&cx, &id), String::clone).await?;
        Ok(PromptText { about: tagged.about(), parts: vec![PromptPart::Text(text)] })
    }
}
