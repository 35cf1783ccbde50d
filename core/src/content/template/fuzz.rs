//! The fuzz targets of templates: an accepted one is read as it is printed, and no text hides an action or its growth.

use proptest::prelude::*;

use super::*;
use crate::testing::fuzz::{fragments, fuzz, mixed, run};

fn corpus() -> Vec<String> {
    fragments(include_str!("../../../tests/fuzz/template.jsonl"))
}

/// Every kind of marks with the places where templates with such marks go.
const USES: [(Marks, TemplateUse); 4] = [
    (Marks::File, TemplateUse::Note),
    (Marks::File, TemplateUse::Cell),
    (Marks::Braces, TemplateUse::Path),
    (Marks::Braces, TemplateUse::Cell),
];

/// A template put together from its pieces; `None` if it has comments, which are no part of them.
fn joined(pieces: &[TemplatePiece<'_>], marks: Marks) -> Option<String> {
    let each = pieces.iter().map(|piece| match piece {
        TemplatePiece::Text(text) => Some((*text).to_owned()),
        TemplatePiece::Action(it) if it.inside.is_empty() => None,
        TemplatePiece::Action(it) => Some(format!("{}{}{}", marks.open(), it.inside, marks.close())),
    });
    each.collect()
}

#[test]
fn hostile_templates_are_read_as_they_are_printed() {
    fuzz(&corpus(), |text| {
        for (marks, place) in USES {
            let Ok(read) = pieces(text, marks) else {
                prop_assert!(settle(text, (marks, place), "text").is_err() && !only_computes(text, marks));
                continue;
            };
            if let Some(joined) = joined(&read, marks) {
                prop_assert_eq!(joined, text);
            }
            for piece in &read {
                prop_assert!(
                    !matches!(piece, TemplatePiece::Text(it) if it.contains(marks.open())),
                    "{:?}",
                    piece
                );
            }
            let Ok(settled) = settle(text, (marks, place), "text") else { continue };
            let printed = settled.printed();
            let again = settle(&printed, (marks, place), "text");
            prop_assert_eq!(again.as_ref().ok(), Some(&settled), "{}", printed);
            prop_assert!(
                only_computes(text, marks) && computes_within_bounds(&printed, marks),
                "{}",
                printed
            );
            let own: BTreeSet<&str> = names(&read);
            prop_assert_eq!(names(&pieces(&printed, marks).unwrap_or_default()), own);
        }
        Ok(())
    });
}

/// A text that doubles more often than any bound allows, with anything between its steps that is whole in itself.
#[test]
fn no_text_hides_growth() {
    const DOUBLINGS: usize = 40;
    let corpus = corpus();
    for marks in [Marks::File, Marks::Braces] {
        let between = prop::collection::vec(mixed(&corpus), DOUBLINGS);
        let action = |inside: &str| format!("{}{inside}{}", marks.open(), marks.close());
        let doubled = action("$x = print $x $x");
        run(between, |texts| {
            // Text that joins with the mark behind it would be another action.
            let whole =
                |it: &String| pieces(it, marks).is_ok() && pieces(&(it.clone() + &doubled), marks).is_ok();
            let steps = texts.into_iter().map(|it| if whole(&it) { it } else { String::new() });
            let steps: Vec<String> = steps.map(|it| it + &doubled).collect();
            let text = action("$x := \"ab\"") + &steps.concat() + &action("$x");
            let Ok(read) = pieces(&text, marks) else { return Ok(()) };
            prop_assert!(check_growth(&read, "text").is_err(), "{} may grow without a bound", text);
            prop_assert!(!computes_within_bounds(&text, marks));
            Ok(())
        });
    }
}
