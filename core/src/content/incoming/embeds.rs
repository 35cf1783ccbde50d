//! Query embeds of a text: parses each statement as SiYuan would, and writes it as our own print.
//!
//! SiYuan runs every embed unprompted, over all notebooks and with write access. So a new embed must be one SELECT within
//! the rules of `index::Embed`. An embed that the replaced text had is kept unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

use super::code::{behind_marks, mask};
use super::folded::{decoded, is_dropped};
use crate::error::ToolError;
use crate::index::Embed;

/// The maximum number of new embeds in a text: SiYuan runs all of them again and again.
const MOST: usize = 32;
/// The begin of an embed that is JavaScript.
const SCRIPT: &str = "//!js";
/// A line break in a stored statement.
const LINE_BREAK: &str = "_esc_newline_";

/// A place in a text that SiYuan reads, or may read, as an embed.
#[derive(Debug, PartialEq, Eq)]
struct EmbedSpan {
    /// From its first brace to its last, or the whole line of one that is in doubt.
    range: Range<usize>,
    is_doubtful: bool,
}

/// The places of embeds in a text whose code is blanked out.
fn spots(masked: &str) -> Vec<EmbedSpan> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in masked.split_inclusive('\n') {
        found.extend(spot(line).map(|(range, is_doubtful)| EmbedSpan {
            range: start + range.start..start + range.end,
            is_doubtful,
        }));
        start += line.len();
    }
    found
}

/// The place in a line. SiYuan reads a block from the braces to the end of the line, without blanks of any script.
fn spot(line: &str) -> Option<(Range<usize>, bool)> {
    let text = line.trim_end();
    let open = text.find("{{")?;
    let rest = behind_marks(text);
    let begins = text.len() - rest.len();
    let ends = text.ends_with("}}") && text.len() >= begins + 4;
    if rest.starts_with("{{") {
        return match ends {
            true => Some((begins..text.len(), false)),
            // A super block; or a text with braces, if they are closed in it.
            false if rest.starts_with("{{{") || rest.contains("}}") => None,
            false => Some((0..text.len(), true)),
        };
    }
    // Text before the braces may be a mark that only SiYuan knows.
    let is_mark =
        |it: char| !it.is_alphabetic() && !"#|`<(\"'\\$".contains(it) || "xX".contains(it) || is_dropped(it);
    let before = text.get(begins..open).unwrap_or_default();
    (text.ends_with("}}") && before.chars().all(is_mark)).then_some((0..text.len(), true))
}

/// The embeds of a text, with the number of times each occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct Embeds(BTreeMap<String, usize>);

impl Embeds {
    /// Those of a text, given with its code blanked out too.
    pub(super) fn of(text: &str, masked: &str) -> Embeds {
        let mut found = Embeds::default();
        for EmbedSpan { range, .. } in spots(masked) {
            *found.0.entry(text.get(range).unwrap_or_default().to_owned()).or_default() += 1;
        }
        found
    }

    /// Whether it is one of them.
    #[cfg(test)]
    pub(super) fn has(&self, embed: &str) -> bool {
        self.0.contains_key(embed)
    }

    /// These and others.
    pub(super) fn and(mut self, others: Embeds) -> Embeds {
        for (embed, count) in others.0 {
            *self.0.entry(embed).or_default() += count;
        }
        self
    }

    /// Whether one of them occurs more often than in `before`.
    pub(super) fn is_beyond(&self, before: &Embeds) -> bool {
        self.0.iter().any(|(embed, count)| before.0.get(embed).is_none_or(|it| it < count))
    }

    /// Takes one out; `false` if it is not there.
    fn take(&mut self, embed: &str) -> bool {
        match self.0.get_mut(embed) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// A text without its embeds; positions stay the same.
pub(super) fn blanked(masked: &str) -> String {
    let (mut out, mut from) = (String::with_capacity(masked.len()), 0);
    for EmbedSpan { range, .. } in spots(masked) {
        out.push_str(masked.get(from..range.start).unwrap_or_default());
        out.extend(range.clone().map(|_| ' '));
        from = range.end;
    }
    out.push_str(masked.get(from..).unwrap_or_default());
    out
}

/// The text with each new embed as our own print.
pub(super) fn printed(text: &str, masked: &str, kept: &Embeds) -> Result<String, ToolError> {
    let mut kept = kept.clone();
    let (mut out, mut from, mut new) = (String::with_capacity(text.len()), 0, 0);
    for EmbedSpan { range, is_doubtful } in spots(masked) {
        let embed = text.get(range.clone()).unwrap_or_default();
        if kept.take(embed) {
            continue;
        }
        new += 1;
        if is_doubtful {
            return Err(refused("ambiguous braces"));
        }
        if new > MOST {
            return Err(refused(&format!("more than {MOST} of them")));
        }
        let statement = Embed::of(&statement(inside(embed))).map_err(|why| refused(&why))?;
        out.push_str(text.get(from..range.start).unwrap_or_default());
        out.push_str(&format!("{{{{{}}}}}", statement.as_str()));
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Ok(out)
}

fn refused(why: &str) -> ToolError {
    ToolError::field(
        "markdown",
        format!(
            "Markdown whose query embeds are one SELECT, on a line of their own, such as {{{{{}}}}}; write other braces as code; here: {why}",
            Embed::EXAMPLE
        ),
    )
}

fn inside(embed: &str) -> &str {
    embed.strip_prefix("{{").and_then(|it| it.strip_suffix("}}")).unwrap_or_default()
}

/// The statement that SiYuan runs for the text between the braces.
fn statement(script: &str) -> String {
    decoded(script).replace(LINE_BREAK, "\n").trim().to_owned()
}

/// The reason why SiYuan may not write this stored embed again for an agent; `None` if it may.
///
/// SiYuan writes the text back unchanged, so no character of it may mean something else to another parser.
pub(super) fn fault(script: &str) -> Option<String> {
    const ODD: [&str; 8] = [";", "--", "/*", "`", "[", "&", "\\", "{"];
    let statement = statement(script);
    if let Some(odd) = ODD.into_iter().find(|it| statement.contains(it)) {
        return Some(format!("{odd} in its statement"));
    }
    Embed::of(&statement).err()
}

/// The fault of the first embed of a text that SiYuan may not write again for an agent.
pub(super) fn first_fault(text: &str) -> Option<String> {
    let masked = mask(text).text;
    spots(&masked).into_iter().find_map(|EmbedSpan { range, is_doubtful }| match is_doubtful {
        true => Some("ambiguous braces".to_owned()),
        false => fault(inside(text.get(range).unwrap_or_default())),
    })
}

/// Whether the page runs a stored embed of this Markdown as JavaScript.
pub fn runs_a_script(markdown: &str) -> bool {
    statement(inside(markdown.trim())).starts_with(SCRIPT)
}

/// Whether SiYuan may run anything but one SELECT for a stored embed of this Markdown. A script is not counted here.
pub fn runs_more_than_a_select(markdown: &str) -> bool {
    let statement = statement(inside(markdown.trim()));
    if statement.starts_with(SCRIPT) || Embed::is_one_select(&statement) {
        return false;
    }
    // A SELECT that cannot be read runs nothing, unless there is a second statement in it.
    let verb = statement.get(..6).unwrap_or_default();
    !verb.eq_ignore_ascii_case("select") || statement.contains([';', '&'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str) -> Result<String, ToolError> {
        printed(text, &mask(text).text, &Embeds::default())
    }

    #[test]
    fn new_embed_is_sent_as_our_print() {
        for (text, print) in [
            ("{{ select * from blocks }}", "{{SELECT * FROM blocks LIMIT 64}}"),
            (
                "- {{select * from blocks limit 2}}\u{a0}\n- b",
                "- {{SELECT * FROM blocks LIMIT 2}}\u{a0}\n- b",
            ),
            (
                "> - [ ] {: custom-a=\"1\"}{{SELECT * FROM blocks WHERE length &lt; 3 LIMIT 1}}",
                "> - [ ] {: custom-a=\"1\"}{{SELECT * FROM blocks WHERE length < 3 LIMIT 1}}",
            ),
            (
                "{{SELECT * FROM blocks_esc_newline_WHERE id &#61 'a' LIMIT 1}}",
                "{{SELECT * FROM blocks WHERE id = 'a' LIMIT 1}}",
            ),
        ] {
            assert_eq!(sent(text).as_deref(), Ok(print), "{text}");
        }
        for text in [
            "a {{ b }} c",
            "{{{row\na\n\nb\n}}}",
            "{{ b }} c",
            "# {{title}}",
            "Dear {{name}}",
            "|{{a}}|",
            "`{{a}}`",
        ] {
            assert_eq!(sent(text).as_deref(), Ok(text));
        }
    }

    /// S0: the spellings of the review in every place where SiYuan reads an embed.
    #[test]
    fn embed_that_is_not_one_select_is_refused() {
        for embed in [
            "{{SELECT * FROM blocks /*'*/; DELETE FROM blocks /*'*/}}",
            "{{SELECT * FROM blocks WHERE `a'b` ; DELETE FROM blocks}}",
            "{{SELECT * FROM blocks WHERE [a'b] ; DELETE FROM blocks}}",
            "{{SELECT * FROM blocks --'_esc_newline_; DELETE FROM blocks}}",
            "{{SELECT * FROM blocks&#59 UPDATE blocks SET box = ''}}",
            "{{SELECT * FROM blocks&semi; UPDATE blocks SET box = ''}}",
            "{{SELECT * FROM blocks&#x3bUPDATE blocks SET box = ''}}",
            "{{//!js return []}}",
            "{{DELETE FROM blocks}}",
            "{{}}",
            "{{{SELECT * FROM blocks}}",
            "{{ SELECT 1 }} x }}; DROP y}}",
        ] {
            for around in [
                "X",
                "- X",
                "> X",
                "- [ ] X",
                "1. X",
                "{{{row\nX\n\nb\n}}}",
                "> [!NOTE]\n> X",
                "a\nX\nb",
                "X\u{3000}",
                "- {: custom-a=\"1\"}X",
            ] {
                let text = around.replace('X', embed);
                let error = sent(&text).unwrap_err();
                assert!(error.message.contains("one SELECT"), "{text}: {}", error.message);
            }
        }
        for text in [
            "{{\nnot closed",
            "\u{200b}{{SELECT * FROM blocks}}",
            "[^1]: {{SELECT * FROM blocks}}",
            "** {{a}}",
        ] {
            assert!(sent(text).is_err(), "{text}");
        }
        let many = |n: usize| vec!["{{SELECT * FROM blocks}}"; n].join("\n\n");
        assert!(sent(&many(32)).is_ok() && sent(&many(33)).is_err());
    }

    #[test]
    fn embed_that_was_there_stays_byte_for_byte() {
        let old = "{{SELECT 1; DROP TABLE x}}\n\n* {: id=\"a\"}{{//!js return []}}\n\n{{\nopen";
        let before = Embeds::of(old, &mask(old).text);
        let again = |text: &str| printed(text, &mask(text).text, &before);
        assert_eq!(again(old).as_deref(), Ok(old));
        assert_eq!(again("- {{SELECT 1; DROP TABLE x}}").as_deref(), Ok("- {{SELECT 1; DROP TABLE x}}"));
        for text in [
            "{{SELECT 1;  DROP TABLE x}}",
            "{{ SELECT 1; DROP TABLE x}}",
            "{{SELECT 1; DROP TABLE x}}\n\n{{SELECT 1; DROP TABLE x}}",
            "{{SELECT 1; DROP TABLE y}}",
        ] {
            assert!(again(text).is_err(), "{text}");
        }
    }

    #[test]
    fn stored_embed_is_written_again_if_it_is_one_plain_select() {
        for script in [
            "SELECT * FROM blocks WHERE length &lt; 3",
            "select * from blocks_esc_newline_where type = 'p'_esc_newline_limit 5",
        ] {
            assert_eq!(fault(script), None, "{script}");
            assert!(!runs_more_than_a_select(&format!("{{{{{script}}}}}")));
        }
        for script in [
            "SELECT * FROM blocks;",
            "SELECT * FROM blocks -- all",
            "SELECT * FROM blocks /* all */",
            "SELECT * FROM `blocks`",
            "SELECT * FROM blocks WHERE content = 'a&amp;b'",
            "//!js return []",
            "SELECT * FROM blocks ORDER BY random()",
        ] {
            assert!(fault(script).is_some(), "{script}");
        }
        assert!(first_fault("a\n\n- {{SELECT 1; DROP x}}").is_some() && first_fault("a {{b}} c").is_none());
    }

    #[test]
    fn persons_embed_is_reported_if_it_is_more_than_a_select() {
        for script in [
            "SELECT * FROM blocks WHERE content LIKE '%;%' ORDER BY random() LIMIT 1, 5;",
            "WITH x AS (SELECT * FROM blocks) SELECT * FROM x",
            "//!js return []; a",
            "SELECT * FROM blocks WHERE content MATCH 'x'",
            "SELECT * FROM blocks WHERE",
        ] {
            assert!(!runs_more_than_a_select(&format!("{{{{{script}}}}}")), "{script}");
        }
        for script in [
            "SELECT 1; SELECT 2",
            "SELECT 1 /*'*/; DELETE FROM blocks /*'*/",
            "SELECT 1&#59 DELETE FROM blocks",
            "SELECT 1--'_esc_newline_; DELETE FROM blocks",
            "DELETE FROM blocks",
            "VACUUM INTO 'x'",
        ] {
            assert!(runs_more_than_a_select(&format!("{{{{{script}}}}}")), "{script}");
        }
    }
}
