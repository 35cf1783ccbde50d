//! Rules for the host's page: our styles reach our elements only, and our icon is our own.

use super::Findings;
use crate::archive::Package;

/// The styles that are loaded into the page.
pub(super) const STYLES: [&str; 4] = ["index.css", "panel.css", "playground.css", "agents.css"];
/// Parts of every class, id and name of ours; those of the drawing begin with the second.
const OURS: [&str; 2] = ["pup", ".dog-"];
/// The beginning of the names of our motions.
const MOTION: &str = "pup-";

/// The kinds of blocks in styles.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    /// A rule with selectors, and everything in it.
    Rule,
    Keyframes,
    /// `@media` and others, which have rules in them.
    Group,
}

/// A rule for an element of the host would change SiYuan, and plugins are delisted for that.
pub(super) fn styles_reach_ours_only(package: &Package) -> Findings {
    let of = |name: &'static str| {
        let strange = strange(package.files.text(name));
        strange.into_iter().map(move |it| format!("{name} has a rule for `{it}`, which is not ours alone"))
    };
    STYLES.into_iter().flat_map(of).collect()
}

/// The selectors without a name of ours. A nested rule reaches only elements inside those of its parent.
fn strange(styles: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    let mut head = String::new();
    let mut quote = None;
    for c in without_comments(styles).chars() {
        match (quote, c) {
            (Some(end), _) => {
                quote = Some(end).filter(|end| *end != c);
                head.push(c);
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                head.push(c);
            }
            (None, '{') => {
                open.push(opened(head.trim(), &open, &mut found));
                head.clear();
            }
            (None, '}') => {
                open.pop();
                head.clear();
            }
            (None, ';') => head.clear(),
            (None, _) => head.push(c),
        }
    }
    found
}

/// The kind of a block that begins, inside of others.
fn opened(head: &str, around: &[Block], found: &mut Vec<String>) -> Block {
    if let Some(name) = head.strip_prefix("@keyframes ") {
        found.extend(Some(head).filter(|_| !name.starts_with(MOTION)).map(str::to_owned));
        return Block::Keyframes;
    }
    if head.starts_with('@') {
        return Block::Group;
    }
    if !around.iter().any(|it| [Block::Rule, Block::Keyframes].contains(it)) {
        let alien = selectors(head).into_iter().filter(|it| !OURS.iter().any(|own| it.contains(own)));
        found.extend(alien.map(str::to_owned));
    }
    Block::Rule
}

/// The selectors of a list; a comma inside brackets does not separate selectors.
fn selectors(head: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let split = head.split(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    });
    split.map(str::trim).collect()
}

fn without_comments(styles: &str) -> String {
    let mut text = String::new();
    let mut rest = styles;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text + rest
}

/// An icon of the host in the top bar is taken for one of the host's buttons.
pub(super) fn icon_is_our_own(package: &Package) -> Findings {
    let script = package.files.text("index.js");
    let lines = script.lines().filter(|line| line.contains("addTopBar("));
    let icons = lines.filter_map(|line| line.split_once("icon: \"")?.1.split('"').next());
    let alien = icons.filter(|icon| !script.contains(&format!("<symbol id=\"{icon}\"")));
    alien
        .map(|icon| format!("the button in the top bar has the icon {icon}, which index.js does not draw"))
        .collect()
}
