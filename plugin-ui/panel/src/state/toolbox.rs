//! The page of tools: which actions are shown, and what the list costs that clients load.

use puppy_core::config::Offer;
use puppy_core::render::schema::{Descriptor, Detail, LIST_FRAME_BYTES, descriptors};
use puppy_core::spec::{ActionSpec, Danger, Tool};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::tools::ToolWords;

use super::switches::SwitchDraft;

/// The size of the whole list that it never passes, in bytes.
pub const MOST_BYTES: usize = Detail::Full.bytes();

/// A choice between actions by what holds for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolChip {
    /// Every action.
    #[default]
    All,
    /// Actions that can be called.
    On,
    /// Actions that cannot.
    Off,
    /// Actions that a person may have to approve.
    Dangerous,
    /// Actions with a change that waits, of their own or of their tool.
    Changed,
}

impl ToolChip {
    /// Every choice, in order.
    pub const ALL: [ToolChip; 5] =
        [ToolChip::All, ToolChip::On, ToolChip::Off, ToolChip::Dangerous, ToolChip::Changed];

    /// The word in the page.
    pub const fn word(self) -> &'static str {
        match self {
            ToolChip::All => "all",
            ToolChip::On => "on",
            ToolChip::Off => "off",
            ToolChip::Dangerous => "dangerous",
            ToolChip::Changed => "changed",
        }
    }

    /// Its name, with the number of its actions.
    pub fn title(self, words: &ToolWords, count: usize) -> String {
        let text = match self {
            ToolChip::All => words.all,
            ToolChip::On => words.on,
            ToolChip::Off => words.off,
            ToolChip::Dangerous => words.dangerous,
            ToolChip::Changed => words.changed,
        };
        fill(text, &[("n", &count.to_string())])
    }

    /// Whether it takes an action.
    pub fn takes(self, spec: &ActionSpec, draft: &SwitchDraft) -> bool {
        match self {
            ToolChip::All => true,
            ToolChip::On => draft.now().is_on(spec),
            ToolChip::Off => !draft.now().is_on(spec),
            ToolChip::Dangerous => spec.danger != Danger::None,
            ToolChip::Changed => {
                draft.is_changed(spec.tool, None) || draft.is_changed(spec.tool, Some(spec.name))
            }
        }
    }
}

/// Whether a text names an action, by its name, its tool's or its sentence; case does not count.
pub fn is_named(spec: &ActionSpec, text: &str) -> bool {
    spec.path().contains(text) || spec.summary().to_ascii_lowercase().contains(text)
}

/// The size of a list of tools, or of one tool in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes on the wire.
    pub bytes: usize,
    /// About as many tokens: a quarter of the characters.
    pub tokens: usize,
}

/// The costs of the list of tools that a server with these actions sends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Costs {
    /// The whole list.
    pub all: Cost,
    /// Each listed tool.
    pub tools: Vec<(Tool, Cost)>,
}

impl Costs {
    /// The costs of an offer.
    pub fn of(offer: &Offer) -> Costs {
        let cost = |it: &Descriptor| Cost { bytes: it.bytes(), tokens: it.characters().div_ceil(4) };
        let tools: Vec<(Tool, Cost)> = descriptors(offer).iter().map(|it| (it.tool, cost(it))).collect();
        let frame = Cost { bytes: LIST_FRAME_BYTES, tokens: LIST_FRAME_BYTES.div_ceil(4) };
        let all = tools
            .iter()
            .fold(frame, |sum, (_, it)| Cost { bytes: sum.bytes + it.bytes, tokens: sum.tokens + it.tokens });
        Costs { all, tools }
    }

    /// The cost of a tool, if it is listed.
    pub fn tool(&self, tool: Tool) -> Option<Cost> {
        self.tools.iter().find(|it| it.0 == tool).map(|it| it.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::config::Switches;
    use puppy_core::find::actions_of;
    use puppy_core::permission::Level;
    use puppy_core::registry::ACTIONS;

    /// B-006: the numbers are those of the list that is sent, and stay within its budget.
    #[test]
    fn costs_are_those_of_the_list_that_is_sent() {
        let all = Costs::of(&Offer::new(Switches::default(), Some(Level::Delete)));
        assert!((1..=MOST_BYTES).contains(&all.all.bytes), "{all:?}");
        assert!(all.all.tokens * 4 <= all.all.bytes + 4 * (all.tools.len() + 1));
        let mut switches = Switches::default();
        switches.set_tool(Tool::Tag, false);
        let fewer = Costs::of(&Offer::new(switches, Some(Level::Delete)));
        assert_eq!(fewer.tools.len() + 1, all.tools.len());
        assert_eq!((fewer.tool(Tool::Tag), all.tool(Tool::Tag).is_some()), (None, true));
    }

    #[test]
    fn actions_are_found_by_name_sentence_and_what_holds_for_them() {
        let mut draft = SwitchDraft::default();
        let count =
            |chip: ToolChip, draft: &SwitchDraft| ACTIONS.iter().filter(|it| chip.takes(it, draft)).count();
        assert_eq!(count(ToolChip::On, &draft) + count(ToolChip::Off, &draft), count(ToolChip::All, &draft));
        assert_eq!((count(ToolChip::Changed, &draft), count(ToolChip::Dangerous, &draft) > 0), (0, true));
        draft.set_tool(Tool::Tag, false);
        assert_eq!(count(ToolChip::Changed, &draft), actions_of(Tool::Tag).count());
        let named = |text: &str| ACTIONS.iter().filter(|it| is_named(it, text)).count();
        assert_eq!((named("fs.grep"), named("no such action")), (1, 0));
        assert!(named("notebook") > actions_of(Tool::Notebook).count(), "sentences count too");
    }
}
