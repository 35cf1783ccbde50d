//! Code blocks that SiYuan draws, and formulas: it runs their text when a note is opened.
//!
//! A chart is JavaScript, a diagram or a formula may hold links that run scripts and styles that cover the window. So
//! a drawing is judged by the language that draws it. Code of any other language is shown only.

use std::collections::BTreeSet;

use super::code::MaskedText;
use super::folded::{folded, without_tags};
use super::formulas::runs_in_error;
use super::sinks::ELEMENTS;
use crate::content::fence::{Fence, inside_quotes};

/// Commands of formulas that link, load or style.
const COMMANDS: [&str; 8] = [
    "\\href",
    "\\url",
    "\\html",
    "\\htmlclass",
    "\\htmldata",
    "\\htmlid",
    "\\htmlstyle",
    "\\includegraphics",
];

/// First words of statements in diagrams that link or call.
const STATEMENTS: [&str; 7] = ["click", "link", "links", "properties", "callback", "href", "zenuml"];

/// Properties that a diagram may give its parts.
const PROPERTIES: [&str; 14] = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "color",
    "opacity",
    "font-size",
    "font-style",
    "font-weight",
    "text-align",
    "rx",
    "ry",
    "background-color",
];

/// The drawings and formulas of a text that run or cover something, each as its folded text.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawings(BTreeSet<String>);

impl Drawings {
    /// Collects them; `masked` is the text with its code blanked out.
    pub(super) fn of(markdown: &str, masked: &MaskedText) -> Drawings {
        let mut found = BTreeSet::new();
        let mut at = 0;
        for line in masked.text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            for language in languages(line) {
                let code = content(markdown, masked, start, at);
                // The parser takes the marks of quotes and items from each line.
                let lines: Vec<&str> = code.lines().map(inside_quotes).collect();
                match folded(&lines.join("\n")) {
                    Some(text) if is_plain(&language, text.trim()) => {}
                    other => {
                        found.insert(other.unwrap_or_else(|| code.to_owned()));
                    }
                }
            }
        }
        for text in [folded(&masked.text), folded(&without_tags(&masked.text))].into_iter().flatten() {
            found.extend(text.lines().filter(|it| has_command(it)).map(|it| it.trim().to_owned()));
            found.extend(runs_in_error(&text));
        }
        Drawings(found)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is one here that is not there.
    pub(super) fn is_beyond(&self, before: &Drawings) -> bool {
        !self.0.is_subset(&before.0)
    }
}

/// The languages of the fences that a line may open.
fn languages(line: &str) -> impl Iterator<Item = String> {
    ["```", "~~~"].into_iter().filter_map(|mark| {
        let (_, info) = line.split_once(mark)?;
        let info = folded(info.trim_start_matches(['`', '~']))?.replace('\\', "");
        let word: String = info.trim().chars().take_while(|it| it.is_alphanumeric() || *it == '-').collect();
        DRAWN.contains(&word.as_str()).then_some(word)
    })
}

/// The languages of code that SiYuan draws, or that a later SiYuan might draw.
pub const DRAWN: [&str; 8] =
    ["abc", "echarts", "flowchart", "graphviz", "infographic", "mermaid", "mindmap", "plantuml"];

/// The code behind an opened fence: the blanked lines, or everything where the end is in doubt.
fn content<'t>(markdown: &'t str, masked: &MaskedText, start: usize, from: usize) -> &'t str {
    let rest = masked.text.get(from..).unwrap_or_default();
    let blanked: usize = rest.split_inclusive('\n').take_while(|it| it.trim().is_empty()).map(str::len).sum();
    let opened = masked.text.get(start..from).and_then(|line| {
        let mark = line.find(['`', '~'])?;
        Fence::opened_by(line.get(mark..)?.trim_end())
    });
    let next = rest.get(blanked..).and_then(|it| it.lines().next()).unwrap_or_default();
    let is_closed = next.is_empty() || opened.is_some_and(|it| it.closed_by(inside_quotes(next)));
    let end = if is_closed { from + blanked } else { markdown.len() };
    markdown.get(from..end).unwrap_or_default()
}

/// Whether a drawing does nothing but draw.
pub(super) fn is_plain(language: &str, code: &str) -> bool {
    if ["javascript:", "vbscript:", "data:", "getdynamicicon"].iter().any(|it| code.contains(it)) {
        return false;
    }
    match language {
        // Its directives hold JavaScript.
        "abc" => !code.contains("%%"),
        // Links, and functions of the page.
        "flowchart" => !code.contains(":>") && !code.contains(":$") && !has_tag(code, is_mark),
        "graphviz" => is_plain_graph(code),
        "mermaid" => is_plain_diagram(code),
        "mindmap" => !has_tag(code, is_mark),
        "plantuml" => true,
        // A chart is an expression of JavaScript.
        _ => false,
    }
}

/// Whether a formula runs, links or styles something.
pub(super) fn formula_acts(formula: &str) -> bool {
    folded(formula).is_none_or(|it| it.lines().any(has_command) || !runs_in_error(&it).is_empty())
}

/// A graph without addresses and tags, whose names are not put together from parts.
fn is_plain_graph(code: &str) -> bool {
    let joined: String = code.chars().filter(|it| !it.is_whitespace()).collect();
    let parts = ["\"+", "+\"", "/+", "+/"].iter().any(|it| joined.contains(it));
    // A port of a record is a word between brackets.
    let is_port =
        |it: &str| it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') && !ELEMENTS.contains(&it);
    !has_tag(code, is_port)
        && !parts
        && !code.contains("\\\n")
        && !["url", "href", "stylesheet"].iter().any(|it| code.contains(it))
}

fn is_plain_diagram(code: &str) -> bool {
    let settings =
        code.starts_with("---") || code.contains("%%{") || code.contains("$link") || code.contains("url(");
    let shapes = code.contains("@{") && (code.contains("img") || code.contains('\\'));
    let statements = code.split(['\n', ';']).map(str::trim).all(|statement| {
        let word = statement.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
        !STATEMENTS.contains(&word)
            && (!["style", "classdef", "linkstyle"].contains(&word) || is_plain_style(statement))
    });
    !settings && !shapes && statements && !has_tag(code, is_mark)
}

/// Whether a statement gives a part of a diagram colours and strokes only.
fn is_plain_style(statement: &str) -> bool {
    statement.split(',').filter_map(|it| it.split_once(':')).all(|(name, _)| {
        let name = name.split_whitespace().next_back().unwrap_or_default();
        PROPERTIES.contains(&name)
    })
}

/// Whether there is a tag other than those allowed and stereotypes such as `<<interface>>`. The page shows the message of
/// a drawing that failed as HTML: a part of the code, in which line breaks and comments are left out.
fn has_tag(code: &str, is_allowed: impl Fn(&str) -> bool) -> bool {
    code.match_indices('<').any(|(at, _)| {
        let behind = code.get(at + 1..).unwrap_or_default();
        if behind.chars().find(|it| *it == '\n' || !it.is_whitespace()) == Some('\n') {
            return true;
        }
        let name = behind.trim_start_matches('/');
        if !name.starts_with(|it: char| it.is_ascii_alphabetic() || "!?".contains(it)) {
            return false;
        }
        let inside = name.split('>').next().unwrap_or_default().trim_end_matches(['/', ' ']);
        let is_stereotype = code.get(..at).is_some_and(|it| it.ends_with('<')) && name.contains(">>");
        let is_word = inside.bytes().all(|it| it.is_ascii_alphanumeric() || b" _-".contains(&it));
        let first = inside.split(' ').next().unwrap_or_default();
        !(is_allowed(inside) || (is_stereotype && is_word && !ELEMENTS.contains(&first)))
    })
}

/// Whether a tag is a line break or a plain mark.
fn is_mark(tag: &str) -> bool {
    ["br", "b", "i", "u", "em", "strong", "sub", "sup"].contains(&tag)
}

fn has_command(line: &str) -> bool {
    COMMANDS.iter().any(|command| {
        line.match_indices(command).any(|(at, _)| {
            let behind = line.get(at + command.len()..).and_then(|it| it.chars().next());
            !behind.is_some_and(|it| it.is_ascii_alphabetic())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::code::mask;
    use super::*;

    fn runs(text: &str) -> bool {
        Drawings::of(text, &mask(text)).is_beyond(&Drawings::default())
    }

    #[test]
    fn drawing_that_runs_something_is_found() {
        for text in [
            "```echarts\n(alert(1), {})\n```",
            "```echarts\n{}\n```",
            "~~~ ECharts\nx\n~~~",
            "- ```&#101;charts\n  x\n  ```",
            "> ~~~~e\u{200b}charts x\n> x\n> ~~~~",
            "```abc\n%%params (alert(1))\nX:1\n```",
            "```flowchart\nst=>start: Start:>javascript&colon;alert(1)\n```",
            "```flowchart\nst=>start: Start:$close\n```",
            "```graphviz\ndigraph { a [URL=\"x\"] }\n```",
            "```graphviz\ndigraph { a [\"U\" + \"RL\"=\"x\"] }\n```",
            "```graphviz\ndigraph { a [\"U\\\nRL\"=\"x\"] }\n```",
            "```mermaid\nflowchart LR\n  A --> B; click A \"x\"\n```",
            "```mermaid\n%%{init: {}}%%\nflowchart LR\n```",
            "```mermaid\n---\nconfig: {}\n---\nflowchart LR\n```",
            "```mermaid\nflowchart LR\n  A[\"<img src=x>\"]\n```",
            "```mermaid\nflowchart LR\n  A[\"&lt;img src=x>\"]\n```",
            "```mermaid\nflowchart LR\n  A@{ img: \"/x\" }\n```",
            "```mermaid\nflowchart LR\n  A@{ \"\\x69mg\": \"/x\" }\n```",
            "> ```mermaid\n> flowchart LR\n>   click A \"x\"\n> ```",
            "> ```mermaid\n> ---\n> config: {}\n> ---\n> ```",
            "- a\n  ```mermaid\n  flowchart LR;\u{a0}click A \"x\"\n  ```",
            "```mermaid\nflowchart LR\n  style A fill:#fff,position:fixed\n```",
            "```mermaid\nclassDiagram\n<<img src=x>> A\n```",
            "```infographic\nx\n```",
            // The page shows these in the message of an error.
            "```mermaid\nflowchart LR\n  A[<\nimg src=x onerror=x (1)>]\n```",
            "```mermaid\nsequenceDiagram\n  A< \n%% a comment\nimg src=x onerror=x>\n```",
            "```mermaid\nclassDiagram\n<<style>>x{}*{zoom:3}\n```",
            "```flowchart\nst=>start: a<\nimg src=x onerror=x>\n```",
            "```graphviz\ndigraph { a [x=\"<img src=x onerror=x> }\n```",
            "```graphviz\ndigraph { a [label=<<img src=x onerror=x> }\n```",
            "```graphviz\ndigraph { a [x=\"<style>*{zoom:3} }\n```",
            "$\\href{x}{y}$",
            "$$\n\\htmlStyle{position:fixed}{x}\n$$",
            "$\\def\\x{\\htmlClass}$",
            "$\\includegraphics{x}$",
        ] {
            assert!(runs(text), "{text}");
        }
    }

    #[test]
    fn plain_drawings_and_shown_code_are_allowed() {
        for text in [
            "```mermaid\nflowchart LR\n  A[\"one<br/>two\"] --> B\n  style A fill:#fff,stroke:#000\n  classDef x fill:#f9f\n```",
            "```mermaid\nclassDiagram\n  class A\n  <<interface>> A\n  A <|-- B\n  linked --> clicked\n```",
            "```graphviz\ndigraph { a -> b [label=\"x\"] }\n```",
            "```graphviz\ndigraph { a [label=\"<f0> left|<f1> right\"]; b [label=<<b>x</b>>]; a:f0 -> b }\n```",
            "```flowchart\nst=>start: Start\nop=>operation: Work\nst->op\n```",
            "```abc\nX:1\nK:C\nCDEF|\n```",
            "```mindmap\n- a\n  - b\n```",
            "```plantuml\nA -> B\n```",
            "```js\necharts.init(x)\n```",
            "use `echarts` and $\\frac{1}{2}$",
            "```tex\n\\href{x}{y}\n```",
            "\\hrefs and \\urlencode",
        ] {
            assert!(!runs(text), "{text}");
        }
    }

    #[test]
    fn drawing_of_the_replaced_text_stays() {
        let old = "```echarts\n{}\n```\n\n$\\href{x}{y}$";
        let before = Drawings::of(old, &mask(old));
        let same = format!("new\n\n{old}");
        assert!(!Drawings::of(&same, &mask(&same)).is_beyond(&before));
        let other = "```echarts\n{ x }\n```";
        assert!(Drawings::of(other, &mask(other)).is_beyond(&before));
    }
}
