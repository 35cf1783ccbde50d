//! Agents in words, and the settings of one that a person changes.

use std::collections::BTreeSet;

use puppy_core::agents::{AgentChange, AgentColor, AgentRefusal, Agents, LastDay, NamedAgent};
use puppy_core::grants::Ceiling;
use puppy_ui_web::words::agents::AgentWords;
use puppy_ui_web::words::{PanelWords, fill};

/// The ceiling in words, such as `Write, all notebooks`.
pub fn summary(words: &AgentWords, panel: &PanelWords, ceiling: &Ceiling, until: Option<String>) -> String {
    let notebooks = match ceiling.notebooks.as_ref().map(BTreeSet::len) {
        None => words.all.to_lowercase(),
        Some(0) => words.no_chosen.to_owned(),
        Some(1) => words.one_chosen.to_owned(),
        Some(n) => fill(words.n_chosen, &[("n", &n.to_string())]),
    };
    let parts = [Some(panel.level(ceiling.level).to_owned()), Some(notebooks), until];
    parts.into_iter().flatten().collect::<Vec<_>>().join(words.comma)
}

/// The end of an agent in words on a day such as `2026-12-31`; none without one.
pub fn end(words: &AgentWords, until: &LastDay, today: &str) -> Option<String> {
    match until {
        day if day.is_over(today) => Some(words.ended.to_owned()),
        LastDay::On(day) => Some(fill(words.until_day, &[("day", day)])),
        LastDay::Never | LastDay::Unreadable => None,
    }
}

/// The change that leaves an agent as it is in this value.
pub fn set(agent: &NamedAgent) -> AgentChange {
    let NamedAgent { id, name, color, ceiling, until } = agent.clone();
    AgentChange::Set { id, name, color, ceiling, until: until.day().unwrap_or_default().to_owned() }
}

/// The ids of the agents in the order of their names.
pub fn by_name(agents: &Agents) -> Vec<String> {
    let mut all: Vec<(String, String)> =
        agents.named().map(|it| (it.name.to_lowercase(), it.id.clone())).collect();
    all.sort();
    all.into_iter().map(|it| it.1).collect()
}

/// The name of a colour.
pub const fn color(words: &AgentWords, color: AgentColor) -> &'static str {
    match color {
        AgentColor::Blue => words.blue,
        AgentColor::Green => words.green,
        AgentColor::Gold => words.gold,
        AgentColor::Orange => words.orange,
        AgentColor::Red => words.red,
        AgentColor::Pink => words.pink,
        AgentColor::Violet => words.violet,
        AgentColor::Grey => words.grey,
    }
}

/// The reason why a change was refused.
pub const fn refusal(words: &AgentWords, why: AgentRefusal) -> &'static str {
    match why {
        AgentRefusal::NoName => words.no_name,
        AgentRefusal::LongName => words.long_name,
        AgentRefusal::SameName => words.same_name,
        AgentRefusal::NoDay => words.no_day,
        AgentRefusal::TooMany => words.too_many,
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::agents::AgentsFile;
    use puppy_core::grants::Level;

    use super::*;

    fn words() -> (&'static AgentWords, &'static PanelWords) {
        (AgentWords::of("en"), PanelWords::of("en"))
    }

    #[test]
    fn a_ceiling_is_said_in_one_line() {
        let (words, panel) = words();
        let chosen = |n: usize| Some((0..n).map(|at| at.to_string()).collect());
        let said = |level, notebooks| summary(words, panel, &Ceiling { level, notebooks }, None);
        assert_eq!(said(Level::Write, None), "Write, all notebooks");
        assert_eq!(said(Level::Read, chosen(0)), "Read, no notebooks");
        assert_eq!(said(Level::Delete, chosen(1)), "Delete, 1 notebook");
        assert_eq!(said(Level::None, chosen(3)), "No access, 3 notebooks");
        let until = LastDay::On("2026-11-29".to_owned());
        assert_eq!(end(words, &until, "2026-11-29"), Some("until 2026-11-29".to_owned()));
        assert_eq!(end(words, &until, "2026-11-30"), Some("ended".to_owned()));
        assert_eq!(end(words, &LastDay::Never, "2026-11-30"), None);
        assert_eq!(end(words, &LastDay::Unreadable, "2026-11-30"), Some("ended".to_owned()));
    }

    #[test]
    fn a_new_agent_gets_a_colour_that_no_other_has() {
        let mut file = AgentsFile::default();
        for at in 0..AgentColor::ALL.len() {
            let color = file.agents().next_color();
            assert_eq!(Some(&color), AgentColor::ALL.get(at));
            let (id, name) = (format!("a{at}"), format!("Agent {at}"));
            let until = String::new();
            file.change(AgentChange::Set { id, name, color, ceiling: Ceiling::OPEN, until }).unwrap();
        }
        assert_eq!(file.agents().next_color(), AgentColor::default());
        let (id, until) = ("z".to_owned(), String::new());
        let (name, color, ceiling) = ("aardvark".to_owned(), AgentColor::Red, Ceiling::OPEN);
        file.change(AgentChange::Set { id, name, color, ceiling, until }).unwrap();
        assert_eq!(by_name(&file.agents()).first().map(String::as_str), Some("z"));
    }
}
