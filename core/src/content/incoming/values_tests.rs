//! Names, descriptions and cells, which SiYuan shows as HTML in some places and between the quotes of an attribute in others.

use super::{is_plain_address, would_run_in_value};

/// S16: the name of a group, of a column and of a view is HTML; a description stands between double quotes.
#[test]
fn value_that_acts_where_it_is_shown_is_found() {
    for value in [
        "<iframe src=\"https://e.org/\"></iframe>",
        "<iframe src=\"https://e.org/",
        "<iframe src='https://e.org/",
        "<iframe src=https://e.org/ ",
        "&lt;iframe src=https://e.org/&gt;",
        "<webview src=https://e.org/>",
        "<style>*{position:fixed}</style>",
        "<div style=\"position:fixed;inset:0\">x",
        "<b class=b3-dialog>x</b>",
        "<img src=/api/network/proxy?u=x>",
        "x\" onmouseover=\"y",
        "x' onmouseover='y",
        "x&quot; onmouseover=y z=&quot;",
        "x\" style=\"position:fixed",
        "x\"><iframe src=https://e.org/",
        "x'><img src=x onerror=y ",
        // These swallow the markup of the page behind them.
        "<iframe",
        "x <iframe>",
        "<TextArea>",
        "&lt;textarea&gt;",
        "&amp;lt;title>",
        "x<!-- y",
        "<!doctype",
        "<?x",
        "<plaintext>",
        "<xmp/>",
        "<noscript\ty",
        "<select>",
        "<template>",
        "<b title='",
        "<b title=\"y",
    ] {
        assert!(would_run_in_value(value), "{value}");
    }
}

#[test]
fn words_with_quotes_and_brackets_are_allowed() {
    for value in [
        "Vec<T> and List<String>",
        "5 < 6, 7 > 3, a <- b, <3",
        "the \"best\" price, it's 20% off",
        "Bob's list & Ann's",
        "{\"a\": \"b\", \"style\": [1, 2]}",
        "R&D &amp; more",
        "<b>bold</b> and <br>",
        "x = 1, y = \"2\"",
        "a <b and <c, it's \"d\"",
        "List<Item> and Map<Selection, Svg1>",
        "<3, </3, <!> and <?",
        "a note: see https://e.org/?a=b&c=d",
    ] {
        assert!(!would_run_in_value(value), "{value}");
    }
}

/// S18: SiYuan drops characters, reads its mark of a line break, and decodes percent codes after the value was judged.
#[test]
fn value_is_judged_as_it_is_stored() {
    for value in [
        "<\u{e000}img src=x onerror=alert(1)>",
        "<i\u{1}mg src=x onerror=alert(1)>",
        "<\u{2003}img src=x onerror=alert(1)>",
        "<audio src=x_esc_newline_onerror=alert(1)>",
        "<audio src=x_esc_\u{f8ff}newline_onerror=alert(1)>",
        "<iframe\u{a0}src=https://e.org>",
        "<\u{c}img src=x onerror=alert(1)>",
        "<\timg src=x onerror=alert(1)>",
        "x%3\u{c}Cstyle%3E",
        "x&#37;3Cstyle&#37;3E",
        "x&percnt;3Cstyle>",
        "\"_esc_newline_onanimationstart=alert(1)_esc_newline_style=animation-name:zoomIn_esc_newline_x=\"",
        "x%3Cstyle%3Ebody%7Bopacity:0%7D%3C%2Fstyle%3E",
        "&\u{e000}lt;img src=x onerror=alert(1)&gt;",
    ] {
        assert!(would_run_in_value(value), "{value}");
    }
    for value in ["园艺 < 花园 > 树", "50% of _esc_newline_ and 100%", "a\u{a0}b, \u{e000} and é", "%C3%BC"]
    {
        assert!(!would_run_in_value(value), "{value}");
    }
}

/// S15: a click on the cell opens its address.
#[test]
fn cell_with_an_address_leads_to_the_web_only() {
    for value in
        ["https://e.org/a?b=c", "e.org:8080", "mailto:a@b.c", "", "assets/a.pdf", "siyuan://blocks/x", "R&D"]
    {
        assert!(is_plain_address(value), "{value}");
    }
    for value in [
        "file:///bin/sh",
        "\\\\host\\x.exe",
        "C:\\x.exe",
        "/usr/bin/xterm",
        "ms-msdt:/id",
        "javascript:alert(1)",
        "\u{1}javascript:x",
    ] {
        assert!(!is_plain_address(value), "{value}");
    }
}
