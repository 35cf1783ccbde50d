//! Tests of errands: their bounds, their end, and what crosses their border.

use super::*;

const MINUTE: u64 = 60_000;
const NOW: u64 = 1_700_000_000_000;
const DELETE: (Verb, ThingKind) = (Verb::Delete, ThingKind::Document);
const RENAME: (Verb, ThingKind) = (Verb::Rename, ThingKind::Tag);

fn ids<const N: usize>(ids: [&str; N]) -> BTreeSet<String> {
    ids.into_iter().map(str::to_owned).collect()
}

fn spot(notebook: &str, path: &[&str]) -> ErrandSpot {
    let path = path.iter().map(|&it| it.to_owned()).collect();
    ErrandSpot { notebook: notebook.to_owned(), path, block: String::new() }
}

fn new(changes: u64, deletes: u64, minutes: u64) -> NewErrand {
    NewErrand {
        principal: "a".to_owned(),
        identity: Identity::Unknown,
        ceiling: Some(Ceiling::OPEN),
        client: "Claude".to_owned(),
        agent: None,
        purpose: "tidy".to_owned(),
        place: ErrandPlace::Notebooks(ids(["recipes"])),
        deed: None,
        bounds: ErrandBounds { most: ErrandCost { changes, deletes }, minutes },
    }
}

fn begun(new: NewErrand) -> Errands {
    let errands = Errands::default();
    errands.pass(NOW);
    errands.begin(new, [1, 2]).unwrap();
    errands
}

fn changes(principal: &str, changes: u64) -> ErrandCall<'_> {
    ErrandCall { principal, deed: RENAME, cost: ErrandCost { changes, deletes: 0 } }
}

fn deletes(deletes: u64) -> ErrandCall<'static> {
    ErrandCall { principal: "a", deed: DELETE, cost: ErrandCost { changes: 0, deletes } }
}

fn inside() -> [ErrandSpot; 1] {
    [spot("recipes", &["soups", "leek"])]
}

#[test]
fn bounds_are_kept_to_the_last() {
    let errands = begun(new(3, 2, 20));
    let take = |call: &ErrandCall<'_>| errands.take(call, &inside(), NOW).is_some();
    assert!(!take(&changes("a", 4)) && take(&changes("a", 2)) && !take(&changes("a", 2)));
    assert!(!take(&deletes(3)) && take(&deletes(2)) && !take(&deletes(1)));
    errands.end_spent();
    assert!(take(&changes("a", 1)), "a part of it is left");
    errands.end_spent();
    assert!(!errands.is_any(NOW) && !take(&changes("a", 1)));
}

/// Of many calls side by side, no two take the last number.
#[test]
fn the_last_number_is_taken_once() {
    let errands = begun(new(200, 20, 60));
    let taken = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                for _ in 0..100 {
                    let got = errands.take(&changes("a", 1), &inside(), NOW).is_some();
                    taken.fetch_add(u64::from(got), std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(taken.into_inner(), 200);
}

#[test]
fn only_its_caller_and_its_place_are_covered() {
    let errands = begun(new(9, 9, 20));
    let take = |call: &ErrandCall<'_>, spots: &[ErrandSpot]| errands.take(call, spots, NOW).is_some();
    let out = spot("diary", &["today"]);
    assert!(!take(&changes("b", 1), &inside()));
    for spots in [vec![out.clone()], vec![inside()[0].clone(), out], vec![], vec![ErrandSpot::default()]] {
        assert!(!take(&changes("a", 1), &spots), "{spots:?}");
    }
    let below = begun(NewErrand { place: ErrandPlace::Documents(ids(["soups"])), ..new(9, 9, 20) });
    let take = |spots: &[ErrandSpot]| below.take(&changes("a", 1), spots, NOW).is_some();
    assert!(take(&inside()) && take(&[spot("recipes", &["soups"])]));
    for other in [spot("recipes", &[]), spot("recipes", &["cakes"]), spot("recipes", &["cakes", "leek"])] {
        assert!(!take(std::slice::from_ref(&other)), "{other:?}");
    }
}

#[test]
fn an_offered_errand_covers_its_deed_only() {
    let errands = begun(NewErrand { deed: Some(DELETE), ..new(0, 2, 10) });
    assert!(errands.take(&changes("a", 1), &inside(), NOW).is_none());
    assert!(errands.count("a", 5, &inside(), NOW).is_none(), "its sum is of its deed");
    assert!(errands.take(&deletes(2), &inside(), NOW).is_some());
    let all = ErrandBounds::default();
    assert_eq!(all.offered(DELETE).unwrap().most, ErrandCost { changes: 0, deletes: 20 });
    assert_eq!(all.offered(RENAME).unwrap().most, ErrandCost { changes: 20, deletes: 0 });
    let low = ErrandBounds { most: ErrandCost { changes: 3, deletes: 0 }, minutes: 5 };
    assert_eq!((low.offered(DELETE), low.offered(RENAME).map(|it| it.minutes)), (None, Some(5)));
    assert_eq!(ErrandBounds::NONE.offered(RENAME), None);
}

/// It ends with its time, and with a clock that was set back; a clock read a moment earlier is no such clock.
#[test]
fn an_errand_ends_with_its_time() {
    let at = |moments: &[u64]| {
        let errands = begun(new(9, 9, 20));
        moments.iter().map(|it| errands.is_any(*it)).collect::<Vec<_>>()
    };
    assert_eq!(at(&[NOW + 20 * MINUTE - 1, NOW + 20 * MINUTE]), [true, false]);
    assert_eq!(at(&[NOW + 5, NOW]), [true, true]);
    assert_eq!(at(&[NOW + MINUTE, NOW]), [true, false]);
    assert_eq!(at(&[NOW - MINUTE]), [false]);
    assert_eq!(at(&[0]), [false]);
    // Going back a little at a time gains nothing.
    let errands = begun(new(9, 9, 20));
    let steps = (0..30).map(|step| errands.is_any(NOW + 20 * MINUTE - 1 - step * 100));
    assert_eq!(steps.filter(|it| *it).count(), 11);
}

#[test]
fn a_caller_has_one_errand_at_a_time() {
    let errands = begun(new(9, 9, 20));
    errands.pass(NOW + 5 * MINUTE);
    assert_eq!(errands.begin(new(1, 1, 1), [3, 4]), Err(NotBegun::Another(15 * MINUTE)));
    let other = |at: u64| NewErrand { principal: at.to_string(), ..new(1, 1, 60) };
    for at in 1..64 {
        errands.begin(other(at), [at, at]).unwrap();
    }
    assert_eq!(errands.begin(other(64), [3, 4]), Err(NotBegun::Full));
    errands.end_of("a");
    assert_eq!(errands.begin(new(1, 1, 1), [3, 4]), Err(NotBegun::Gone), "the session is over");
    assert!(errands.begin(other(64), [3, 4]).is_ok());
    errands.end_all();
    assert!(errands.standing().is_empty());
}

/// Changes that never ask count, so that the sum is true; more of them end the errand.
#[test]
fn changes_without_a_question_count() {
    let errands = begun(new(3, 1, 20));
    let count = |n, spots: &[ErrandSpot]| errands.count("a", n, spots, NOW).is_some();
    assert!(!count(1, &[spot("diary", &["today"])]));
    assert!(count(2, &[spot("diary", &["today"]), inside()[0].clone()]));
    assert_eq!(errands.standing()[0].used.changes, 2);
    assert!(errands.take(&changes("a", 2), &inside(), NOW).is_none());
    assert!(count(2, &inside()) && !errands.is_any(NOW));
}

#[test]
fn a_number_is_given_back_once_and_to_its_errand() {
    let errands = begun(new(3, 2, 20));
    let taken = errands.take(&deletes(2), &inside(), NOW).unwrap();
    errands.give_back(&taken);
    assert_eq!(errands.standing()[0].used, ErrandCost::default());
    errands.end_all();
    errands.begin(new(3, 2, 20), [5, 6]).unwrap();
    errands.take(&deletes(1), &inside(), NOW).unwrap();
    errands.give_back(&taken);
    assert_eq!(errands.standing()[0].used.deletes, 1, "another errand");
}

/// A document that was moved into the place is not covered, whichever caller moved it.
#[test]
fn what_crosses_the_border_is_not_covered() {
    let place = || ErrandPlace::Documents(ids(["soups"]));
    let errands = begun(NewErrand { place: place(), ..new(50, 9, 20) });
    let take = |path: &[&str]| errands.take(&changes("a", 1), &[spot("recipes", path)], NOW).is_some();
    // A document from outside is moved below `leek`.
    errands.crossed(&[spot("recipes", &["diary"]), spot("recipes", &["soups", "leek"])]);
    assert!(!take(&["soups", "leek", "diary"]) && !take(&["soups", "leek", "diary", "monday"]));
    assert!(!take(&["soups", "leek"]), "it may hold something of it");
    assert!(take(&["soups", "leek", "stock"]) && take(&["soups"]));
    // A block from outside stays one, also as a document of the same id.
    let block = ErrandSpot { block: "para".to_owned(), ..spot("recipes", &["cakes"]) };
    errands.crossed(&[block.clone(), spot("recipes", &["soups", "lentil"])]);
    assert!(!take(&["soups", "onion", "para"]) && take(&["soups", "onion"]));
    let inside = ErrandSpot { path: spot("recipes", &["soups", "onion"]).path, ..block };
    assert!(errands.take(&changes("a", 1), &[inside], NOW).is_none());
    // A call on one side crosses nothing.
    errands.crossed(&[spot("recipes", &["soups", "bean"]), spot("recipes", &["soups"])]);
    errands.crossed(&[spot("recipes", &["cakes"])]);
    assert!(take(&["soups", "bean"]) && take(&["soups"]));
}

/// Lower ceilings of the person and of the agent end it; higher ones change nothing.
#[test]
fn lower_ceilings_end_an_errand() {
    let bounds = |changes, deletes, minutes| ErrandBounds { most: ErrandCost { changes, deletes }, minutes };
    let obeys = |ceilings: ErrandBounds| {
        let errands = begun(new(9, 5, 20));
        errands.obey(&ceilings);
        errands.is_any(NOW)
    };
    assert!(obeys(ErrandBounds::default()) && obeys(bounds(9, 5, 20)));
    let lower = [bounds(8, 5, 20), bounds(9, 4, 20), bounds(9, 5, 19), bounds(9, 5, 0), ErrandBounds::NONE];
    assert!(lower.into_iter().all(|it| !obeys(it)));
    let ceiling = |level, notebooks: Option<&[&str]>| Ceiling {
        level,
        notebooks: notebooks.map(|all| all.iter().map(|&it| it.to_owned()).collect()),
    };
    let both = ceiling(Level::Write, Some(&["a", "b"]));
    for (now, stays) in [
        (both.clone(), true),
        (ceiling(Level::Delete, None), true),
        (ceiling(Level::Write, Some(&["a", "b", "c"])), true),
        (ceiling(Level::Read, Some(&["a", "b"])), false),
        (ceiling(Level::Delete, Some(&["a"])), false),
        (Ceiling::CLOSED, false),
    ] {
        for known in [Some(both.clone()), None] {
            let errands = begun(NewErrand { ceiling: known, ..new(9, 5, 20) });
            // The first call brings the ceiling of an errand that a question offered.
            errands.obey_ceiling("a", &both);
            errands.obey_ceiling("other", &Ceiling::CLOSED);
            errands.obey_ceiling("a", &now);
            assert_eq!(errands.is_any(NOW), stays, "{now:?}");
        }
    }
}

#[test]
fn every_change_of_the_list_is_news() {
    let errands = begun(new(9, 5, 20));
    let mut seen = errands.revision();
    let mut is_news = |errands: &Errands| {
        let before = std::mem::replace(&mut seen, errands.revision());
        before != seen
    };
    assert!(!is_news(&errands));
    errands.take(&changes("a", 1), &inside(), NOW).unwrap();
    assert!(is_news(&errands));
    errands.pass(NOW + MINUTE);
    assert!(!is_news(&errands));
    let id = errands.standing()[0].id.clone();
    errands.revoke("another");
    assert!(!is_news(&errands));
    errands.revoke(&id);
    assert!(is_news(&errands) && errands.standing().is_empty());
}
