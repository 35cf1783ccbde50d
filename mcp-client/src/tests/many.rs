//! Several servers at once (B-201, B-205).

use crate::phase::{Phase, State};
use crate::revision::Eras;
use crate::testing::{Fake, Stage, simulate, until};

/// B-201: five at a time, and one that fails does not hold up the others.
#[test]
fn five_connections_are_made_at_a_time_and_a_dead_one_holds_up_none() {
    simulate(async {
        let fakes: Vec<Fake> = (0..12).map(|_| Fake::new(Eras::OnlyNewer)).collect();
        for fake in &fakes {
            fake.now().latency_ms = 1_000;
        }
        fakes[0].now().is_away = true;
        fakes[1].now().latency_ms = 3_600_000;
        let stage = Stage::new(&fakes.iter().collect::<Vec<_>>());
        stage.run(12);
        let most = std::cell::Cell::new(0);
        let making = || {
            let begun = |id| {
                let steps = stage.pool.get(id).unwrap().shown().steps;
                steps.last().is_some_and(|it| !matches!(it.phase, Phase::Connected | Phase::Failed))
            };
            (0..12).filter(|id| begun(*id)).count()
        };
        until("all others", || {
            most.set(most.get().max(making()));
            (2..12).all(|id| stage.pool.get(id).unwrap().state() == State::Connected)
        })
        .await;
        assert_eq!(most.get(), 5);
        assert!(matches!(stage.pool.get(0).unwrap().state(), State::Failed { .. }));
        until("the limit", || matches!(stage.pool.get(1).unwrap().state(), State::Failed { .. })).await;
    });
}

/// B-205: two servers with `search`; a server that leaves takes its tools along.
#[test]
fn tools_of_connected_servers_share_an_index() {
    simulate(async {
        let fakes = [Fake::new(Eras::OnlyNewer), Fake::new(Eras::OnlyOlder)];
        fakes[1].now().tools = vec!["search".to_owned(), "read".to_owned()];
        let stage = Stage::new(&[&fakes[0], &fakes[1]]);
        assert!(stage.pool.index().is_empty());
        stage.run(2);
        until("both", || (0..2).all(|id| stage.pool.get(id).unwrap().state() == State::Connected)).await;
        let names = || stage.pool.index().into_iter().map(|it| it.name).collect::<Vec<_>>();
        assert_eq!(names(), ["echo", "server 0__search", "server 1__search", "read"]);
        stage.pool.remove(0).await;
        assert_eq!(names(), ["search", "read"]);
        assert!(stage.pool.get(0).is_none());
        assert_eq!(fakes[1].sessions(), 1);
        until("the end of the stream", || fakes[0].open_streams() == 0).await;
    });
}
