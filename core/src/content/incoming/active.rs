//! Active content: scripts, handlers and addresses that would run in the window of a person who opens the note.

use super::addresses::opens_link;

/// English words that look like the name of a handler.
const WORDS: [&str; 6] = ["online", "onion", "onset", "ongoing", "onward", "onwards"];

/// The length of the longest handler name.
const LONGEST: usize = 40;

/// Elements that send the person's input, or change the meaning of the addresses around them; in pictures also the
/// declarations that make other text of what follows.
const ELEMENTS: [&str; 7] = ["<form", "<base", "<meta", "<object", "<embed", "<!entity", "<?xml-stylesheet"];

/// Elements of pictures that give attributes other values.
const ANIMATIONS: [&str; 4] = ["<animate", "<animatemotion", "<animatetransform", "<set"];

/// The kernel's endpoint that renders a template when a picture is loaded from it; templates run SQL that writes.
const RENDERS: &str = "getdynamicicon";

/// The beginnings of the kernel's other paths that act when an address is loaded, without a click: they fetch an address
/// (and serve the answer under SiYuan's own origin), run code of plugins, crash the kernel when a broadcast is left, or
/// keep a connection open. The page that asks for the access code goes where its address says, script included. From
/// the routes of SiYuan 3.7.3.
const ACTS: [&str; 10] = [
    "api/network/",
    "api/plugin",
    "api/ai/mcp/oauth",
    "api/system/bootprogress",
    "check-auth",
    "debug/pprof",
    "es/broadcast",
    "es/network",
    "plugin/private",
    "plugin/public",
];

/// The number of encodings through which an address is still read.
const MOST_ENCODED: usize = 3;

/// The first active content in a folded text (code blanked out), if any.
pub(super) fn active(text: &str) -> Option<&'static str> {
    let named = without_prefixes(text);
    if named.contains("<script") {
        return Some("<script>");
    }
    if has_element(&named, &ELEMENTS) || text.contains("formaction") {
        return Some("forms and embedded objects");
    }
    if has_element(&named, &ANIMATIONS) && animates_address(text) {
        return Some("animations of links");
    }
    if has_attribute(text) {
        return Some("on...= attributes");
    }
    // Browsers skip these inside an address or before it.
    let address: String = text.chars().filter(|it| !it.is_control()).collect();
    if acts(&address) {
        return Some("addresses that make SiYuan act, such as dynamic icons and its proxy");
    }
    let scripted = ["javascript:", "vbscript:"].iter().any(|scheme| is_address(&address, scheme));
    (scripted || loads_a_page(&address)).then_some("javascript: links")
}

/// A text with each `<svg:a` as `<a`: in a picture, an element has the name behind its prefix.
fn without_prefixes(text: &str) -> String {
    let mut parts = text.split('<');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end =
            part.find(|it: char| it.is_whitespace() || matches!(it, ':' | '/' | '>' | '"' | '\'' | '='));
        let prefix = end.and_then(|end| part.split_at_checked(end)).filter(|(prefix, _)| !prefix.is_empty());
        let name = prefix.and_then(|(_, rest)| rest.strip_prefix(':'));
        out.push('<');
        out.push_str(name.unwrap_or(part));
    }
    out
}

/// Whether an animation is of an attribute that holds an address. Its values are one list, in which an address may
/// stand anywhere.
fn animates_address(text: &str) -> bool {
    text.split("attributename").skip(1).any(|behind| {
        let Some(value) = behind.trim_start().strip_prefix('=').map(str::trim_start) else { return false };
        let value = match value.strip_prefix(['"', '\'']) {
            Some(quoted) => quoted.split(['"', '\'']).next(),
            None => value.split(|it: char| it.is_whitespace() || it == '>').next(),
        };
        value.is_some_and(|it| it.contains("href") || it.contains("base"))
    })
}

fn has_element(text: &str, elements: &[&str]) -> bool {
    elements.iter().any(|element| {
        text.match_indices(element).any(|(at, _)| {
            let behind = text.get(at + element.len()..).and_then(|it| it.chars().next());
            !behind.is_some_and(|it| it.is_ascii_alphanumeric() || it == '-')
        })
    })
}

/// Whether a text contains an address at which the kernel acts, as a browser or a style sheet would read it.
fn acts(text: &str) -> bool {
    let texts = [text.to_owned(), without_css_escapes(text)];
    texts.into_iter().flat_map(decodings).any(|text| text.contains(RENDERS) || has_acting_path(&text))
}

/// Whether a text contains a path of `ACTS`. A browser takes `\` for `/` and resolves segments that are empty, `.` or
/// `..`. Each segment is compared when it is reached: a later `..` may stand in a query, where it removes nothing.
fn has_acting_path(text: &str) -> bool {
    /// The number of segments of the longest path.
    const DEEPEST: usize = 4;
    let mut path: Vec<&str> = Vec::new();
    text.split(['/', '\\']).any(|segment| match segment {
        "" | "." => false,
        ".." => {
            path.pop();
            false
        }
        _ => {
            path.push(segment);
            let tail = path.get(path.len().saturating_sub(DEEPEST)..).unwrap_or_default().join("/");
            ACTS.iter().any(|path| {
                tail.match_indices(path).any(|(at, _)| {
                    let before = tail.get(..at).and_then(|it| it.chars().next_back());
                    !before.is_some_and(|it| it.is_ascii_alphanumeric())
                })
            })
        }
    })
}

/// A text as it stands, and with its `%41` decoded, as often as an address may be.
pub(super) fn decodings(text: String) -> impl Iterator<Item = String> {
    let next = |text: &String| text.contains('%').then(|| percent_decoded(text).to_lowercase());
    std::iter::successors(Some(text), next).take(MOST_ENCODED + 1)
}

/// A text with its `%41` as letters; codes of non-ASCII characters stay.
pub(super) fn percent_decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|it| u8::from_str_radix(it, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(letter) => {
                out.push(char::from(letter));
                out.push_str(part.get(2..).unwrap_or_default());
            }
            None => {
                out.push('%');
                out.push_str(part);
            }
        }
    }
    out
}

/// A text with `\67 ` and `\g` as the letters that a style sheet reads.
fn without_css_escapes(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        let (code, rest) = part.split_at_checked(digits).unwrap_or(("", part));
        if let Some(letter) = u32::from_str_radix(code, 16).ok().and_then(char::from_u32) {
            out.extend(letter.to_lowercase());
            out.push_str(rest.strip_prefix(' ').unwrap_or(rest));
        } else {
            out.push_str(part);
        }
    }
    out
}

/// The name of a handler, or `srcdoc`, written as an attribute after the first tag.
fn has_attribute(text: &str) -> bool {
    let tag = text.match_indices('<').find(|(at, _)| {
        text.get(at + 1..).is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_alphabetic()))
    });
    let Some(rest) = tag.and_then(|(at, _)| text.get(at..)) else { return false };
    ["on", "srcdoc"].iter().any(|begin| {
        rest.match_indices(begin).any(|(at, _)| {
            let before = rest.get(..at).and_then(|it| it.chars().next_back());
            let separate =
                before.is_some_and(|it| it.is_whitespace() || "\"'/;`".contains(it) || it.is_control());
            let name = rest.get(at..).unwrap_or_default();
            let length = name.bytes().take(LONGEST).take_while(u8::is_ascii_lowercase).count();
            let assigned = || name.get(length..).is_some_and(|it| it.trim_start().starts_with('='));
            let word = name.get(..length).is_some_and(|it| WORDS.contains(&it));
            separate && length >= 5 && !word && assigned()
        })
    })
}

/// An attribute whose address is itself a page.
fn loads_a_page(text: &str) -> bool {
    text.match_indices("data:").any(|(at, scheme)| {
        let before = text.get(..at).unwrap_or_default().trim_end_matches(['"', '\'', ' ']);
        before.ends_with('=')
            && !text.get(at + scheme.len()..).is_some_and(|it| {
                it.starts_with("image/") || it.starts_with("audio/") || it.starts_with("video/")
            })
    })
}

/// Whether a scheme is at the start of an address, not in a sentence.
fn is_address(text: &str, scheme: &str) -> bool {
    text.match_indices(scheme).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let bare = before.trim_end_matches(['"', '\'']).trim_end();
        let quoted = bare.len() < before.len();
        bare.ends_with('=')
            || (!quoted && (opens_link(before) || ["]:", "<"].iter().any(|it| before.ends_with(it))))
    })
}

#[cfg(test)]
mod tests {
    use super::super::folded::folded;

    fn active(text: &str) -> Option<&'static str> {
        super::active(&folded(text).unwrap())
    }

    #[test]
    fn active_content_is_detected() {
        for text in [
            "<SCRIPT>alert(1)</script>",
            "<form method=post action=/x>",
            "<button FormAction='/x'>",
            "<BASE href=//x>",
            "![x](/api/icon/getDynamicIcon?type=8)",
            "![x](/api/network/proxy?u=aHR0cDovLzEyNy4wLjAuMQ)",
            "[x](http://127.0.0.1:6806/api/network/proxy?u=x)",
            "![x](../../../api/network/proxy?u=x)",
            "![x](/api//network/./proxy?u=x)",
            "![x](/api/block/../network/proxy?u=x)",
            "![x](\\api\\network\\proxy?u=x)",
            "![x](/api/network/pr&#111;xy?u=x)",
            "![x](/%61pi/%2e/network/proxy?u=x)",
            "![x](/es/broadcast/subscribe?channel=a)",
            "<video src=es/broadcast/subscribe?channel=a>",
            "![x](/api/system/bootProgressSSE)",
            "![x](/plugin/private/a/b)",
            "[x](&#1;javascript:alert(1))",
            "[x]((&#1;javascript:alert(1)//))",
            "[x](http://127.0.0.1:6806/check-auth?to=%6aavascript:alert(1))",
            "![x](/es/network/proxy?u=x)",
            "![x](/api/network/proxy?u=x&a=/../../../../x)",
            "![x](/api/block/../network/proxy?u=x&a=/../../../../x)",
            "![x](/api/(/../network/proxy?u=x)",
            "![x](/api/a=?/../network/proxy?u=x)",
            "![x](/api/icon/get&#68;ynamicIcon?type=8)",
            "![x](/api/icon/%67etDynamicIcon?type=8)",
            "![x](/api/icon/%2567etDynamicIcon?type=8)",
            "<img src=\"/api/icon/get\tDynamicIcon?type=8\">",
            "{: style=\"background:url(/api/icon/\\67 etDynamicIcon)\"}",
            "{: style=\"background:url(/api/icon/\\getDynamicIcon)\"}",
            "<img src=x onerror=alert(1)>",
            "<svg/onload = x>",
            "<b>x</b>\n<i a=\"1\"onclick=\"x\">",
            "<img b\" src=\">\" onmouseover=x>",
            "[a](javascript:x)",
            "[a]( <java\tscript:x>)",
            "[a]: JavaScript:x",
            "<a href='&#106;avascript&colon;x'>",
            "<a href=&#x6a;avascript:x>",
            "<javascript:x>",
            "<b on&#99;lick=\"x\">",
            "&lt;img src=x on\u{200b}error=x&gt;",
            "<iframe src&#100;oc='x'>",
            "<iframe src=\"data:text/html,x\">",
            "<svg><a id=\"x\"><animate attributeName=\"href\" values=\"#;javascript:alert(1)\"/></a></svg>",
            "<svg><a><set attributeName = 'xlink:href' to='x'/></a></svg>",
            "<svg><a><SET attributeName=href to=x></a></svg>",
            "<svg xmlns:s=\"http://www.w3.org/2000/svg\"><s:script>alert(1)</s:script></svg>",
            "<svg xmlns:s=\"x\"><s:animate attributeName=\"s:href\" values=\"#;javascript:x\"/></svg>",
            "<!DOCTYPE svg [<!ENTITY x \"javascript:alert(1)\">]><svg><a href=\"&x;\"/></svg>",
            "<?xml-stylesheet type=\"text/xsl\" href=\"#x\"?><svg/>",
        ] {
            assert!(active(text).is_some(), "{text}");
        }
    }

    #[test]
    fn prose_is_not_active_content() {
        for text in [
            "JavaScript: the good parts",
            "see \"JavaScript: The Good Parts\" (javascript: a book)",
            "once = 1, condition = 2, <b>only</b> one = 3, online = 4",
            "onclick = x without any tag",
            "stories/broadcast, rapi/network and https://example.org/api/v1/network",
            "<iframe src=\"https://example.org\"></iframe>",
            "![x](data:image/png;base64,AAAA) <img src=\"data:image/png;base64,AAAA\">",
            "a & b &amp; &#; &#x110000; &#55296; 5 < 6",
            "<svg><rect><animate attributeName=\"opacity\" values=\"0;1\"/></rect></svg>",
            "a vector<set<int>>, <https://example.org/script> and <me:other>",
        ] {
            assert_eq!(active(text), None, "{text}");
        }
    }
}
