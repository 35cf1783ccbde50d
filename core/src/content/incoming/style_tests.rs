//! Styles and attributes of a text: what an agent may draw, and what stays as it was.

use super::tests::{OLD, checked, kernel, new};
use super::*;
use crate::error::ErrorType;

/// S5: a style that positions something can cover a question. Every place of a text that becomes a style, a class or an
/// attribute in SiYuan's window is judged.
#[test]
fn text_that_could_cover_the_window_is_refused() {
    for (text, sent) in [
        ("x\n{: style=\"COLOR:red\"}", "x\n{: style=\"color: red;\"}"),
        (
            "**x**{: style=\"color:var(--b3-font-color1);\"}",
            "**x**{: style=\"color: var(--b3-font-color1);\"}",
        ),
        ("x\n{: colgroup=\"width:60px|\"}", "x\n{: colgroup=\"width: 60px;|\"}"),
        ("|a|\n|-|\n|{: class=\"fn__none\"}|", "|a|\n|-|\n|{: class=\"fn__none\"}|"),
        ("<div style=\"text-align:center\">x</div>", "<div style=\"text-align:center\">x</div>"),
    ] {
        assert_eq!(new(text).unwrap().markdown, sent, "{text}");
    }
    for text in [
        "x\n{: style=\"position:fixed\"}",
        "x\n{: style=\"color:red&#59;position:fixed\"}",
        "x\n{: style=\"color:red_esc_newline_;position:fixed\"}",
        "**x**{: style=\"inset:0\"}",
        "![a](b){: parent-style=\"z-index:9\"}",
        "x\n{: colgroup=\"width:60px|position:fixed\"}",
        "x\n{: class=\"b3-dialog\"}",
        "x\n{: caption=\"&lt;b style=position:fixed>\"}",
        "x\n{: title-img=\"position:fixed\"}",
        "x\n{: popover=\"auto\"}",
        "<span data-type=\"text\" style=\"position:fixed\">x</span>",
        "<div style='position:fixed'>x</div>",
        "<iframe src=\"https://e.org\" style=\"pointer-events:none\"></iframe>",
        "<style>p{position:fixed}</style>",
        "<div popover>x</div>",
        "<div class=\"protyle-util\">x</div>",
        "```echarts\n(alert(1), {})\n```",
        "$\\htmlStyle{position:fixed}{x}$",
    ] {
        assert_eq!(new(text).unwrap_err().kind, ErrorType::Validation, "{text}");
        assert!(recheck(text, "", "").is_err(), "{text}");
    }
}

/// A text that is replaced may keep its styles, in its lists as in its tags, but gets no other ones.
#[test]
fn styles_of_the_replaced_text_stay() {
    let old = format!(
        "a **b**{{: style=\"float: left;\"}}\n{{: id=\"{OLD}\" style=\"display: flex;\" caption=\"x\"}}\n\n<div class=\"x\" style=\"top:0\">y</div>\n{{: id=\"20250101000000-second0\"}}\n\n```echarts\n{{}}\n```"
    );
    let (kernel, kept) = (kernel(), ReplacedContent::of(&old));
    assert_eq!(checked(&kernel, &old, &kept).unwrap().markdown, old);
    let more = format!("more\n\n{old}");
    assert!(checked(&kernel, &more, &kept).is_ok() && recheck(&more, "more", &old).is_ok());
    for (from, to) in [
        ("float: left;", "float: right;"),
        ("top:0", "top:1px"),
        ("{}\n```", "{ x }\n```"),
        ("class=\"x\"", "class=\"y\""),
    ] {
        let changed = old.replace(from, to);
        assert!(checked(&kernel, &changed, &kept).is_err(), "{to}");
        assert!(recheck(&changed, "", &old).is_err(), "{to}");
    }
}
