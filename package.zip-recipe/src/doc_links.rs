//! Rules for the links of the documents: the file or folder is there, and so is the heading that an anchor names.

use crate::house::House;
use crate::tidy::{File, files, none};

/// Lines of a page that are text, without code.
fn prose(text: &str) -> impl Iterator<Item = String> {
    let mut is_fenced = false;
    text.lines().filter_map(move |line| {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            return None;
        }
        let is_code = is_fenced || line.starts_with("    ");
        (!is_code).then(|| line.split('`').step_by(2).collect::<Vec<_>>().join("`"))
    })
}

/// The targets of links and pictures that do not lead to another site.
fn targets(text: &str) -> Vec<String> {
    let of = |line: String| -> Vec<String> {
        let parts = line.split("](").skip(1);
        parts.filter_map(|part| Some(part.split_once(')')?.0.to_owned())).collect()
    };
    prose(text).flat_map(of).filter(|it| !it.contains("://") && !it.starts_with("mailto:")).collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    // Words in code count here, so the lines are those of the page.
    for line in text.lines().filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let same = |it: &&String| **it == anchor || it.strip_prefix(&anchor).is_some_and(is_number);
        found.push(match found.iter().filter(same).count() {
            0 => anchor,
            before => format!("{anchor}-{before}"),
        });
    }
    found
}

/// Whether a text is `-1`, `-2` and so on.
fn is_number(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|it| !it.is_empty() && it.chars().all(|c| c.is_ascii_digit()))
}

/// The path from the top of the repository that a link of a page names, if it stays inside.
fn resolved(page: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The broken links of the pages; `is_there` knows the other files and folders.
fn stranded(pages: &[File], is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for page in pages {
        for target in targets(&page.text) {
            let (link, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = resolved(&page.name, link);
            let other = pages.iter().find(|it| Some(&it.name) == path.as_ref());
            let leads = match (other, path) {
                (Some(other), _) => anchor.is_empty() || anchors(&other.text).iter().any(|it| it == anchor),
                (None, Some(path)) => anchor.is_empty() && is_there(&path),
                (None, None) => false,
            };
            if !leads {
                found.push(format!("{} links to {target}", page.name));
            }
        }
    }
    found
}

#[test]
fn links_of_documents_lead_somewhere() {
    let root = House::find().unwrap().root;
    let is_document = |file: &File| !file.name.contains('/') || file.name.starts_with("docs/");
    let pages: Vec<File> = files(&[".md"]).into_iter().filter(is_document).collect();
    assert!(pages.len() > 20, "{} documents", pages.len());
    let count: usize = pages.iter().map(|it| targets(&it.text).len()).sum();
    assert!(count > 50, "{count} links");
    none("a link leads nowhere", &stranded(&pages, |path| root.join(path).exists()));
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let page = |name: &str, text: &str| File { name: name.into(), text: text.into() };
    let pages = [
        page(
            "docs/a.md",
            "# The `a`, b & c\n\n## Twice\n## Twice\n[1](b.md#hello-world) [2](../README.md) [3](#the-a-b--c) \
             [4](pictures) [5](#twice-1) [6](https://example.org/x#y)\n\n    [code](nowhere.md)\n\n`[x](nowhere.md)`",
        ),
        page("docs/b.md", "## Hello, world!\n"),
        page("README.md", "[1](docs/a.md#twice) ![2](missing.png) [3](docs/b.md#hello) [4](../out.md)"),
    ];
    let found = stranded(&pages, |path| path == "docs/pictures");
    assert_eq!(
        found,
        [
            "README.md links to missing.png",
            "README.md links to docs/b.md#hello",
            "README.md links to ../out.md"
        ]
    );
}
