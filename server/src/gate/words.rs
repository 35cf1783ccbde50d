//! The texts of the gate: for a person who is asked, and for a model whose call was stopped.

use puppy_core::bridge::Detail;
use puppy_core::dispatch::Question;
use serde_json::Value;

use super::seal::Broken;

/// The way to confirm a call that was stopped.
pub(super) const HOW_TO_CONFIRM: &str = "Show the person this plan. If they agree, send the same call again \
    with the argument `confirm` set to the text in `confirm` here; it holds for this call, for 5 minutes, once.";
/// The way to get the answer of a call whose question waits.
pub(super) const WAITS: &str = "The question waits in SiYuan, also after this answer. Tell the person; then send the same \
    call again with the argument `confirm` set to the text in `confirm` here, to have the result or to wait on.";
/// The explanation after a no in SiYuan.
pub(super) const DENIED: &str = "The person denied it in SiYuan.";
/// The explanation while an approved plan is carried out.
pub(super) const RUNNING: &str =
    "This call was approved and is being carried out. Send it again for its result.";
/// The explanation of a token whose question is over.
pub(super) const UNANSWERED: &str = "Nobody answered the earlier question. ";
/// The explanation when nobody can be asked.
pub(super) const BLOCKED: &str = "Agents cannot have it approved here. A person can do it in SiYuan or on the \
    command line, or start siyuan-puppy with another order of --confirm.";
/// The explanation while no further question has room in SiYuan.
pub(super) const FULL: &str = "Too many questions wait in SiYuan. Tell the person to answer some there; then send the \
    same call again.";
/// The explanation while the person has refused several questions in a row.
pub(super) fn braked(seconds: u64) -> String {
    format!(
        "The person refused the last questions in SiYuan, so none is shown there for {seconds} more seconds. Ask the \
         person before you send this call after that time."
    )
}
/// The explanation after a no.
pub(super) const FINAL: &str = "Nothing was changed. Do not try again unless the person asks for it.";
/// What comes after it where the client brought the answer.
pub(super) const BY_CLIENT: &str = "(A person who saw no question has a client that answers for them: `--confirm \
    token` asks another way.)";
/// The explanation after a timeout.
pub(super) const NO_ANSWER: &str = "Nobody answered the question in time.";

/// The fault of a token that came with a call.
pub(super) const fn trouble(broken: Broken) -> &'static str {
    match broken {
        Broken::Foreign => {
            "The `confirm` that was sent was not given for this call, these arguments and this caller. "
        }
        Broken::Expired => "The `confirm` that was sent is older than 5 minutes. ",
        Broken::Used => "The `confirm` that was sent was used before. ",
    }
}

/// The longest excerpt from notes in a question, in characters.
const LONGEST: usize = 80;
/// The number of list items shown in a question.
const MOST: usize = 10;

/// The question for a person. Titles are text from notes: shown without markup, on one line, truncated.
pub(crate) fn asked(question: &Question) -> String {
    let mut text = format!("An agent wants to run {}.\n{}", question.path, question.danger);
    for (name, value) in question.plan.iter().filter(|(name, _)| *name != "would") {
        text.push_str(&format!("\n{}: {}", name.replace('_', " "), plain(value)));
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => one_line(text),
        Value::Array(items) => {
            let more = items.len().saturating_sub(MOST);
            let mut shown: Vec<String> = items.iter().take(MOST).map(plain).collect();
            if more > 0 {
                shown.push(format!("and {more} more"));
            }
            shown.join("; ")
        }
        Value::Object(map) => {
            let fields =
                map.iter().map(|(name, value)| format!("{} {}", name.replace('_', " "), plain(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        single => single.to_string(),
    }
}

/// The plan of a question in plain lines.
pub(super) fn details(question: &Question) -> Vec<Detail> {
    let shown = question.plan.iter().filter(|(name, _)| *name != "would").take(MOST);
    shown
        .map(|(name, value)| Detail {
            name: name.replace('_', " "),
            text: one_line_of(&plain(value), SENTENCE),
        })
        .collect()
}

/// The longest sentence of a question in SiYuan, in characters.
pub(super) const SENTENCE: usize = 1_000;

/// Text from a note on one line, without invisible characters.
pub(super) fn one_line(text: &str) -> String {
    one_line_of(text, LONGEST)
}

/// Text on one line of at most this many characters, without invisible ones.
pub(super) fn one_line_of(text: &str, longest: usize) -> String {
    let seen = |c: char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let mut line: String = text.chars().map(|c| if seen(c) { c } else { ' ' }).take(longest).collect();
    if text.chars().nth(longest).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    /// A line break in a title could imitate an answer below the question.
    #[test]
    fn line_breaks_in_question_text_are_replaced() {
        for apart in ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{b}'] {
            assert_eq!(one_line(&format!("a{apart}b")), "a b", "{apart:?}");
        }
    }
}
