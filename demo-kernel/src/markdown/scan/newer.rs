//! Blocks that SiYuan reads since 3.8: tabs and custom blocks. Mind maps have no Markdown of their own.

use super::super::{Kind, Node, attrs};
use super::{ParsedBlock, Scanner, apply};

/// A tab while it is read.
struct Tab<'a> {
    title: &'a str,
    is_active: bool,
    lines: Vec<&'a str>,
}

/// The number of colons that open a group of tabs: at least three, then a blank and `tabs`.
fn opening(line: &str) -> Option<usize> {
    let colons = line.bytes().take_while(|it| *it == b':').count();
    let rest = line.get(colons..)?;
    (colons >= 3 && rest.starts_with([' ', '\t']) && rest.trim() == "tabs").then_some(colons)
}

/// The number of colons that close one.
fn closing(line: &str) -> Option<usize> {
    (line.len() >= 3 && line.bytes().all(|it| it == b':')).then_some(line.len())
}

/// The head of a tab: `@tab Title`, or `@tab:active Title` for the one that is shown.
fn head(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix("@tab")?;
    let (rest, is_active) = rest.strip_prefix(":active").map_or((rest, false), |rest| (rest, true));
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((rest.trim(), is_active))
}

impl Scanner {
    /// `::: tabs`, tabs that each begin with `@tab Title`, and as many colons as at the start.
    pub(super) fn tabs(&mut self, lines: &[&str]) -> Option<ParsedBlock> {
        let colons = opening(lines.first()?.trim())?;
        let mut tabs: Vec<Tab<'_>> = Vec::new();
        let mut inner: Vec<usize> = Vec::new();
        let (mut taken, mut in_code) = (1, false);
        for line in lines.get(1..)? {
            taken += 1;
            let bare = line.trim();
            in_code ^= bare.starts_with("```");
            match (inner.last(), closing(bare), head(bare)) {
                _ if in_code => {}
                (None, Some(end), _) if end == colons => break,
                (Some(deep), Some(end), _) if end == *deep => _ = inner.pop(),
                (None, _, Some((title, is_active))) => {
                    tabs.push(Tab { title, is_active, lines: Vec::new() });
                    continue;
                }
                _ => inner.extend(opening(bare)),
            }
            if tabs.is_empty() {
                tabs.push(Tab { title: "", is_active: false, lines: Vec::new() });
            }
            tabs.last_mut()?.lines.push(line);
        }
        if tabs.is_empty() {
            tabs.push(Tab { title: "", is_active: false, lines: Vec::new() });
        }
        let mut group = Node::new(Kind::Tabs);
        for tab in tabs {
            let node = self.tab(&tab);
            if tab.is_active {
                group.attrs.set("tabs-active-id", &node.id);
            }
            group.children.push(node);
        }
        Some((group, taken))
    }

    /// A tab; an attribute list right behind its head is its own.
    fn tab(&mut self, tab: &Tab<'_>) -> Node {
        let mut node = Node::new(Kind::Tab { title: tab.title.to_owned() });
        let own = tab.lines.first().and_then(|line| attrs::read_line(line));
        if let Some(list) = &own {
            apply(&mut node, list);
        }
        node.children = self.blocks(tab.lines.get(usize::from(own.is_some())..).unwrap_or_default());
        if node.children.is_empty() {
            node.children.push(Node::new(Kind::Paragraph));
        }
        node
    }
}

/// `;;;plugin:name`, the text of the block, and `;;;` alone.
pub(super) fn custom(lines: &[&str]) -> Option<ParsedBlock> {
    let (first, after) = lines.split_first()?;
    let info = first.trim().strip_prefix(";;;").filter(|it| !it.is_empty() && !it.contains(';'))?;
    let end = after.iter().position(|line| line.trim() == ";;;").unwrap_or(after.len());
    let text: String = after.get(..end)?.iter().map(|line| format!("{line}\n")).collect();
    let node = Node::new(Kind::Custom { info: info.to_owned(), text });
    Some((node, (end + 2).min(lines.len())))
}
