//! The collars of active agents: the puppy wears up to two.

use puppy_core::activity::events::Event;
use puppy_core::agents::AgentColor;

/// The time after its last call for which an agent is at work, in milliseconds.
const AT_WORK_MS: u64 = 60_000;
/// The number of collars that a puppy can wear.
const MOST: usize = 2;

/// The agents that were at work a moment ago.
#[derive(Debug, Default)]
pub(super) struct Collars {
    /// The name and colour of each, with the time of its last call, in the order in which they came.
    worn: Vec<(String, AgentColor, u64)>,
}

impl Collars {
    /// Puts on the collars of the agents that made these calls.
    pub(super) fn hear(&mut self, fresh: &[&Event]) {
        for event in fresh {
            let Some(agent) = &event.agent else { continue };
            match self.worn.iter_mut().find(|it| it.0 == agent.name) {
                Some(worn) => (worn.1, worn.2) = (agent.color, worn.2.max(event.ts)),
                None => self.worn.push((agent.name.clone(), agent.color, event.ts)),
            }
        }
    }

    /// The colours at a moment: of the two agents that called last, in the order in which they came, so that no collar
    /// changes its place with every call.
    pub(super) fn colors(&self, now: u64) -> Vec<AgentColor> {
        let mut at_work: Vec<_> =
            self.worn.iter().filter(|it| now.saturating_sub(it.2) < AT_WORK_MS).collect();
        while at_work.len() > MOST {
            let longest = (0..at_work.len()).min_by_key(|at| at_work.get(*at).map(|it| it.2));
            at_work.remove(longest.unwrap_or_default());
        }
        at_work.into_iter().map(|it| it.1).collect()
    }

    /// Removes the collars of agents that are no longer active.
    pub(super) fn tidy(&mut self, now: u64) {
        self.worn.retain(|it| now.saturating_sub(it.2) < AT_WORK_MS);
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::agents::AgentMark;
    use serde_json::json;

    use super::*;

    fn call(name: &str, color: AgentColor, ts: u64) -> Event {
        let event = json!({ "seq": 1, "instance": "a", "tool": "block", "action": "update", "status": "success", "ts": ts });
        let mut event: Event = serde_json::from_value(event).unwrap();
        event.agent = Some(AgentMark { name: name.to_owned(), color, is_proved: true });
        event
    }

    #[test]
    fn an_agent_at_work_lends_its_colour_for_a_minute() {
        let mut collars = Collars::default();
        let (one, two) = (call("Ada", AgentColor::Red, 1_000), call("Bo", AgentColor::Green, 30_000));
        let mut unnamed = call("", AgentColor::Blue, 2_000);
        unnamed.agent = None;
        collars.hear(&[&one, &unnamed]);
        assert_eq!(collars.colors(2_000), [AgentColor::Red]);
        collars.hear(&[&two]);
        assert_eq!(collars.colors(30_000), [AgentColor::Red, AgentColor::Green]);
        assert_eq!(collars.colors(61_000), [AgentColor::Green]);
        assert_eq!(collars.colors(90_000), []);
        collars.tidy(90_000);
        assert!(collars.worn.is_empty());
    }

    #[test]
    fn of_three_agents_the_two_that_called_last_have_a_collar_and_keep_its_place() {
        let mut collars = Collars::default();
        let calls = [("Ada", AgentColor::Red), ("Bo", AgentColor::Green), ("Cy", AgentColor::Gold)];
        for (at, (name, color)) in (1..).zip(calls) {
            collars.hear(&[&call(name, color, at)]);
        }
        assert_eq!(collars.colors(10), [AgentColor::Green, AgentColor::Gold]);
        collars.hear(&[&call("Ada", AgentColor::Violet, 5)]);
        assert_eq!(collars.colors(10), [AgentColor::Violet, AgentColor::Gold]);
        collars.hear(&[&call("Cy", AgentColor::Gold, 6)]);
        assert_eq!(collars.colors(10), [AgentColor::Violet, AgentColor::Gold]);
    }
}
