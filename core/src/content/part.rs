//! A part of a plain text: from a character on, as much as a budget allows.

use super::window::CHARS_PER_TOKEN;
use crate::output::Output;

/// Adds the part to an answer: the text as body, its length, and `next` if there is more.
pub fn of(text: &str, offset: usize, budget: usize, output: Output) -> Output {
    let all = text.chars().count();
    let body: String = text.chars().skip(offset).take(budget * CHARS_PER_TOKEN).collect();
    let end = offset + body.chars().count();
    let more = end < all && offset < all;
    output.with("characters", all).flag("truncated", more).with("next", more.then_some(end)).body(body)
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::output::Output;

    /// B-029: following `next` yields every character once.
    #[test]
    fn following_next_yields_everything_once() {
        let text = "小🌱x".repeat(200);
        let (mut all, mut offset) = (String::new(), 0);
        loop {
            let part = of(&text, offset, 25, Output::new());
            all.push_str(&part.body.unwrap());
            match part.data.get("next").and_then(serde_json::Value::as_u64) {
                Some(next) => offset = usize::try_from(next).unwrap(),
                None => break,
            }
        }
        assert_eq!(all, text);
        assert_eq!(of(&text, 9_999, 25, Output::new()).body.as_deref(), Some(""));
    }
}
