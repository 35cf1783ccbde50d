//! A search that found nothing says what to try next.

use serde_json::Value;

use crate::find::Called;
use crate::output::Output;

/// The argument that holds what is looked for.
const QUERY: &str = "query";
/// Arguments that make a search find less.
const NARROWING: [&str; 6] = ["notebook", "under", "types", "tag", "from", "to"];

/// The answer, with advice if it is an empty first page of a search.
pub(super) fn advised(called: &Called, output: Output) -> Output {
    let sent = |name: &str| called.arguments.get(name);
    let is_empty = output.data.get("items").and_then(Value::as_array).is_some_and(Vec::is_empty);
    // What the search itself proposes is better.
    let has_proposal = output.data.contains_key("near_titles");
    if !is_empty || sent(QUERY).is_none() || sent("cursor").is_some() || has_proposal {
        return output;
    }
    let narrowing: Vec<String> =
        NARROWING.iter().filter(|it| sent(it).is_some()).map(|it| format!("`{it}`")).collect();
    let advice = match narrowing.is_empty() {
        false => format!("the same call without {}", narrowing.join(", ")),
        true => "fewer or other words, such as the beginning of one; fs.tree shows what there is".to_owned(),
    };
    output.with("try", advice)
}
