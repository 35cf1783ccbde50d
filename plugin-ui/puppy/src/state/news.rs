//! New events in the file, and bursts of them (B-293).

use puppy_core::activity::events::{CallStatus, Event, EventFile};

/// More calls than this within a second are one burst: one pose, with a count.
const BURST: usize = 4;
/// The number of remembered instances.
const INSTANCES: usize = 64;

/// The part of the file that has been read.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Newest number seen of each instance.
    seen: Vec<(String, u64)>,
    /// The times of the calls of the last second, by their writer's clock.
    calls: Vec<u64>,
    burst: usize,
}

impl News {
    /// The events that have not been read before, oldest first.
    pub(super) fn read<'a>(&mut self, file: &'a EventFile) -> Vec<&'a Event> {
        let fresh: Vec<&Event> = file
            .events
            .iter()
            .filter(|event| !self.seen.iter().any(|(one, seq)| *one == event.instance && *seq >= event.seq))
            .collect();
        if self.seen.len() > INSTANCES {
            self.seen.retain(|(one, _)| file.events.iter().any(|event| event.instance == *one));
        }
        for event in &fresh {
            match self.seen.iter_mut().find(|(one, _)| *one == event.instance) {
                Some((_, seq)) => *seq = event.seq.max(*seq),
                None => self.seen.push((event.instance.clone(), event.seq)),
            }
        }
        fresh
    }

    /// Whether no file has been read yet.
    pub(super) fn is_new(&self) -> bool {
        self.seen.is_empty()
    }

    /// Counts the calls of the last second.
    pub(super) fn count(&mut self, fresh: &[&Event]) {
        let new: Vec<u64> =
            fresh.iter().filter(|it| it.status == CallStatus::Running).map(|it| it.ts).collect();
        self.calls.extend(&new);
        let newest = fresh.last().map_or(0, |it| it.ts);
        self.calls.retain(|ts| newest.saturating_sub(*ts) <= 1_000);
        self.burst = match self.calls.len() {
            rate if rate <= BURST => 0,
            rate if self.burst == 0 => rate,
            _ => self.burst + new.len(),
        };
    }

    /// Calls of the burst; 0 when there is none.
    pub(super) fn burst(&self) -> usize {
        self.burst
    }
}
