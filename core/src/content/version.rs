//! A saved version of a document: the token that names it, and where SiYuan keeps it.

use crate::args::Checked;
use crate::id::{AvId, DocId, NotebookId, is_node_id};
use crate::kernel::api::history;
use crate::permission::StoragePath;
use crate::spec::Interpreter;

/// The folder of versions in the workspace.
const FOLDER: &str = "/history/";
/// The length of the time in the name of a folder: `2025-06-15-150640`.
const TIME: usize = 17;
/// The depth to which the kernel keeps documents, and one more.
const DEEPEST: usize = 8;

/// A version: time and operation, notebook, and the ids of the document and of those above it.
///
/// The path is built from these parts alone, so no token leads out of the folder of versions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    token: String,
    notebook: NotebookId,
    doc: DocId,
}

impl Checked for Version {
    const MOST: usize = 300;
    const READ_BY: &'static [Interpreter] = &[];
    const EXPECTED: &'static str = "a version as history lists it";

    fn parse(text: &str) -> Result<Version, &'static str> {
        parts(text).ok_or(Version::EXPECTED)
    }
}

fn parts(token: &str) -> Option<Version> {
    let mut parts = token.split('/');
    let (folder, notebook) = (parts.next()?, NotebookId::parse(parts.next()?)?);
    let (time, operation) = folder.split_at_checked(TIME)?;
    let is_time = time.bytes().enumerate().all(|(at, it)| match at {
        4 | 7 | 10 => it == b'-',
        _ => it.is_ascii_digit(),
    });
    let operation = operation.strip_prefix('-')?;
    let is_operation = !operation.is_empty() && operation.bytes().all(|it| it.is_ascii_lowercase());
    let ids: Vec<&str> = parts.collect();
    let usable = is_time && is_operation && ids.len() <= DEEPEST && ids.iter().all(|id| is_node_id(id));
    let doc = DocId::parse(ids.last()?)?;
    usable.then(|| Version { token: token.to_owned(), notebook, doc })
}

impl Version {
    /// The version at a path, as the kernel tells it; `None` for anything but a document.
    pub fn at(path: &str) -> Option<Version> {
        let (_, token) = path.rsplit_once(FOLDER)?;
        parts(token.strip_suffix(".sy")?)
    }

    /// The token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Its path in the workspace.
    pub fn path(&self) -> String {
        format!("{FOLDER}{}.sy", self.token)
    }

    /// The storage path that the document had.
    pub fn storage(&self) -> Option<StoragePath> {
        let path = self.token.splitn(3, '/').nth(2)?;
        StoragePath::parse(&format!("/{path}.sy"))
    }

    /// The path of the state in which a database was then, if the version has it.
    pub fn database(&self, id: &AvId) -> Option<String> {
        let (folder, _) = self.token.split_once('/')?;
        Some(format!("{FOLDER}{folder}/{}", history::database(id)))
    }

    /// The notebook in which the document was.
    pub fn notebook(&self) -> &NotebookId {
        &self.notebook
    }

    /// The document.
    pub fn doc(&self) -> &DocId {
        &self.doc
    }

    /// The time at which it was saved, on the kernel's clock.
    pub fn saved(&self) -> String {
        let digits: String = self.token.chars().take(TIME).filter(char::is_ascii_digit).collect();
        super::stamp::of_digits(&digits)
    }

    /// The operation before which it was saved.
    pub fn operation(&self) -> &str {
        let folder = self.token.split('/').next().unwrap_or_default();
        folder.get(TIME + 1..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: &str = "20250101000000-garden0";
    const DOC: &str = "20250101000001-mint000";

    #[test]
    fn a_token_names_time_notebook_and_document() {
        let version =
            Version::at(&format!("/history/2025-06-15-150640-update/{BOX}/{BOX}/{DOC}.sy")).unwrap();
        assert_eq!((version.notebook().as_str(), version.doc().as_str()), (BOX, DOC));
        assert_eq!(version.storage().unwrap().as_str(), format!("/{BOX}/{DOC}.sy"));
        let database = version.database(&AvId::parse(DOC).unwrap()).unwrap();
        assert_eq!(database, format!("/history/2025-06-15-150640-update/storage/av/{DOC}.json"));
        assert_eq!((version.saved().as_str(), version.operation()), ("2025-06-15T15:06:40", "update"));
        assert_eq!(Version::parse(version.token()).unwrap().path(), version.path());
    }

    /// A made-up token leads to no other file.
    #[test]
    fn no_token_leads_elsewhere() {
        for wrong in [
            format!("2025-06-15-150640-update/{BOX}/../../conf/conf"),
            format!("../conf/{BOX}/{DOC}"),
            format!("2025-06-15-150640-update/{BOX}"),
            format!("2025-06-15-150640/{BOX}/{DOC}"),
            format!("2025-06-15-150640-update/{BOX}/{DOC}.sy"),
            format!("2025-06-15-150640-up.te/{BOX}/{DOC}"),
            format!("2025-06-15x150640-update/{BOX}/{DOC}"),
            format!("2025-06-15-150640-update/{BOX}{}", format!("/{DOC}").repeat(9)),
        ] {
            assert!(Version::parse(&wrong).is_err(), "{wrong}");
        }
        for other in ["/history/2025-06-15-150640-clean/assets/a.png", "/data/x/y.sy", ""] {
            assert_eq!(Version::at(other), None, "{other}");
        }
    }
}
