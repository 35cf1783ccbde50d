//! The fuzz target of kramdown: whatever a text holds, no line, no id and no attribute of it gets lost.

use proptest::prelude::*;

use super::*;
use crate::testing::fuzz::{fragments, fuzz};

/// The lines that are not blank.
fn lines_of(text: &str) -> Vec<&str> {
    text.lines().filter(|it| !it.trim().is_empty()).collect()
}

/// Whether one text is left of another when characters are taken out.
fn is_left_of(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    part.chars().all(|it| whole.any(|other| other == it))
}

fn attributes_of(found: Vec<AttributeSpan>) -> Vec<AttributeList> {
    found.into_iter().map(|it| it.attributes).collect()
}

#[test]
fn hostile_kramdown_keeps_its_lines_and_ids() {
    fuzz(&fragments(include_str!("../../../tests/fuzz/kramdown.jsonl")), |text| {
        let all = lists(text);
        for AttributeSpan { range, attributes } in &all {
            let read = text.get(range.clone()).and_then(AttributeList::parse);
            prop_assert_eq!(read, Some((attributes.clone(), range.len())));
            let printed = attributes.to_string();
            prop_assert_eq!(AttributeList::parse(&printed), Some((attributes.clone(), printed.len())));
        }
        prop_assert_eq!(rewrite(text, |list| Some(list.clone())), text);

        // Every list of a block is a list of the text, in the same order.
        let mut rest = all.iter().map(|it| &it.attributes);
        for list in attribute_lists(text) {
            prop_assert!(rest.any(|it| *it == list), "{} is no list of the text", list);
        }

        let cut = blocks(text);
        let ids: Vec<&str> = cut.iter().filter_map(|it| it.attributes.id()).collect();
        if !text.contains("type=\"doc\"") {
            for cut in [&cut, &blocks_of(text, &ids)] {
                let kept: Vec<&str> = cut.iter().flat_map(|it| lines_of(&it.kramdown)).collect();
                prop_assert_eq!(kept, lines_of(text));
            }
        }
        // A line break at the end keeps the blank lines of a block that no list closes.
        let joined = cut.iter().map(|it| it.kramdown.as_str()).collect::<Vec<_>>().join("\n\n") + "\n";
        prop_assert_eq!(blocks(&joined), cut);

        prop_assert!(
            is_left_of(&strip(text), text),
            "the Markdown has more than the kramdown: {}",
            strip(text)
        );
        Ok(())
    });
}

/// A list that is printed again, as every write does, is read as the same list in its old surroundings.
#[test]
fn reprinted_lists_of_hostile_kramdown_are_read_again() {
    fuzz(&fragments(include_str!("../../../tests/fuzz/kramdown.jsonl")), |text| {
        let changed = |list: &AttributeList| {
            let mut list = list.clone();
            list.set("custom-new", "{\"&\"}\n");
            list
        };
        let expected: Vec<AttributeList> = lists(text).iter().map(|it| changed(&it.attributes)).collect();
        let printed = rewrite(text, |list| Some(changed(list)));
        prop_assert_eq!(attributes_of(lists(&printed)), expected, "{}", printed);
        Ok(())
    });
}
