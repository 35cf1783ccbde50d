//! Container blocks: lists, quotes, callouts and super blocks.

use super::super::{Attrs, Kind, ListType, Node, attrs};
use super::{ParsedBlock, Scanner, apply, interrupts as ends_paragraph, is_break};

/// The start of a list item.
struct Marker {
    /// `-` or `1.`.
    text: String,
    /// The column at which the line's text begins.
    content: usize,
    indent: usize,
    empty: bool,
    /// Whether `[x]` follows: such items are in lists of their own.
    task: bool,
}

impl Marker {
    fn read(line: &str) -> Option<Marker> {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let width = match (digits, bare.as_bytes().get(digits)) {
            (0, Some(b'-' | b'*' | b'+')) => 1,
            (1..=9, Some(b'.' | b')')) => digits + 1,
            _ => return None,
        };
        let after = bare.get(width..)?;
        let blanks = after.len() - after.trim_start_matches(' ').len();
        let empty = after.trim().is_empty();
        if !(empty || blanks > 0) || is_break(bare) {
            return None;
        }
        // The text of an item without text, or with too much indentation, starts one space after its marker.
        let gap = if empty || blanks > 4 { 1 } else { blanks };
        let text = bare.get(..width)?.to_owned();
        let rest = after.get(gap..).unwrap_or_default();
        let rest = attrs::read(rest).and_then(|(_, taken)| rest.get(taken..)).unwrap_or(rest);
        let task = matches!(rest.as_bytes(), [b'[', mark, b']', ..] if *mark != b']');
        Some(Marker { text, content: indent + width + gap, indent, empty, task })
    }

    fn is_ordered(&self) -> bool {
        self.text.len() > 1
    }

    fn number(&self) -> usize {
        self.text.get(..self.text.len() - 1).and_then(|digits| digits.parse().ok()).unwrap_or(1)
    }

    /// Whether an item of the other marker belongs to the same list.
    fn fits(&self, other: &Marker) -> bool {
        self.text.chars().last() == other.text.chars().last()
            && self.is_ordered() == other.is_ordered()
            && self.task == other.task
    }
}

/// Whether a line starts a list in the middle of a paragraph: empty items and numbers other than 1 do not.
pub(super) fn interrupts(line: &str) -> bool {
    Marker::read(line).is_some_and(|marker| !marker.empty && (!marker.is_ordered() || marker.text == "1."))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

impl Scanner {
    pub(super) fn list(&mut self, lines: &[&str]) -> Option<ParsedBlock> {
        let first = Marker::read(lines.first()?)?;
        let mut items: Vec<Node> = Vec::new();
        let mut at = 0;
        while let Some(marker) = lines.get(at).and_then(|line| Marker::read(line)) {
            if !first.fits(&marker) || marker.indent >= first.content || marker.indent + 4 <= first.indent {
                break;
            }
            let (inside, taken) = item_lines(&marker, lines.get(at..)?);
            items.push(self.item(&marker, first.number() + items.len(), &inside));
            at += taken;
            // Empty lines between items belong to the list; behind the last one they do not.
            let gap = lines.iter().skip(at).take_while(|line| line.trim().is_empty()).count();
            let goes_on = lines.get(at + gap).and_then(|line| Marker::read(line));
            if goes_on.is_some_and(|next| first.fits(&next) && next.indent < first.content) {
                at += gap;
            }
        }
        let kind = match () {
            () if first.task => ListType::Task,
            () if first.is_ordered() => ListType::Ordered,
            () => ListType::Bullet,
        };
        let mut list = Node::new(Kind::List(kind));
        list.children = items;
        Some((list, at))
    }

    /// An item; the numbers of a list follow its first one.
    fn item(&mut self, marker: &Marker, number: usize, lines: &[&str]) -> Node {
        let mut first = lines.first().copied().unwrap_or_default();
        let mut list = Attrs::default();
        if let Some((given, taken)) = attrs::read(first) {
            list = given;
            first = first.get(taken..).unwrap_or_default();
        }
        let mark = first.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let task = mark.filter(|(mark, rest)| {
            mark.chars().count() == 1 && mark.is_ascii() && (rest.is_empty() || rest.starts_with(' '))
        });
        let checked = task.and_then(|(mark, _)| mark.chars().next()).map(|mark| mark.to_ascii_uppercase());
        let first = task.map_or(first, |(_, rest)| rest.trim_start());
        let inside: Vec<&str> = std::iter::once(first).chain(lines.iter().skip(1).copied()).collect();
        let text = if marker.is_ordered() && !marker.task { format!("{number}.") } else { "-".to_owned() };
        let mut item = Node::new(Kind::Item { marker: text, task: checked });
        apply(&mut item, &list);
        item.children = self.blocks(&inside);
        if item.children.is_empty() {
            item.children.push(Node::new(Kind::Paragraph));
        }
        item
    }

    pub(super) fn quote(&mut self, lines: &[&str]) -> Option<ParsedBlock> {
        lines.first()?.trim_start().strip_prefix('>')?;
        let mut inside: Vec<&str> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let bare = line.trim_start();
            if let Some(rest) = bare.strip_prefix('>') {
                inside.push(rest.strip_prefix(' ').unwrap_or(rest));
            } else if ends_paragraph(lines.get(at..)?)
                || inside.last().is_none_or(|last| last.trim().is_empty())
            {
                break;
            } else {
                inside.push(bare);
            }
        }
        let taken = inside.len();
        // A head alone is a quote.
        let callout = inside.first().filter(|_| taken > 1).and_then(|line| callout(line));
        let from = usize::from(callout.is_some());
        let mut node = Node::new(callout.unwrap_or(Kind::Quote));
        node.children = self.blocks(inside.get(from..)?);
        if node.children.is_empty() {
            node.children.push(Node::new(Kind::Paragraph));
        }
        Some((node, taken))
    }

    pub(super) fn super_block(&mut self, lines: &[&str]) -> Option<ParsedBlock> {
        let layout = lines.first()?.trim().strip_prefix("{{{")?;
        if !layout.chars().all(|c| c.is_ascii_alphabetic()) {
            return None;
        }
        // A line with more indentation belongs to an item in here, whose own first line follows its marker.
        let margin = indent(lines.first()?);
        let mut depth = 0_usize;
        let end = lines.iter().position(|line| {
            if indent(line) > margin {
                return false;
            }
            let line = line.trim();
            if line.starts_with("{{{") {
                depth += 1;
            } else if line == "}}}" {
                depth -= 1;
            }
            depth == 0
        });
        let end = end.unwrap_or(lines.len());
        let layout = if layout.is_empty() { "row" } else { layout };
        let mut node = Node::new(Kind::Super { layout: layout.to_owned() });
        node.children = self.blocks(lines.get(1..end)?);
        // An empty one is a paragraph.
        if node.children.is_empty() {
            node.kind = Kind::Paragraph;
        }
        Some((node, (end + 1).min(lines.len())))
    }
}

/// The lines of an item without its marker and indent, and how many lines they are.
fn item_lines<'l>(marker: &Marker, lines: &[&'l str]) -> (Vec<&'l str>, usize) {
    let first = lines.first().copied().unwrap_or_default();
    let mut inside = vec![first.get(marker.content..).unwrap_or_default()];
    let mut taken = 1;
    for (at, line) in lines.iter().enumerate().skip(1) {
        let deep = indent(line);
        let after_blank = inside.last().is_some_and(|last| last.trim().is_empty());
        if line.trim().is_empty() {
            // Blanks beyond the indent count in code.
            inside.push(line.get(marker.content..).unwrap_or_default());
            continue;
        } else if deep >= marker.content {
            inside.push(line.get(marker.content..).unwrap_or_default());
        } else if attrs::read_line(line).is_some() {
            // Deeper than the marker it is for what stands in the item, else for the list.
            if deep <= marker.indent {
                break;
            }
            inside.push(line.trim());
        } else if Marker::read(line).is_some()
            || (after_blank && taken < at)
            || ends_paragraph(lines.get(at..).unwrap_or_default())
        {
            break;
        } else {
            inside.push(line.trim_start());
        }
        taken = inside.len();
    }
    inside.truncate(taken);
    (inside, taken)
}

/// The head of a callout: `[!NOTE] 📌 Title`.
fn callout(line: &str) -> Option<Kind> {
    let (name, title) = line.trim().strip_prefix("[!")?.split_once(']')?;
    let name = name.trim();
    let known = CALLOUTS.iter().find(|(known, _, _)| *known == name);
    let title = title.trim();
    let (own, rest) = title.split_once(' ').unwrap_or((title, ""));
    let is_icon =
        |word: &str| !word.is_empty() && word.chars().all(|c| !c.is_alphanumeric() && !c.is_ascii());
    let given = is_icon(own).then_some((own, rest.trim()));
    let (icon, title) = given.unwrap_or((known.map_or("", |(_, icon, _)| icon), title));
    let title = if title.is_empty() { known.map_or(name, |(_, _, title)| title) } else { title };
    Some(Kind::Callout { name: name.to_owned(), icon: icon.to_owned(), title: title.to_owned() })
}

/// The callouts that have an icon and a title of their own.
pub(crate) const CALLOUTS: [(&str, &str, &str); 5] = [
    ("NOTE", "✏️", "Note"),
    ("TIP", "💡", "Tip"),
    ("IMPORTANT", "❗", "Important"),
    ("WARNING", "⚠️", "Warning"),
    ("CAUTION", "🚨", "Caution"),
];
