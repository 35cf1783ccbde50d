//! The texts of licences, each once, under the names of the crates that come with it.

use super::components::{Component, Components};
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// The beginnings of the names of licence and notice files, in lower case.
const BEGINNINGS: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

/// The text of the file.
pub(super) fn texts(components: &Components) -> Result<String> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for (key, component) in components.iter() {
        let found = of(&component.folder).with_context(|| format!("the licences of {key} cannot be read"))?;
        if found.is_empty() {
            without.push(format!("{key}: {}", expression(component)));
        }
        for text in found {
            by_text.entry(text).or_default().push(format!("{key}: {}", expression(component)));
        }
    }
    let mut out = String::from(
        "siyuan-mcp-puppy contains the software listed here. Each part lists crates and the text that comes with them.\n",
    );
    // The text that most crates share comes first, as a reader expects; names decide between equals.
    let mut parts: Vec<_> = by_text.into_iter().collect();
    parts.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.1.cmp(&b.1)));
    for (text, names) in parts {
        part(&mut out, &names, &text);
    }
    if !without.is_empty() {
        part(&mut out, &without, "These come without a text; their licences are those named above.");
    }
    Ok(out)
}

fn part(out: &mut String, names: &[String], text: &str) {
    out.push_str(&format!("\n{}\n", "=".repeat(80)));
    for name in names {
        out.push_str(name);
        out.push('\n');
    }
    out.push_str(&format!("{}\n{}\n", "-".repeat(80), text.trim_end()));
}

fn expression(component: &Component) -> &str {
    if component.licence.is_empty() { "see the text" } else { &component.licence }
}

/// The texts in a crate's folder, with line ends of one kind.
fn of(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && BEGINNINGS.iter().any(|it| name.starts_with(it)) {
            files.push(path);
        }
    }
    files.sort();
    let read = |path| Ok(String::from_utf8_lossy(&std::fs::read(path)?).replace("\r\n", "\n"));
    files.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_and_notices_of_a_folder_are_found() {
        let folder = std::env::temp_dir().join(format!("recipe-licences-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("licenses")).unwrap();
        for (name, text) in
            [("LICENSE-MIT", "mit\r\n"), ("NOTICE", "notice"), ("README.md", "no"), ("COPYING", "gpl")]
        {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let found = of(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.unwrap(), ["gpl", "mit\n", "notice"]);
    }
}
