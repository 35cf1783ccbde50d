//! Prompts: ready-made tasks with typed arguments, and the documents that a person tagged as prompts (B-118).

pub mod builtin;
pub mod complete;
mod tagged;

use serde_json::{Map, Value};

use crate::activity::{Observer, Transport};
use crate::dispatch::Engine;
use crate::error::ToolError;
use crate::id::{DocId, NotebookRef, is_node_id};
use crate::kernel::Kernel;
use crate::path::WorkspacePath;
use crate::permission::{Place, Target};
use crate::render::visible;
use crate::resources::{Content, Library};
use builtin::{BUILTIN, Builtin};
use tagged::Tagged;

/// The kind of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A notebook's id or exact name.
    Notebook,
    /// A workspace path or a document's id.
    Document,
    /// A day, `2025-04-06`.
    Date,
    /// A tag without its `#` signs.
    Tag,
    /// A whole number.
    Number {
        /// Lowest.
        low: u32,
        /// Highest.
        high: u32,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text of at most this many characters.
    Text(usize),
}

/// An argument of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub about: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Whether it must be given.
    pub required: bool,
}

/// An entry of the list of prompts.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its name; people type it.
    pub name: String,
    /// Its title.
    pub title: String,
    /// A description, or its origin.
    pub about: String,
    /// Its arguments.
    pub arguments: &'static [Argument],
}

/// A part of a prompt's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words of the person.
    Text(String),
    /// A document attached to them.
    Document(Content),
}

/// A prompt with its arguments filled in.
#[derive(Debug, Clone)]
pub struct Filled {
    /// A description.
    pub about: String,
    /// The content.
    pub parts: Vec<Part>,
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// Every prompt: the built-in ones, then tagged documents by title. Without a kernel, only the built-in ones.
    pub async fn prompts(&self) -> Vec<Listed> {
        let mut all: Vec<Listed> = BUILTIN.iter().map(Builtin::listed).collect();
        if let Ok(library) = self.library().await
            && let Ok(tagged) = library.tagged().await
        {
            all.extend(tagged.into_iter().map(Tagged::listed));
        }
        all
    }

    /// One prompt with its arguments; the puppy sees an attached document as it sees `fs.read`.
    pub async fn prompt(
        &self,
        name: &str,
        given: &Map<String, Value>,
        transport: Transport,
    ) -> Result<Filled, ToolError> {
        let library = self.library().await?;
        if let Some(builtin) = BUILTIN.iter().find(|it| it.name == name) {
            let given = Given::read(builtin.arguments, given, &library).await?;
            let mut parts = vec![Part::Text(builtin.text(&given, &self.kernel.local_digits()))];
            if let Some(id) = given.document() {
                let read = library.document(&id);
                let text = |content: &Content| content.text.clone();
                parts.push(Part::Document(self.observed(name, transport, read, text).await?));
            }
            return Ok(Filled { about: builtin.about.to_owned(), parts });
        }
        let tagged = library.tagged().await?.into_iter().find(|it| it.name == name);
        let Some(tagged) = tagged else {
            let known = BUILTIN.iter().map(|it| it.name);
            let near = crate::args::nearest(name, known).map(|it| format!(" Did you mean `{it}`?"));
            let message = format!("There is no such prompt.{}", near.unwrap_or_default());
            return Err(ToolError { message, ..ToolError::field("name", "a prompt of the list") });
        };
        let id = DocId::parse(&tagged.id).ok_or_else(ToolError::not_found)?;
        let text = self.observed(name, transport, library.text(&id), String::clone).await?;
        Ok(Filled { about: tagged.about(), parts: vec![Part::Text(text)] })
    }
}

/// The arguments of a prompt, checked by their kinds.
#[derive(Debug, Default)]
pub(crate) struct Given {
    values: Vec<(&'static str, String)>,
    document: Option<DocId>,
}

impl Given {
    async fn read(
        arguments: &'static [Argument],
        given: &Map<String, Value>,
        library: &Library<'_>,
    ) -> Result<Given, ToolError> {
        if let Some(stranger) = given.keys().find(|name| !arguments.iter().any(|it| it.name == name.as_str()))
        {
            let known: Vec<&str> = arguments.iter().map(|it| it.name).collect();
            return Err(ToolError::field(stranger, format!("left out; there are {}", known.join(", "))));
        }
        let mut read = Given::default();
        for argument in arguments {
            let value = given.get(argument.name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
            let value = visible::meant(value).into_owned();
            if value.is_empty() {
                if argument.required {
                    return Err(ToolError::field(argument.name, format!("given: {}", argument.about)));
                }
                continue;
            }
            let value = read.judge(argument, value, library).await?;
            read.values.push((argument.name, visible::shown(&value).into_owned()));
        }
        Ok(read)
    }

    /// The value as the prompt words it, or the problem with it.
    async fn judge(
        &mut self,
        argument: &Argument,
        value: String,
        library: &Library<'_>,
    ) -> Result<String, ToolError> {
        let wrong = |expected: String| Err(ToolError::field(argument.name, expected));
        match argument.kind {
            Kind::Notebook => {
                library.lists_notebooks()?;
                let place = library.place(argument.name, Target::Notebook(NotebookRef(value))).await?;
                Ok(format!("{} (id {})", place.notebook_name, place.notebook))
            }
            Kind::Document => {
                let path = match WorkspacePath::parse(&value) {
                    Ok(path) if !path.is_root() => path,
                    Ok(_) => return wrong("a document, not the whole workspace".to_owned()),
                    Err(expected) => return wrong(format!("a document's id or {expected}")),
                };
                library.offers_documents()?;
                let place: Place = library.place(argument.name, Target::from(&path)).await?;
                let id = place.doc.ok_or_else(ToolError::not_found)?;
                self.document = Some(id.clone());
                Ok(if is_node_id(&value) {
                    format!("with the id {id}")
                } else {
                    format!("{value} (id {id})")
                })
            }
            Kind::Date if is_date(&value) => Ok(value),
            Kind::Date => wrong("a day such as 2025-04-06".to_owned()),
            Kind::Number { low, high } => match value.parse::<u32>() {
                Ok(number) if (low..=high).contains(&number) => Ok(value),
                _ => wrong(format!("a whole number from {low} to {high}")),
            },
            Kind::Choice(words) if words.contains(&value.as_str()) => Ok(value),
            Kind::Choice(words) => wrong(format!("one of {}", words.join(", "))),
            Kind::Tag if value.contains('#') || value.chars().count() > 128 => {
                wrong("a tag without its # signs".to_owned())
            }
            Kind::Tag => Ok(value),
            Kind::Text(most) if value.chars().count() <= most => Ok(value),
            Kind::Text(most) => wrong(format!("text of at most {most} characters")),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(it, _)| *it == name).map(|(_, value)| value.as_str())
    }

    fn document(&self) -> Option<DocId> {
        self.document.clone()
    }
}

/// Whether a text is a day of the calendar, written `2025-04-06`.
fn is_date(text: &str) -> bool {
    let digits: String = text.split('-').collect();
    text.len() == 10 && crate::content::stamp::seconds_of_digits(&format!("{digits}000000")).is_some()
}
