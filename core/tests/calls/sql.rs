//! `search.sql`: attacks and random statements cannot tell a full closed notebook from an empty one.

use std::sync::atomic::Ordering;

use futures_util::future::{FutureExt, join3};
use proptest::prelude::*;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::output::Reply;
use puppy_core::spec::Tool;
use serde_json::json;

use crate::kernel::{Nobody, ready};
use crate::slow::Slow;
use crate::statements::{ATTACKS, ORACLES, each_statement};
use crate::world::{World, call, shown};

fn workspaces() -> [Engine<World, Nobody>; 2] {
    let full = World::new()
        .notebook("Garden", "rw")
        .notebook("Private", "none")
        .notebook("Attic", "r")
        .doc("/Private/Plan", "cinnabar #ore#\n\n## cinnabar heat\n\n* a ![cinnabar](assets/cinnabar.png)\n\n&#99;innabar &amp; ore")
        .doc("/Garden/Mint", "leaf #herbs# (({/Private/Plan} 'it'))\n\n> a quote\n\n![leaf](assets/leaf.png)\n\nleaf &amp; stem")
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
fn outcome(engine: &Engine<World, Nobody>, sql: &str) -> (String, Vec<&'static str>) {
    let arguments = json!({ "action": "sql", "sql": sql });
    engine.kernel.take_paths();
    let reply = shown(&call(engine, Tool::Search, &arguments, &Approval::Given));
    (reply, engine.kernel.take_paths())
}

fn same(twins: &[Engine<World, Nobody>; 2], sql: &str) -> Result<bool, TestCaseError> {
    let [full, empty] = twins;
    let (seen, expected) = (outcome(full, sql), outcome(empty, sql));
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
    assert!((10..30).contains(&run), "{run} of {} were run", ATTACKS.len());
    let plan = twins[0].kernel.id("/Private/Plan").to_owned();
    for sql in ORACLES {
        same(&twins, &sql.replace("hidden-1", &plan)).unwrap();
    }
}

/// B-055. More of them, or others: `PROPTEST_CASES=20000 cargo test -p puppy-core --test calls random_statements`.
#[test]
fn random_statements_see_an_empty_notebook() {
    let twins = workspaces();
    let cases = ProptestConfig::default().cases;
    let run = std::cell::Cell::new(0);
    each_statement(5, cases, |sql| {
        if same(&twins, sql)? {
            run.set(run.get() + 1);
        }
        Ok(())
    });
    assert!(run.get() > cases / 2, "{} of {cases} were run", run.get());
}

fn slow() -> Engine<Slow, Nobody> {
    let world = World::new().notebook("Garden", "rw").doc("/Garden/Mint", "leaf");
    Slow::engine(world, |_, body| body["stmt"].as_str().is_some_and(|it| it.contains("'mine'")))
}

async fn mine(engine: &Engine<Slow, Nobody>) -> Reply {
    Slow::call(engine, Tool::Search, json!({ "action": "sql", "sql": "SELECT 'mine'" })).await
}

/// F10: SiYuan has few connections to its index, and never stops a statement.
#[test]
fn statements_of_callers_run_one_after_the_other() {
    let engine = slow();
    let all = ready(async { join3(mine(&engine), mine(&engine), mine(&engine)).await });
    assert!(all.0.is_ok() && all.1.is_ok() && all.2.is_ok(), "{all:?}");
    assert_eq!(engine.kernel.most.load(Ordering::Relaxed), 1);
}

/// F10: SiYuan goes on with a statement that took too long, so no other follows for a while.
#[test]
fn a_statement_that_takes_too_long_is_the_last_for_a_while() {
    let engine = slow();
    let run = || ready(mine(&engine)).map(drop).map_err(|it| (it.kind, it.message));
    engine.kernel.is_stuck.store(true, Ordering::Relaxed);
    assert_eq!(run().unwrap_err().0, ErrorType::KernelUnreachable);
    engine.kernel.is_stuck.store(false, Ordering::Relaxed);
    engine.kernel.world.pass(60_000);
    let (kind, message) = run().unwrap_err();
    assert!(kind == ErrorType::Conflict && message.contains("minutes"), "{message}");
    engine.kernel.world.pass(600_000);
    assert_eq!(run(), Ok(()));
    // A call that is cancelled leaves its statement running.
    assert!(mine(&engine).now_or_never().is_none());
    assert_eq!(run().unwrap_err().0, ErrorType::Conflict);
}

/// F10: what would cost SiYuan or this process too much is refused before anything is sent.
#[test]
fn costly_statements_are_not_sent() {
    let world = World::new().notebook("Garden", "rw").doc("/Garden/Mint", "leaf");
    let engine = Engine::new(world, Nobody);
    for (sql, part) in [
        ("SELECT count(*) FROM blocks a JOIN blocks b ON 1 = 1".to_owned(), "ON with a column"),
        (format!("SELECT {} FROM blocks", vec!["*"; 4_900].join(",")), "200 columns"),
        (
            format!("SELECT 1 FROM blocks a{}", " JOIN blocks USING (content)".repeat(2)),
            "4 tables that depend on each other",
        ),
    ] {
        let (reply, sent) = outcome(&engine, &sql);
        assert!(reply.contains(part), "{sql:.100}: {reply:.500}");
        assert_eq!(sent.iter().filter(|it| it.ends_with("/sql")).count(), 0, "{sql:.100}");
    }
    let related = "SELECT count(*) AS n FROM blocks a JOIN blocks b ON a.id = b.root_id";
    assert!(outcome(&engine, related).0.contains("\"n\":"));
}
