//! Concurrent writers of the levels: servers and a person's panel, with their requests in any order.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use proptest::prelude::*;
use puppy_core::activity::Transport;
use puppy_core::config::{GRANTS_FILE, MADE_FILE, Policy};
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::id::NotebookId;
use puppy_core::kernel::{Ambient, Answer, Boxed, Kernel, KernelError, Request, files};
use puppy_core::part::Part;
use puppy_core::permission::{Level, LevelTable};
use puppy_core::spec::Tool;
use serde_json::json;

use crate::kernel::{GARDEN, Nobody, PRIVATE, Workspace, ready, turns};

/// One workspace, shared by several processes; each request waits for its turn.
#[derive(Clone)]
struct Shared(Arc<Workspace>);

impl Kernel for Shared {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            turns(1).await;
            self.0.send(request).await
        })
    }

    fn pause(&self, _time: Duration) -> Boxed<'_, ()> {
        Box::pin(async {})
    }
}

impl Ambient for Shared {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }

    fn local_digits(&self) -> String {
        self.0.local_digits()
    }

    fn random(&self) -> u64 {
        self.0.random()
    }
}

type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;
type Server = Engine<Shared, Nobody>;

/// A workspace in which Private is still wide open.
fn workspace() -> Arc<Workspace> {
    Arc::new(Workspace::new(true).file(GRANTS_FILE, &json!({ GARDEN: "rw", PRIVATE: "rwd" })))
}

fn create<'a>(server: &'a Server, name: &str) -> Task<'a> {
    let arguments = json!({ "action": "create", "name": name }).as_object().cloned().unwrap();
    Box::pin(async move {
        let call = Call {
            tool: Tool::Notebook,
            arguments,
            part: Part::Whole,
            transport: Transport::Stdio,
            client: String::new(),
        };
        // The success of the call is not tested here.
        let _ = server.dispatch(call, &Approval::Missing).await;
    })
}

/// The requests of Apply when a person closes Private.
fn close<'a>(kernel: &'a Shared, is_closed: &'a Cell<bool>) -> Task<'a> {
    Box::pin(async move {
        let path = format!("{}{GRANTS_FILE}", files::STORAGE);
        let mut table = LevelTable::parse(&files::read(kernel, &path).await.unwrap().unwrap()).unwrap();
        table.set(&NotebookId::parse(PRIVATE).unwrap(), Level::None);
        files::write(kernel, &path, table.to_json().into_bytes()).await.unwrap();
        is_closed.set(true);
    })
}

/// Continues tasks in the order of the picks, then in turn; a condition must hold after each step.
fn interleave(mut tasks: Vec<Task<'_>>, picks: &[usize], mut holds: impl FnMut()) {
    let mut cx = Context::from_waker(Waker::noop());
    for step in 0..10_000 {
        if tasks.is_empty() {
            return;
        }
        let at = picks.get(step).copied().unwrap_or(step) % tasks.len();
        if tasks[at].as_mut().poll(&mut cx).is_ready() {
            drop(tasks.remove(at));
        }
        holds();
    }
    panic!("some task waits for ever");
}

fn policy(workspace: &Workspace) -> Policy {
    ready(Policy::read(workspace))
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..6_usize, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    /// F8: two servers create notebooks while a person closes one; from then on it stays closed.
    #[test]
    fn notebook_closed_by_a_person_stays_closed(picks in picks()) {
        let workspace = workspace();
        let (one, other) = (Shared(workspace.clone()), Shared(workspace.clone()));
        let page = one.clone();
        let servers = [Engine::new(one, Nobody), Engine::new(other, Nobody)];
        let is_closed = Cell::new(false);
        let tasks = vec![
            create(&servers[0], "Seeds"),
            create(&servers[1], "Tools"),
            close(&page, &is_closed),
            create(&servers[0], "Pots"),
        ];
        interleave(tasks, &picks, || {
            let grants = policy(&workspace).scope.grants.clone();
            let is_open = grants.level_of(PRIVATE) > Level::None;
            assert!(!(is_closed.get() && is_open), "Private was opened again");
            assert_eq!(grants.level_of(GARDEN), Level::Write);
        });
        prop_assert!(is_closed.get());
        // Notebooks that agents created have their level, or the default if two servers wrote at once: never a wider
        // one.
        let made = policy(&workspace).scope.grants.made.clone().unwrap();
        prop_assert!(made.entries().all(|(_, level)| level == Level::Write));
    }

    /// F8: the calls of one server wait for each other, so that each notebook keeps its level.
    #[test]
    fn concurrent_creates_of_one_server_keep_every_entry(picks in picks()) {
        let workspace = workspace();
        let server = Engine::new(Shared(workspace.clone()), Nobody);
        let tasks = ["Seeds", "Tools", "Pots"].iter().map(|name| create(&server, name)).collect();
        interleave(tasks, &picks, || ());
        prop_assert_eq!(policy(&workspace).scope.grants.made.clone().unwrap().entries().count(), 3);
    }
}

/// F8, F9: no server ever writes the person's table.
#[test]
fn server_never_writes_the_persons_table() {
    let workspace = workspace();
    let server = Engine::new(Shared(workspace.clone()), Nobody);
    interleave(vec![create(&server, "Seeds")], &[], || ());
    let written: Vec<String> = workspace
        .sent()
        .iter()
        .filter(|it| it.path == "/api/file/putFile")
        .map(|it| it.body["path"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(written, [format!("{}{MADE_FILE}", files::STORAGE)]);
}
