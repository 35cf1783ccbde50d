//! Assets by their names.

use serde_json::{Value, json};

use super::{millis, used};
use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

/// The greatest number of results.
const MOST: usize = 64;

/// The name of a file without the id that the kernel puts behind it.
pub(in crate::endpoints) fn shown_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, end) = name.rsplit_once('.').map_or((name, String::new()), |(s, e)| (s, format!(".{e}")));
    let cut = stem.len().checked_sub(23).and_then(|at| stem.split_at_checked(at));
    match cut {
        Some((short, rest)) if rest.strip_prefix('-').is_some_and(crate::id::is_node_id) => {
            short.to_owned() + &end
        }
        _ => name.to_owned(),
    }
}

/// Files whose name or path contains a text or one of its words, better matches first.
pub(in crate::endpoints) fn by_name(kernel: &Kernel, args: &Args) -> Outcome {
    let wanted = args.text("k")?;
    let ends = args.texts("exts").unwrap_or_default();
    let mut words = vec![wanted.to_lowercase()];
    words.extend(wanted.split(' ').filter(|_| !wanted.is_empty()).map(str::to_lowercase));
    let mut found = Vec::new();
    for (path, changed) in used::files(kernel) {
        let name = shown_name(&path);
        let has_end = |end: &&str| name.to_lowercase().ends_with(&end.to_lowercase());
        if !ends.is_empty() && !ends.iter().any(has_end) {
            continue;
        }
        let count = |text: &str| {
            let text = text.to_lowercase();
            let whole = words.first().filter(|word| text.contains(word.as_str())).map_or(0, |_| 64);
            whole + words.iter().map(|word| text.matches(word.as_str()).count()).sum::<usize>()
        };
        let hits = count(&name) + count(&path);
        if hits > 0 {
            found.push((hits, marked(&name, &words), path, millis(changed) / 1000));
        }
    }
    found.sort_by_key(|entry| std::cmp::Reverse(entry.0));
    let show = |(_, name, path, updated)| json!({ "hName": name, "path": path, "updated": updated });
    Ok(found.into_iter().take(MOST).map(show).collect::<Value>())
}

/// A text with words marked.
pub(in crate::endpoints) fn marked(name: &str, words: &[String]) -> String {
    let words: Vec<String> =
        words.iter().filter(|word| !word.is_empty()).map(|word| regex::escape(word)).collect();
    let pattern =
        regex::Regex::new(&format!("(?i)(?:{})", words.join("|"))).ok().filter(|_| !words.is_empty());
    pattern.map_or_else(|| name.to_owned(), |p| p.replace_all(name, "<mark>$0</mark>").into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asset_names_omit_ids_and_mark_matches() {
        assert_eq!(shown_name("assets/a-b-20250101000000-abcdefg.png"), "a-b.png");
        assert_eq!(shown_name("assets/plain.png"), "plain.png");
        assert_eq!(marked("Pear.png", &["pear".into(), "p".into()]), "<mark>Pear</mark>.<mark>p</mark>ng");
    }
}
