//! The file of an export: its place in the workspace, and its way into the transfer folder.

use super::transfer;
use crate::content::reading::database_id;
use crate::kernel::Route;
use crate::prelude::*;

/// The routes that these functions call.
pub(super) const CALLS: &[Route] = &[block::GET_BLOCK_KRAMDOWN, file::GET_FILE, file::REMOVE_FILE];

/// The file at the address of an export, below the workspace; `None` for any other address.
fn file_of(address: &str) -> Option<String> {
    let path = decoded(address.strip_prefix("/export/")?)?;
    let plain = |part: &str| !matches!(part.trim(), "" | "." | "..");
    let clean = path.split('/').all(plain) && !path.contains(|it: char| it.is_control() || it == '\\');
    clean.then(|| format!("/temp/export/{path}"))
}

/// A text without its percent signs.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let (byte, behind) = match (first, behind.split_at_checked(2)) {
            (b'%', Some((digits, behind))) => {
                let digits = std::str::from_utf8(digits).ok()?;
                (u8::from_str_radix(digits, 16).ok()?, behind)
            }
            (b'%', None) => return None,
            (first, _) => (*first, behind),
        };
        bytes.push(byte);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

/// The file of an export. Without the program that converts documents the kernel packs their pictures alone, so a
/// file must name a document with this ending.
pub(super) async fn read(address: &str, ending: &str, cx: &Cx<'_>) -> Result<Vec<u8>, ToolError> {
    cx.declares(CALLS)?;
    let file = file_of(address).ok_or_else(nothing)?;
    let bytes = cx.read_file(&file).await?.filter(|it| names(it, ending));
    bytes.ok_or_else(nothing)
}

/// Whether a zip names a file with this ending: names stand in it as they are.
fn names(zip: &[u8], ending: &str) -> bool {
    ending.is_empty() || zip.windows(ending.len()).any(|it| it == ending.as_bytes())
}

/// Puts the file of an export into the transfer folder and takes it out of the workspace.
pub(super) async fn save(address: &str, bytes: Vec<u8>, to: &str, cx: &Cx<'_>) -> Result<(), ToolError> {
    let file = file_of(address).ok_or_else(nothing)?;
    transfer::create(to, bytes, cx).await?;
    // A file that stays is removed when SiYuan clears its exports.
    let _ = cx.ask(file::remove_file(&file)).await;
    Ok(())
}

/// The database that a block shows.
pub(super) async fn database(block: &BlockId, cx: &Cx<'_>) -> Result<AvId, ToolError> {
    let kramdown = cx.ask(block::get_block_kramdown(block)).await?.kramdown;
    let id = database_id(&kramdown).and_then(AvId::parse);
    id.ok_or_else(|| ToolError::field("database", "the id of a block that shows a database"))
}

/// The error for an export without a file.
fn nothing() -> ToolError {
    ToolError::conflict(
        "SiYuan exported nothing. Some formats need Pandoc, which a person sets up in SiYuan: Settings, Export.",
    )
}

#[cfg(test)]
mod tests {
    use super::{file_of, names};

    /// A zip of pictures alone is no export of a document.
    #[test]
    fn an_export_names_a_document_of_its_format() {
        let zip = b"PK\x03\x04....Beds.odtPK\x01\x02assets/leaf.png";
        assert!(names(zip, ".odt") && names(zip, "") && !names(zip, ".epub") && !names(b"", ".odt"));
    }

    /// An address that the kernel did not make leads nowhere.
    #[test]
    fn exports_lie_in_their_folder() {
        assert_eq!(file_of("/export/a%20b.md.zip").as_deref(), Some("/temp/export/a b.md.zip"));
        assert_eq!(file_of("/export/%E6%97%A5/x.zip").as_deref(), Some("/temp/export/日/x.zip"));
        for wrong in [
            "",
            "/export/",
            "/assets/x",
            "/export/../conf/conf.json",
            "/export/%2e%2e/conf.json",
            "/export/a%2F..%2Fb",
            "/export/a%",
            "/export/a%2",
            "/export/%ff",
            "/export/%zz",
            "/export/a%5C..%5Cb",
            "/export/a%00b",
            "export/a",
        ] {
            assert_eq!(file_of(wrong), None, "{wrong:?}");
        }
    }
}
