//! The answers of calls, as the module of the actions returns them.

use serde_json::Value;

/// The data of an answer.
///
/// # Errors
/// The message of a call that failed; empty for one that did not run.
pub fn data(text: &str) -> Result<Value, String> {
    let mut answer: Value = serde_json::from_slice(text.as_bytes()).unwrap_or_default();
    let data = answer.get_mut("data").map(Value::take).unwrap_or_default();
    match data.get("error").and_then(|it| it.get("message")).and_then(Value::as_str) {
        Some(message) => Err(message.to_owned()),
        None if data.is_object() => Ok(data),
        None => Err(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::error::ToolError;
    use puppy_core::output::Output;
    use puppy_ui_web::state::reply;

    #[test]
    fn an_answer_is_data_or_a_reason() {
        let text = |reply| reply::to_text(&reply, 1, |_| String::new());
        let found = data(&text(Ok(Output::new().with("n", 7))));
        assert_eq!(found, Ok(serde_json::json!({ "n": 7 })));
        assert!(data(&text(Err(ToolError::not_found()))).is_err_and(|why| !why.is_empty()));
        for none in ["", "{}", reply::STOPPED] {
            assert_eq!(data(none), Err(String::new()), "{none}");
        }
    }
}
