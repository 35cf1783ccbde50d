//! The transfer folder: the one local folder that agents may read uploads from and write exports to.

use crate::kernel::LocalError;
use crate::prelude::*;

/// Names that Windows takes for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Reads a file of at most `most` bytes.
pub(super) async fn read(path: &str, most: u64, cx: &Cx<'_>) -> Result<Vec<u8>, ToolError> {
    let (files, folder) = checked("local_path", path, cx)?;
    files.read(folder, path, most).await.map_err(|why| refused("local_path", &why, most))
}

/// Refuses a name that cannot be written, before anything is exported.
pub(super) fn may_write(path: &str, cx: &Cx<'_>) -> Result<(), ToolError> {
    checked("save_as", path, cx).map(|_| ())
}

/// Writes a new file.
pub(super) async fn create(path: &str, bytes: Vec<u8>, cx: &Cx<'_>) -> Result<(), ToolError> {
    let (files, folder) = checked("save_as", path, cx)?;
    files.create(folder, path, bytes).await.map_err(|why| refused("save_as", &why, 0))
}

type TransferTarget<'c> = (&'c dyn crate::kernel::LocalFiles, &'c str);

fn checked<'c>(field: &str, path: &str, cx: &'c Cx<'_>) -> Result<TransferTarget<'c>, ToolError> {
    let folder = cx.scope().access.transfer_folder.trim();
    let files = cx.local_files()?;
    if files.is_anywhere() {
        return Ok((files, folder));
    }
    if folder.is_empty() {
        return Err(ToolError::disabled(
            "There is no transfer folder. A person can choose one in SiYuan: Settings of the plugin MCP Puppy, Advanced.",
        ));
    }
    if !is_inside(path) {
        return Err(ToolError::field(
            field,
            "a path inside the transfer folder, such as plan.pdf or scans/plan.pdf",
        ));
    }
    Ok((files, folder))
}

/// Whether a path stays inside of a folder, on every system. Links are not seen here; those who open the file follow
/// them only as far as they stay inside.
fn is_inside(path: &str) -> bool {
    let odd = |it: char| it.is_control() || "\\:*?\"<>|".contains(it);
    let is_part = |part: &str| {
        let stem = part.split('.').next().unwrap_or_default().trim().to_ascii_lowercase();
        let numbered =
            ["com", "lpt"].iter().any(|it| stem.strip_prefix(it).is_some_and(|n| n.chars().count() == 1));
        // Windows drops blanks and dots at the end, so `.. ` would be `..`.
        !part.trim_end_matches(['.', ' ']).is_empty()
            && !part.ends_with(['.', ' '])
            && !part.starts_with(' ')
            && !numbered
            && !DEVICES.contains(&stem.as_str())
    };
    path.len() <= 512 && !path.starts_with('~') && !path.contains(odd) && path.split('/').all(is_part)
}

fn refused(field: &str, why: &LocalError, most: u64) -> ToolError {
    match why {
        LocalError::NoFolder => ToolError::disabled(
            "The transfer folder does not exist. A person can create it, or choose another one.",
        ),
        LocalError::Missing => {
            ToolError::new(crate::error::ErrorType::NotFound, "There is no such local file.")
        }
        LocalError::Outside => {
            ToolError::field(field, "a path that stays inside the transfer folder, links included")
        }
        LocalError::NoFile => ToolError::field(field, "a file, not a folder, pipe or device"),
        LocalError::Exists => ToolError::conflict("A local file with that name exists. Choose another name."),
        LocalError::TooLarge(size) => {
            ToolError::field(field, format!("a file of at most {most} bytes")).with("size", *size)
        }
        LocalError::Refused => {
            ToolError::conflict("The operating system does not allow siyuan-puppy to use this local file.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    /// No path leads out of the transfer folder, on any system.
    #[test]
    fn hostile_paths_are_refused() {
        for path in ["a.png", "scans/plan 1.pdf", "日記/今日.txt", ".config", "a..b"] {
            assert!(is_inside(path), "{path:?}");
        }
        let long = "x".repeat(513);
        for path in [
            "",
            "/",
            "/etc/passwd",
            "//host/share",
            "\\\\host\\share",
            "\\\\?\\C:\\x",
            "C:/x",
            "C:x",
            "a/../b",
            "..",
            "../x",
            "a/..",
            "./x",
            "a/./b",
            "a//b",
            "a/",
            "~/x",
            "~",
            "a\\..\\b",
            "a\0b",
            "a\nb",
            ".. /x",
            ". ./x/.. ",
            "... ",
            "x.",
            "x ",
            " x",
            "con",
            "CON.txt",
            "a/NUL",
            "com1",
            "lpt9.txt",
            "file.txt:stream",
            "a|b",
            "a*",
            &long,
        ] {
            assert!(!is_inside(path), "{path:?}");
        }
    }
}
