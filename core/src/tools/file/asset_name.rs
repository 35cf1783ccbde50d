//! Names of assets: what is kept of those that a caller chooses.

use crate::content::{incoming, web_page};
use crate::prelude::*;

/// The longest name of a file, in bytes, without the id that is added.
const LONGEST: usize = 150;

/// The extensions of files that a system shows and does not run: one click on a link to any other asset makes SiYuan's
/// desktop hand it to the system, which runs programs, scripts and shortcuts.
const SHOWN: [&str; 97] = [
    "7z",
    "aac",
    "aiff",
    "apkg",
    "apng",
    "avif",
    "bib",
    "bmp",
    "bz2",
    "csv",
    "diff",
    "docx",
    "drawio",
    "epub",
    "excalidraw",
    "flac",
    "geojson",
    "gif",
    "glb",
    "gltf",
    "gpx",
    "gz",
    "heic",
    "heif",
    "ico",
    "ics",
    "ini",
    "ipynb",
    "jfif",
    "jpeg",
    "jpg",
    "json",
    "jsonl",
    "kml",
    "log",
    "m4a",
    "m4v",
    "markdown",
    "md",
    "mid",
    "midi",
    "mkv",
    "mm",
    "mov",
    "mp3",
    "mp4",
    "ndjson",
    "odg",
    "odp",
    "ods",
    "odt",
    "ogg",
    "opml",
    "opus",
    "org",
    "otf",
    "patch",
    "pbm",
    "pdf",
    "pgm",
    "png",
    "ppm",
    "pptx",
    "psd",
    "ris",
    "rst",
    "rtf",
    "srt",
    "stl",
    "svg",
    "sy",
    "tar",
    "tex",
    "tgz",
    "tif",
    "tiff",
    "toml",
    "tsv",
    "ttf",
    "txt",
    "vcf",
    "vtt",
    "wav",
    "weba",
    "webm",
    "webp",
    "wma",
    "wmv",
    "woff",
    "woff2",
    "xlsx",
    "xmind",
    "xz",
    "yaml",
    "yml",
    "zip",
    "zst",
];

/// A folder below `assets/`, with a slash at its end.
pub(super) fn folder(folder: &str) -> Result<String, ToolError> {
    let wrong = || ToolError::field("folder", "a folder below assets/, such as plans or plans/2025");
    let clean = !folder.contains(|it| !is_kept(it) && it != '/');
    let parts = folder.split('/').all(|it| !it.starts_with('.') && !it.ends_with('.'));
    AssetPath::parse(&format!("assets/{folder}")).filter(|_| clean && parts).ok_or_else(wrong)?;
    Ok(format!("{folder}/"))
}

/// Whether the kernel keeps a character in a file's name, and every system can have it there.
pub(super) fn is_kept(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ',' | '+' | '@')
}

/// The name that a file gets; `None` if it has no extension, or no letter that can be kept.
pub(super) fn clean(name: &str) -> Option<String> {
    let letters = name.trim().chars().map(|it| if it == ' ' { '_' } else { it });
    let name: String = letters.filter(|it| is_kept(*it)).collect();
    let (stem, end) = name.rsplit_once('.')?;
    let is_end = !end.is_empty() && end.len() <= 10 && end.chars().all(|it| it.is_ascii_alphanumeric());
    let mut short = String::new();
    for letter in stem.trim_start_matches('.').chars() {
        if short.len() + letter.len_utf8() <= LONGEST {
            short.push(letter);
        }
    }
    let stem = short.trim_end_matches('.');
    (is_end && stem.contains(char::is_alphanumeric)).then(|| format!("{stem}.{}", end.to_ascii_lowercase()))
}

/// Why a file is not stored: a click on a link to it might run it in SiYuan's window.
pub(super) fn refused(name: &str, bytes: &[u8]) -> Option<&'static str> {
    if name.ends_with(".svg") {
        let runs = std::str::from_utf8(bytes).map_or(true, |text| {
            // In encodings that a picture may name, these switch letters and stand between those of a word.
            let switches = text.contains(|it: char| it.is_control() && !it.is_ascii_whitespace());
            switches || incoming::would_run_in_picture(text)
        });
        return runs.then_some("the name of a picture without scripts");
    }
    if web_page::is_page(name) {
        return Some(
            "the name of a file that is not a page, because a page may run scripts; write it as .md or .txt",
        );
    }
    if !is_shown(name) {
        return Some(
            "the name of a document, picture, recording, data file or archive, because a click on another file may run it; write code as .md or .txt",
        );
    }
    let begins = web_page::begins_as_page(name, bytes);
    begins.then_some("one that ends in .md or .json: this content begins like a page, which may run scripts")
}

/// Whether a system shows a file of that name. Its last extension counts, and blanks and dots behind it do not.
fn is_shown(name: &str) -> bool {
    let name = name.trim_end_matches(['.', ' ']);
    name.rsplit_once('.')
        .is_some_and(|(_, end)| SHOWN.binary_search(&end.to_ascii_lowercase().as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, clean, refused};

    /// S15: a click on a link hands the file to the system.
    #[test]
    fn files_that_a_system_runs_are_not_stored() {
        for name in [
            "plan.exe",
            "plan.bat",
            "plan.cmd",
            "plan.js",
            "plan.vbs",
            "plan.hta",
            "plan.lnk",
            "plan.url",
            "plan.desktop",
            "plan.sh",
            "plan.py",
            "plan.jar",
            "plan.ps1",
            "plan.msi",
            "plan.reg",
            "plan.scr",
            "plan.command",
            "plan.scpt",
            "plan.docm",
            "plan.chm",
            "plan.txt.exe",
            "plan.unknown",
        ] {
            assert!(refused(name, b"x").is_some(), "{name}");
        }
        for name in ["plan.txt", "plan.PDF", "a.docx", "a.png", "a.csv", "a.mp3", "a.zip", "a.md", "a.json"] {
            assert_eq!(refused(name, b"x"), None, "{name}");
        }
        assert!(SHOWN.is_sorted());
    }

    /// B-059: a name leads nowhere, on any system, and the kernel would not change it.
    #[test]
    fn a_name_keeps_its_letters_only() {
        for (name, cleaned) in [
            ("plan.PNG", Some("plan.png")),
            ("../../etc/passwd.txt", Some("etcpasswd.txt")),
            ("a/b\\c:d.txt", Some("abcd.txt")),
            ("日記 (1).pdf", Some("日記_1.pdf")),
            ("..hidden.txt", Some("hidden.txt")),
            ("a .txt", Some("a_.txt")),
            ("a.txt\0", Some("a.txt")),
            ("x](y).md", Some("xy.md")),
            (".png", None),
            ("plan", None),
            ("....", None),
            ("..png", None),
            ("a.p n g", None),
            ("a.", None),
        ] {
            assert_eq!(clean(name).as_deref(), cleaned, "{name:?}");
        }
        assert!(clean(&format!("{}.txt", "日".repeat(100))).unwrap().len() < 160);
    }
}
