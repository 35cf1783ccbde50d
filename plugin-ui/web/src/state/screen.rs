//! Requests to the page, in the form that `page/screen.js` takes.

use puppy_core::kernel::page::PageRequest;
use serde_json::json;

/// The arguments of a request, as JSON.
pub fn args(request: &PageRequest) -> String {
    let args = match request {
        PageRequest::UiState => json!({}),
        PageRequest::OpenDocument { id, focus, zoom } => json!({ "id": id, "focus": focus, "zoom": zoom }),
        PageRequest::ScrollToBlock { id, open } => json!({ "id": id, "open": open }),
        PageRequest::AskUser { question, options, allow_text, time } => {
            let seconds = time.as_secs();
            json!({ "question": question, "options": options, "allowText": allow_text, "seconds": seconds })
        }
    };
    args.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every argument is one that the script takes.
    #[test]
    fn the_script_takes_every_argument() {
        let script = include_str!("../../../../page/screen.js");
        let (id, time) = ("20250101000000-block00".to_owned(), std::time::Duration::from_secs(30));
        let (question, options) = ("?".to_owned(), vec!["a".to_owned()]);
        for (request, taken) in [
            (
                PageRequest::OpenDocument { id: id.clone(), focus: true, zoom: false },
                "open({ focus, id, zoom })",
            ),
            (PageRequest::ScrollToBlock { id, open: true }, "scroll({ id, open: mayOpen })"),
            (
                PageRequest::AskUser { question, options, allow_text: true, time },
                "ask(call, { allowText, options, question, seconds })",
            ),
        ] {
            assert!(script.contains(&format!("case \"{}\"", request.action())), "{}", request.action());
            assert!(script.contains(taken), "{taken}");
            let args: serde_json::Map<_, _> = serde_json::from_str(&args(&request)).unwrap();
            for name in args.keys() {
                assert!(taken.contains(name.as_str()), "{name}");
            }
        }
        assert_eq!(args(&PageRequest::UiState), "{}");
    }
}
