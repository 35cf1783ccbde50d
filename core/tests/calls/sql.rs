//! `search.sql`: attacks and random statements cannot tell a full closed notebook from an empty one.

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::spec::Tool;
use serde_json::json;

use crate::kernel::Nobody;
use crate::statements::{ATTACKS, Dice};
use crate::world::{World, call, shown};

fn workspaces() -> [Engine<World, Nobody>; 2] {
    let full = World::new()
        .notebook("Garden", "rw")
        .notebook("Private", "none")
        .notebook("Attic", "r")
        .doc("/Private/Plan", "cinnabar #ore#\n\n## cinnabar heat\n\n* a ![cinnabar](assets/cinnabar.png)")
        .doc("/Garden/Mint", "leaf #herbs# (({/Private/Plan} 'it'))\n\n> a quote\n\n![leaf](assets/leaf.png)")
        .doc("/Attic/Chest", "dust (({/Garden/Mint} 'Mint')) (({/Private/Plan#0} 'x'))")
        .doc("/Private/Letters", "cinnabar (({/Garden/Mint} 'cinnabar'))");
    for (name, attrs) in [
        ("/Private/Plan#0", json!({ "custom-a": "cinnabar", "memo": "A" })),
        ("/Garden/Mint#0", json!({ "custom-a": "A" })),
    ] {
        full.ask("attr/setBlockAttrs", &json!({ "id": full.id(name), "attrs": attrs }));
    }
    full.ask("sqlite/flushTransaction", &json!({}));
    let empty = full.copy();
    empty.demo.empty_notebook(empty.id("/Private")).unwrap();
    empty.ask("sqlite/flushTransaction", &json!({}));
    [full, empty].map(|world| Engine::new(world, Nobody))
}

/// The answer and the requests, and whether the statement was run.
fn told(engine: &Engine<World, Nobody>, sql: &str) -> (String, Vec<&'static str>) {
    let arguments = json!({ "action": "sql", "sql": sql });
    engine.kernel.take_paths();
    let reply = shown(&call(engine, Tool::Search, &arguments, &Approval::Given));
    (reply, engine.kernel.take_paths())
}

fn same(twins: &[Engine<World, Nobody>; 2], sql: &str) -> Result<bool, TestCaseError> {
    let [full, empty] = twins;
    let (seen, expected) = (told(full, sql), told(empty, sql));
    prop_assert_eq!(&seen, &expected, "{}", sql);
    prop_assert!(sql.contains("cinnabar") || !seen.0.contains("cinnabar"), "{}\n{}", sql, seen.0);
    Ok(!seen.0.starts_with("{\"error\""))
}

/// B-055.
#[test]
fn attacks_see_an_empty_notebook() {
    let twins = workspaces();
    let run: Vec<bool> = ATTACKS.iter().map(|sql| same(&twins, sql).unwrap()).collect();
    let run = run.into_iter().filter(|it| *it).count();
    assert!((4..20).contains(&run), "{run} of {} were run", ATTACKS.len());
}

/// B-055. More of them, or others: `PROPTEST_CASES=20000 cargo test -p puppy-core --test calls random_statements`.
#[test]
fn random_statements_see_an_empty_notebook() {
    let twins = workspaces();
    let given = ProptestConfig::default();
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..given };
    let run = std::cell::Cell::new(0);
    let cases = config.cases;
    TestRunner::new(config)
        .run(&prop::collection::vec(any::<u16>(), 64), |picks| {
            let mut at = 0;
            let mut roll = |below: usize| {
                at += 1;
                usize::from(picks.get(at - 1).copied().unwrap_or_default()) % below.max(1)
            };
            if same(&twins, &Dice(&mut roll).statement())? {
                run.set(run.get() + 1);
            }
            Ok(())
        })
        .unwrap_or_else(|why| panic!("{why}"));
    assert!(run.get() > cases / 2, "{} of {cases} were run", run.get());
}
