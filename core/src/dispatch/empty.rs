//! A search that found nothing says what to try next.

use serde_json::Value;

use super::advice::{Offers, sources};
use crate::find::ResolvedCall;
use crate::output::Output;
use crate::spec::Tool;

/// Arguments that hold what is looked for.
const SOUGHT: [&str; 2] = ["query", "like"];
/// Arguments that make a search find less.
const NARROWING: [&str; 7] = ["notebook", "under", "types", "since", "ext", "label", "row_ids"];
/// The argument of actions that look among documents.
const UNDER: &str = "under";

/// The answer, with advice if it is an empty first page of a search.
pub(super) fn advised(called: &ResolvedCall, offers: Offers<'_>, output: Output) -> Output {
    let sent = |name: &str| called.arguments.get(name);
    let is_empty = output.data.get("items").and_then(Value::as_array).is_some_and(Vec::is_empty);
    // The search's own advice is better.
    let has_notice = ["near_titles", "truncated"].iter().any(|it| output.data.contains_key(*it));
    if !is_empty || !SOUGHT.iter().any(|it| sent(it).is_some()) || sent("cursor").is_some() || has_notice {
        return output;
    }
    let narrowing: Vec<String> =
        NARROWING.iter().filter(|it| sent(it).is_some()).map(|it| format!("`{it}`")).collect();
    let tree = if called.spec.params().any(|it| it.name == UNDER) {
        sources(&[(Tool::Fs, "tree")], offers)
    } else {
        String::new()
    };
    let advice = match (narrowing.is_empty(), sent("like").is_some(), tree.as_str()) {
        (false, ..) => format!("the same call without {}", narrowing.join(", ")),
        (true, true, _) => "`query` with words of your own".to_owned(),
        (true, false, "") => "fewer or other words, such as the beginning of one".to_owned(),
        (true, false, tree) => {
            format!("fewer or other words, such as the beginning of one; {tree} shows what there is")
        }
    };
    output.with("try", advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::action_named;
    use crate::registry::ACTIONS;

    #[test]
    fn every_narrowing_argument_is_one_of_a_search() {
        let searches = || ACTIONS.iter().filter(|it| it.params().any(|param| param.name == SOUGHT[0]));
        for name in NARROWING {
            assert!(searches().any(|it| it.params().any(|param| param.name == name)), "{name}");
        }
        let all = action_named(Tool::Search, "text").unwrap();
        assert!(SOUGHT.iter().chain([&UNDER]).all(|name| all.params().any(|it| it.name == *name)));
    }
}
