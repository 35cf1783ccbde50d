//! Resources attached to the next prompt: a placeholder while they load, a preview, then text of the prompt.

use std::rc::Rc;

use crate::connection::Contents;
use crate::failure::Failure;
use crate::index::ServerId;

/// The longest preview, in characters.
const PREVIEW: usize = 300;

/// An attached resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The number by which it is named here.
    pub id: u64,
    /// The connection.
    pub server: ServerId,
    /// The address.
    pub uri: String,
    /// The name for people.
    pub name: String,
    /// The contents, as far as they have come.
    pub loaded: AttachmentState,
}

/// The contents of an attachment, as far as they have come.
#[derive(Debug, Clone, PartialEq)]
pub enum AttachmentState {
    /// They are on their way.
    Coming,
    /// They are there.
    Here(Rc<Contents>),
    /// They did not come.
    Failed(Failure),
}

impl Attachment {
    /// The beginning of the text, for a preview; nothing until it is there.
    #[must_use]
    pub fn preview(&self) -> Option<String> {
        let AttachmentState::Here(contents) = &self.loaded else { return None };
        let text = text(contents);
        let mut preview: String = text.chars().take(PREVIEW).collect();
        if preview.len() < text.len() {
            preview.push('…');
        }
        Some(preview)
    }
}

fn text(contents: &Contents) -> String {
    contents.pieces.iter().map(crate::content::Piece::as_text).collect::<Vec<_>>().join("\n\n")
}

/// The attached resources, in the order in which they were attached.
#[derive(Debug, Clone, Default)]
pub struct Attachments {
    next: u64,
    all: Vec<Attachment>,
}

impl Attachments {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Attachment] {
        &self.all
    }

    /// Attaches a resource, which is then to be read; `None` if it is attached already. One that failed is read again.
    pub fn attach(&mut self, server: ServerId, uri: &str, name: &str) -> Option<u64> {
        let is_same = |it: &Attachment| it.server == server && it.uri == uri;
        if let Some(known) = self.all.iter_mut().find(|it| is_same(it)) {
            let again = matches!(known.loaded, AttachmentState::Failed(_));
            if again {
                known.loaded = AttachmentState::Coming;
            }
            return again.then_some(known.id);
        }
        self.next += 1;
        let (uri, name) = (uri.to_owned(), name.to_owned());
        self.all.push(Attachment { id: self.next, server, uri, name, loaded: AttachmentState::Coming });
        Some(self.next)
    }

    /// Takes what a read brought; one that was removed meanwhile does not come back.
    pub fn loaded(&mut self, id: u64, read: Result<Rc<Contents>, Failure>) {
        if let Some(attachment) = self.all.iter_mut().find(|it| it.id == id) {
            attachment.loaded = read.map_or_else(AttachmentState::Failed, AttachmentState::Here);
        }
    }

    /// Removes one.
    pub fn remove(&mut self, id: u64) {
        self.all.retain(|it| it.id != id);
    }

    /// Forgets what a server's closed connection brought.
    pub fn forget(&mut self, server: ServerId) {
        self.all.retain(|it| it.server != server);
    }

    /// The text of all that are there, each under its name and address.
    #[must_use]
    pub fn context(&self) -> String {
        let here = self.all.iter().filter_map(|it| match &it.loaded {
            AttachmentState::Here(contents) => {
                Some(format!("{} ({})\n\n{}", it.name, it.uri, text(contents)))
            }
            _ => None,
        });
        here.collect::<Vec<_>>().join("\n\n---\n\n")
    }

    /// The same text, which clears them; `None` while one is still on its way.
    pub fn take(&mut self) -> Option<String> {
        if self.all.iter().any(|it| it.loaded == AttachmentState::Coming) {
            return None;
        }
        let context = self.context();
        self.all.clear();
        Some(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Piece;

    fn contents(text: &str) -> Rc<Contents> {
        Rc::new(Contents { pieces: vec![Piece::Text(text.into())], raw: String::new() })
    }

    /// B-212: placeholder, preview, part of the next prompt, cleared.
    #[test]
    fn an_attachment_goes_from_placeholder_to_text_and_is_cleared() {
        let mut attached = Attachments::default();
        let mint = attached.attach(1, "x://mint", "Mint").unwrap();
        assert_eq!(attached.attach(1, "x://mint", "Mint"), None, "once is enough");
        assert_eq!((attached.all()[0].preview(), attached.take()), (None, None), "it is on its way");
        attached.loaded(mint, Ok(contents(&"ü".repeat(400))));
        assert_eq!(attached.all()[0].preview().unwrap().chars().count(), 301);
        let sage = attached.attach(2, "x://sage", "Sage").unwrap();
        attached.loaded(sage, Ok(contents("grey")));
        let text = attached.take().unwrap();
        assert!(
            text.starts_with("Mint (x://mint)\n\nüü") && text.ends_with("---\n\nSage (x://sage)\n\ngrey"),
            "{text}"
        );
        assert!(attached.all().is_empty());
    }

    #[test]
    fn what_failed_is_read_again_and_what_was_removed_stays_away() {
        let mut attached = Attachments::default();
        let id = attached.attach(1, "x://a", "A").unwrap();
        attached.loaded(id, Err(Failure::Broken));
        assert_eq!(attached.attach(1, "x://a", "A"), Some(id));
        attached.remove(id);
        attached.loaded(id, Ok(contents("late")));
        assert!(attached.all().is_empty());
        attached.attach(1, "x://a", "A");
        attached.forget(1);
        assert_eq!(attached.take().as_deref(), Some(""));
    }
}
