//! The fuzz targets of incoming Markdown: an accepted text is accepted again as it is, and carries no id from elsewhere.

use proptest::prelude::*;

use super::tests::{OLD, checked, kernel};
use super::*;
use crate::testing::fuzz::{fragments, fuzz, mixed, run};

fn corpus() -> Vec<String> {
    fragments(include_str!("../../../tests/fuzz/incoming.jsonl"))
}

/// The ids in the attribute lists of a text, outside of code.
fn ids(text: &str) -> Vec<String> {
    let lists = kramdown::lists(&code::mask(text).text);
    lists.iter().filter_map(|it| it.attributes.id().map(str::to_owned)).collect()
}

#[test]
fn hostile_markdown_is_accepted_as_it_is_sent() {
    let (kernel, nothing) = (kernel(), ReplacedContent::nothing());
    fuzz(&corpus(), |text| {
        let masked = code::mask(text);
        prop_assert_eq!((masked.text.len(), masked.fenced.len()), (text.len(), text.len()));
        prop_assert_eq!(masked.text.matches('\n').count(), text.matches('\n').count());
        let Ok(sent) = checked(&kernel, text, &nothing) else { return Ok(()) };
        let again = checked(&kernel, &sent.markdown, &nothing);
        let expected = Incoming { ids_dropped: Vec::new(), ..sent.clone() };
        prop_assert_eq!(again.as_ref().ok(), Some(&expected), "{:?}", again);
        prop_assert_eq!(ids(&sent.markdown), Vec::<String>::new());
        prop_assert!(!sent.markdown.contains([CURSOR, '\r', '\0']));
        // A list prints a brace in a value as six characters.
        prop_assert!(sent.markdown.len() <= 8 * text.len() + 100, "{} bytes", sent.markdown.len());
        let second = recheck(&sent.markdown, &sent.markdown, "");
        prop_assert!(second.is_ok(), "the second lock refuses {}: {:?}", sent.markdown, second);
        Ok(())
    });
}

/// A text in place of another keeps at most the ids of that one, each once.
#[test]
fn hostile_markdown_keeps_only_the_ids_that_it_replaces() {
    let (kernel, corpus) = (kernel(), corpus());
    run((mixed(&corpus), mixed(&corpus)), |(old, text)| {
        let kept = ReplacedContent::of(&format!("{old}\n\nold\n{{: id=\"{OLD}\" custom-avs=\"av\"}}"));
        let Ok(sent) = checked(&kernel, &text, &kept) else { return Ok(()) };
        let sent_ids = ids(&sent.markdown);
        let once: BTreeSet<&String> = sent_ids.iter().collect();
        prop_assert_eq!(once.len(), sent_ids.len(), "an id stands twice: {}", sent.markdown);
        prop_assert!(once.iter().all(|it| kept.blocks.contains_key(*it)), "a new id: {}", sent.markdown);
        let again = checked(&kernel, &sent.markdown, &kept).map(|it| it.markdown);
        prop_assert_eq!(again.as_ref().ok(), Some(&sent.markdown), "{:?}", again);
        Ok(())
    });
}
