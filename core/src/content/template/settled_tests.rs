//! Tests of the form in which templates are saved.

use proptest::prelude::*;

use super::super::{is_harmless, names, pieces};
use super::*;

fn settled(text: &str, place: TemplateUse) -> Result<String, &'static str> {
    PrintedTemplate::of(&pieces(text, Marks::File)?, Marks::File, place).map(|it| it.printed())
}

fn note(text: &str) -> Result<String, &'static str> {
    settled(text, TemplateUse::Note)
}

fn filtered(body: &str) -> String {
    format!(".action{{{}{body}{}{NEVER_EMPTY}}}", FILTER[0], FILTER[1])
}

#[test]
fn values_are_printed_as_words() {
    for (text, printed) in [
        ("no action <u>x</u> {: a='b'}", "no action <u>x</u> {: a='b'}".to_owned()),
        ("# .action{.title}", format!("# {}", filtered(".title"))),
        ("a .action{- 1 | add 2 -} b", format!("a{}b", filtered("1 | add 2"))),
        ("a\n.action{- /* b */ -}\nc", "ac".to_owned()),
        (".action{$x := now}\n.action{ $x }", format!(".action{{$x := now}}\n{}", filtered("$x"))),
        (
            "* .action{if eq .title \"x\"}y.action{else}.action{print `:\n`}.action{end}",
            format!(
                "* .action{{if eq .title \"x\"}}y.action{{else}}{}.action{{end}}",
                filtered("print `:\n`")
            ),
        ),
    ] {
        assert_eq!(note(text).as_deref(), Ok(printed.as_str()), "{text}");
        // Read again, the print stays the same and names only harmless functions.
        assert_eq!(note(&printed).as_deref(), Ok(printed.as_str()));
        assert!(names(&pieces(&printed, Marks::File).unwrap()).into_iter().all(is_harmless), "{printed}");
    }
    let cell = settled("## .action{.Name}", TemplateUse::Cell);
    assert_eq!(
        cell,
        Err("a text of letters, digits, blanks and . , ; : ! ? - / + * _ % ( ) | around the actions")
    );
    let cell = settled("about .action{.Name}", TemplateUse::Cell).unwrap();
    assert_eq!(cell, format!("about .action{{{}.Name{}}}", FILTER[0], FILTER[1]));
}

#[test]
fn dates_in_plain_formats_stand_as_they_are() {
    for date in [
        "now | date \"2006-01-02\"",
        "now|date \"Monday, 02 Jan 2006\"",
        "now.Format \"15:04\"",
        "now | date \"2006年01月\"",
    ] {
        let text = format!("a .action{{{date}}}");
        assert_eq!(note(&text), Ok(text.clone()));
    }
    for date in [
        "now | date \":\"",
        "now | date \"15:\"",
        "now | date \"--\"",
        "now | date \"\"",
        "now | date \" 06\"",
        "now | date \"a  b\"",
        "now | date \"<b>\"",
        "now | date \"06\" \"x\"",
        "now | date `2006`",
        "now | date \"\\n\"",
        "now | dateX \"06\"",
        "nowx.Format \"06\"",
        "now | date \"06\" | print \":\"",
    ] {
        assert_eq!(note(&format!("a .action{{{date}}}")), Ok(format!("a {}", filtered(date))));
    }
}

/// S2, S3: an attacker who knows the filter tries to reach out of it.
#[test]
fn no_action_reaches_out_of_its_filter() {
    let [begin, end] = FILTER;
    for body in ["1)) -1 | print \":\" | printf \"%s\" ((2", "1) (2", ")(", "print \"a\" )", "", "/* x"] {
        assert!(note(&format!("a .action{{{body}}}")).is_err() || body.is_empty(), "{body}");
    }
    // One that only looks filtered gets a filter around all of it.
    for body in [
        format!("{begin}1)) -1 | print \":\" | printf \"%s\" ((2{end}"),
        format!("{begin}\"x{end}"),
        format!("{begin}{end}"),
        format!("{begin}1{end} | print \":\""),
        format!("{begin}1{end}{NEVER_EMPTY}{NEVER_EMPTY}"),
    ] {
        let read = note(&format!("a .action{{{body}}}"));
        assert!(read.is_err() || read == Ok(format!("a {}", filtered(&body))), "{body}: {read:?}");
    }
    // Names inside of the filter count, and those of the filter do not.
    let text = format!(".action{{{begin}querySQL \"x\"{end}}}");
    let names = names(&pieces(&text, Marks::File).unwrap());
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["querySQL"]);
}

/// The texts on both sides of a comment join when it is left out, so they must not form an action.
#[test]
fn no_action_is_put_together() {
    for text in [
        ".act.action{/* x */}ion{now}",
        ".action.action{/* x */}{now}",
        ".action.action{- /* x */ -} {now}",
        ".act \n.action{- /* x */ -}\n ion{querySQL \"x\"} .action{now}",
    ] {
        assert!(note(text).is_err(), "{text}");
    }
}

/// S2 and S3, each as the review gives it, and what its repair invites.
#[test]
fn text_around_values_is_plain() {
    for text in [
        "hello\n{.action{print \":\"} memo='\" onmouseover=\"x\" x=\"'}",
        "a.action{print `\n\n`}{{//!js_esc_newline_x}}.action{print `\n\n`}b",
        ".action{print \"<\"}img src=x onerro.action{print \"r\"}=x>",
        "see ((20261124.action{print \"1\"}35556-098u6j8 'x')) end",
        // Marks that go on behind a paragraph.
        "<div\n\no.action{print \"n\"}click\n\n=\"x\">",
        "<pre>\n\n.action{.title}\n\n</pre>",
        "{: memo=\"x\n\n.action{.title}\n\ny\"}",
        "{: memo=\"}\n\n.action{.title}\n\n\" onclick=\"x\"}",
        "{{SELECT\n\n.action{.title}\n\n}}",
        // Marks that a line before it opens.
        "[x](\n.action{.title}\n)",
        "![x](\n.action{.title}\n)",
        "((20250101000000-readabl '\n.action{.title}\n'))",
        "`a\n.action{.title}\n`",
        "$a\n.action{.title}\n$",
        "[.action{.title}]: x",
        "#.action{.title}#",
        "#a .action{.title}#",
        "# a # .action{.title}",
        "[!.action{.title}] a",
        "\\.action{.title}",
        "&.action{.title};",
        "~.action{.title}~ x",
        "==.action{.title}==",
        "((.action{.title}))",
        // A number begins a list, which changes where code is.
        ".action{.title}. x\n\n      ```",
        "> 1.action{.title}) x",
        "a \u{2038} .action{.title}",
        "a \u{e000} .action{.title}",
        "a \u{200b} .action{.title}",
        // A branch leaves out half of something.
        ".action{if .title}\n```\n.action{end}\n{: onclick=\"x\"}",
        ".action{if .title}x.action{end}\n\n```\ncode\n```",
        "(.action{if .title}).action{end}(",
        ".action{range list 1 2}(.action{end}",
        ".action{with .title}<.action{end}b>",
        "[.action{if .title}x.action{end}](y)",
    ] {
        assert!(note(text).is_err(), "{text}");
    }
    for text in [
        "## .action{.title}\n\n- [ ] .action{now | date \"15:04\"} water the beds (both)\n1. **.action{.alias}**, it's\n> > [!NOTE]\n> .action{.name}",
        "| a | .action{.title} |\n|---|:-:|\n| 1 | 📅 — “x” 你好，。 |",
        "{{{row\n\n.action{.title}\n\nb\n{: custom-x=\"1\"}\n\n}}}",
        "((20250101000000-readabl 'x')) and [x](https://example.org)\n\n.action{.title}\n{: custom-x=\"1\"}\n\n```rust\nlet x = 1;\n```",
        "**x**{: style=\"color: red\"}\n\n.action{.title}",
        "- .action{range list \"a\" \"b\"}\n  - .action{.}\n.action{end}",
    ] {
        assert!(note(text).is_ok(), "{text}: {:?}", note(text));
    }
}

/// S2: a cell is HTML where it is shown, and a path is the title of a document.
#[test]
fn cells_and_paths_are_plain_text() {
    for text in [
        ".action{print \"<\"}img src=x onerro.action{print \"r\"}=x>",
        "<b>.action{.Name}</b>",
        "&lt.action{.Name};",
        "((.action{.Name}",
        "(.action{/* x */}(.action{.Name}",
        "a\n.action{.Name}",
        "{.action{.Name}",
    ] {
        assert!(settled(text, TemplateUse::Cell).is_err(), "{text}");
        assert!(settled(text, TemplateUse::Path).is_err(), "{text}");
    }
    for text in [
        ".action{mul .Price 2} € (net)",
        ".action{if .Done}yes.action{else}no.action{end}",
        ".action{.A}/.action{.B}: 100 %",
    ] {
        assert!(settled(text, TemplateUse::Cell).is_ok(), "{text}");
    }
}

proptest! {
    /// Every character that is not part of a word comes from the text, and a second reading changes nothing.
    #[test]
    fn the_printed_form_is_stable(text in "[a-z(){}<.:\"`' |=$\n-]{0,12}(\\.action\\{[a-z.\"`'():=$| -]{1,12}\\}[a-z(){}. \n-]{0,9}){1,3}") {
        for place in [TemplateUse::Note, TemplateUse::Cell, TemplateUse::Path] {
            if let Ok(printed) = settled(&text, place) {
                let again = settled(&printed, place);
                prop_assert_eq!(again.as_deref(), Ok(printed.as_str()));
                for piece in pieces(&printed, Marks::File).unwrap() {
                    let TemplatePiece::Action(action) = piece else { continue };
                    let sort = part(&action, place).unwrap();
                    let prints = matches!(sort, PrintedPart::Value(_));
                    prop_assert_eq!(prints, action.inside.starts_with(FILTER[0]) || is_date(action.inside));
                }
            }
        }
    }
}
