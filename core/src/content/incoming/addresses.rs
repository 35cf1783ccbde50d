//! Addresses that lead to programs and files of the person's machine: SiYuan's desktop hands them to the system at one
//! click, and the system runs what they name.

use std::collections::BTreeSet;

use super::folded::{folded, without_tags};

/// Schemes of the web, of mail and of telephones; any other may start a program.
const SCHEMES: [&str; 7] = ["ftp", "http", "https", "mailto", "sms", "tel", "xmpp"];

/// Attributes with an address. `data-id` is one of a reference into a file.
const ATTRIBUTES: [&str; 11] = [
    "background",
    "cite",
    "data",
    "data-href",
    "data-id",
    "data-src",
    "data-url",
    "href",
    "poster",
    "src",
    "xlink:href",
];

/// The maximum number of bytes of an address that are compared.
const LONGEST: usize = 200;

/// The expected form, for errors.
pub(super) const EXPECTED: &str = "links to the web, mailto:, tel:, assets/... or siyuan://blocks/<id> only, because others can start programs";

/// The addresses of a text that lead elsewhere than to the web, to notes and to assets.
#[derive(Debug, Clone, Default)]
pub(super) struct Addresses(BTreeSet<String>);

impl Addresses {
    /// Collects them from a text whose code is blanked out.
    pub(super) fn of(masked: &str) -> Addresses {
        let mut found = BTreeSet::new();
        if !masked.contains([':', '/', '&', '\\']) {
            return Addresses(found);
        }
        for text in [folded(masked), folded(&without_tags(masked))].into_iter().flatten() {
            // Inside an address a browser skips these; between attributes they are blanks.
            let dropped: String = text.chars().filter(|it| !it.is_control()).collect();
            collect(&dropped, &mut found);
            collect(&text.replace(|it: char| it.is_control(), " "), &mut found);
        }
        Addresses(found)
    }

    /// An address here that is not there.
    pub(super) fn beyond(&self, before: &Addresses) -> Option<&str> {
        self.0.iter().find(|it| !before.0.contains(*it)).map(String::as_str)
    }
}

fn collect(text: &str, found: &mut BTreeSet<String>) {
    let mut ends = BracketEnds { text, next: 0 };
    let schemes = text.match_indices(':').filter_map(|(at, _)| {
        let before = text.get(..at)?;
        let scheme = before.bytes().rev().take_while(|it| it.is_ascii_alphanumeric() || b"+-.".contains(it));
        let start = at - scheme.count();
        let scheme = before.get(start..).filter(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()))?;
        let behind = text.get(at + 1..)?;
        let stays = SCHEMES.contains(&scheme)
            || (scheme == "siyuan" && behind.starts_with("//blocks/"))
            || (scheme == "data" && is_medium(behind))
            // The port of a host.
            || ((scheme.contains('.') || scheme == "localhost") && begins_with_port(behind));
        (!stays && (is_linked(text, start) || ends.is_automatic(start, scheme))).then_some(start)
    });
    // A path of this machine, and a share of another one on Windows.
    let paths = ["/", "\\\\"].into_iter().flat_map(|it| text.match_indices(it));
    let paths = paths.map(|(at, _)| at).filter(|at| is_linked(text, *at));
    for start in schemes.chain(paths).chain(quoting(text)) {
        let address = text.get(start..).unwrap_or_default();
        let ends = |it: char| it.is_whitespace() || "\"'<>)".contains(it);
        found.insert(address.chars().take(LONGEST).take_while(|it| !ends(*it)).collect());
    }
}

/// The beginnings of the addresses of links and pictures with a double quote inside: SiYuan puts some of them between the
/// quotes of an attribute.
fn quoting(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices("](").map(|(at, it)| at + it.len()).filter(|at| {
        let rest = text.get(*at..).unwrap_or_default().trim_start();
        let (rest, is_bracketed) = rest.strip_prefix('<').map_or((rest, false), |it| (it, true));
        let mut depth = 0_usize;
        let mut ends = |letter: char| match letter {
            '\n' => true,
            '>' => is_bracketed,
            _ if is_bracketed => false,
            '(' => {
                depth += 1;
                false
            }
            ')' if depth == 0 => true,
            ')' => {
                depth -= 1;
                false
            }
            it => it.is_whitespace(),
        };
        // A title may stand without an address.
        let mut address = rest.chars().take(LONGEST).take_while(|it| !ends(*it));
        address.next().is_some_and(|it| it != '"') && address.any(|it| it == '"')
    })
}

fn is_medium(behind: &str) -> bool {
    ["image/", "audio/", "video/"].iter().any(|it| behind.trim_start().starts_with(it))
}

/// Whether a text begins with a port, at which a path or the end of an address follows: `x.y:0calc` has a scheme.
fn begins_with_port(text: &str) -> bool {
    const MOST_DIGITS: usize = 5;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = text.get(digits..).unwrap_or_default();
    let ends = |it: char| it.is_whitespace() || "/?#\"'<>)".contains(it);
    (1..=MOST_DIGITS).contains(&digits) && (behind.is_empty() || behind.starts_with(ends))
}

/// Whether a text ends where the address of a link or picture begins: the parser drops brackets and blanks before it.
pub(super) fn opens_link(text: &str) -> bool {
    let before = text.trim_end_matches(|it: char| it.is_whitespace() || matches!(it, '(' | '<'));
    before.ends_with(']') && text.get(before.len()..).is_some_and(|it| it.starts_with('('))
}

/// Whether the address of a link, a picture or an attribute begins at a position.
fn is_linked(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    if opens_link(before) {
        return true;
    }
    let Some(before) = before.trim_end_matches(['"', '\'', ' ']).strip_suffix('=') else { return false };
    let before = before.trim_end();
    let name =
        before.bytes().rev().take_while(|it| it.is_ascii_alphanumeric() || b"-:_".contains(it)).count();
    before.get(before.len() - name..).is_some_and(|it| ATTRIBUTES.contains(&it))
}

/// The ends of addresses between angle brackets, for positions that only grow: a text may hold many without an end.
struct BracketEnds<'a> {
    text: &'a str,
    /// The first blank or closing bracket behind the last position.
    next: usize,
}

impl BracketEnds<'_> {
    /// Whether an address between angle brackets begins at a position, as the parser reads one.
    fn is_automatic(&mut self, at: usize, scheme: &str) -> bool {
        const SHORTEST: usize = 3;
        let (Some(before), Some(address)) = (self.text.get(..at), self.text.get(at..)) else { return false };
        if !before.ends_with('<') || scheme.len() < SHORTEST {
            return false;
        }
        if self.next < at {
            self.next = address.find([' ', '>']).map_or(self.text.len(), |end| at + end);
        }
        // `std::vector` is a type.
        self.text.as_bytes().get(self.next) == Some(&b'>')
            && !address.get(scheme.len()..).is_some_and(|it| it.starts_with("::"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beyond(text: &str) -> Option<String> {
        Addresses::of(text).beyond(&Addresses::default()).map(str::to_owned)
    }

    /// S15: one click hands these to the system.
    #[test]
    fn address_that_starts_a_program_is_found() {
        for text in [
            "[plan](file:///C:/Windows/System32/calc.exe)",
            "[plan]( <file:///tmp/x>)",
            "[plan](fi&#108;e&colon;///x)",
            "[plan](&#1;file:///x)",
            "[plan](&#1;javascript:alert(1))",
            "[plan](C:\\x.exe)",
            "[plan](/usr/bin/xterm)",
            "[plan]( </Applications/Calculator.app>)",
            "[plan](&sol;bin&sol;sh)",
            "[plan](//host/share/x.exe)",
            "<span data-type=\"a\" data-href='/bin/sh'>y</span>",
            "[plan](\\\\host\\share\\x.exe)",
            "[plan](&#92;&#92;host\\x.exe)",
            "[plan](ms-msdt:/id)",
            "[plan](search-ms:query=x)",
            "[plan](siyuan://plugins/x/run)",
            "[plan](data:text/html,x)",
            "[![x](assets/a.png)](vscode://x)",
            "![x](file://host/a.png)",
            "<file:///etc/passwd>",
            "<span data-type=\"a\" data-href=\"file:///x\">y</span>",
            "<span data-type=\"file-annotation-ref\" data-id='file:///x'>y</span>",
            "<div><a href = file:///x>y</a></div>",
            "<div><a\nhref=\"file:///x\">y</a></div>",
            "<div><a\thref=file:///x>y</a></div>",
            "[x]((ms-msdt:/id))",
            "[x]( ( </bin/sh>))",
            "<u>[x](fi</b>le:///x)</u>",
            "|a|\n|-|\n|[x](file:///b)|",
            // S18: a missing picture stands between the quotes of an attribute.
            "![x](assets/a&quot;onanimationstart=&quot;alert(1)&quot;b.png)",
            "![x](<assets/a\"onclick=\"x\" b.png>)",
            "![x](assets/(a)\"style=\"x.png)",
            "[plan](x.y:0calc)",
            "[plan](x.y:123456)",
            "[plan](x.y:80@z)",
            "[plan](localhost:1:x)",
        ] {
            assert!(beyond(text).is_some(), "{text}");
        }
    }

    #[test]
    fn links_to_the_web_and_to_notes_are_allowed() {
        for text in [
            "[a](https://e.org/a:b) <https://e.org> <mailto:a@b.c> [b](tel:+1)",
            "[a](https://e.org \"a title\") and \"[b](c)\", [d](<e f> \"g\") [h]( \"i\")",
            "[a](assets/a:b.pdf) [b](#x:y) [c](www.e.org) [d](e.org:8080/x) [e](localhost:6806)",
            "[a](e.org:80?x=1) [b](<e.org:65535>) [c](e.org:1#x \"title\") |[d](e.org:5)|",
            "[a](siyuan://blocks/20250101000000-aaaaaaa?focus=1)",
            "![a](data:image/png;base64,AAAA)",
            "[a](docs/x) [b](./x) and /usr/bin, <b>/x</b>, 1/2",
            "open file:///etc/hosts with vscode: C:\\x and \\\\host\\share",
            "Vec<std::string> and <me:other>, a <b: c> d",
            "x = note: y, title=\"status: open\"",
            "<img alt=\"note: x\" src=\"https://e.org/a.png\">",
            "$\\begin{a} x \\\\ y \\end{a}$",
        ] {
            assert_eq!(beyond(text), None, "{text}");
        }
    }

    #[test]
    fn address_of_the_replaced_text_stays() {
        let old = Addresses::of("[a](zotero://select/items/1)");
        assert_eq!(Addresses::of("new [b](zotero://select/items/1)").beyond(&old), None);
        assert_eq!(
            Addresses::of("[b](zotero://select/items/2)").beyond(&old),
            Some("zotero://select/items/2")
        );
    }

    #[test]
    fn attribute_names_are_sorted() {
        assert!(ATTRIBUTES.is_sorted() && SCHEMES.is_sorted());
    }
}
