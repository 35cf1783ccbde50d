//! The pages of the panel, in the order of the side list, and the drafts that two of them hold.

use puppy_ui_web::words::PanelWords;

/// A page of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelPage {
    /// The current state and the next steps.
    Home,
    /// The server and its clients.
    Connection,
    /// Notebooks and levels.
    Permissions,
    /// Agents and their ceilings.
    Agents,
    /// Tools and actions.
    Tools,
    /// The record of calls.
    Activity,
    /// Actions and servers to try.
    Playground,
    /// Looks and manners of the puppy.
    Puppy,
    /// Questions, files, settings from and to elsewhere.
    Advanced,
    /// Problems with their remedies, and terms.
    Help,
}

impl PanelPage {
    /// Every page.
    pub const ALL: [PanelPage; 10] = [
        PanelPage::Home,
        PanelPage::Connection,
        PanelPage::Permissions,
        PanelPage::Agents,
        PanelPage::Tools,
        PanelPage::Activity,
        PanelPage::Playground,
        PanelPage::Puppy,
        PanelPage::Advanced,
        PanelPage::Help,
    ];

    /// The name in messages and in the page.
    pub const fn name(self) -> &'static str {
        match self {
            PanelPage::Home => "home",
            PanelPage::Connection => "connection",
            PanelPage::Permissions => "permissions",
            PanelPage::Agents => "agents",
            PanelPage::Tools => "tools",
            PanelPage::Activity => "activity",
            PanelPage::Playground => "playground",
            PanelPage::Puppy => "puppy",
            PanelPage::Advanced => "advanced",
            PanelPage::Help => "help",
        }
    }

    /// The page of a name; the first one for any other.
    pub fn named(name: &str) -> PanelPage {
        PanelPage::ALL.into_iter().find(|it| it.name() == name).unwrap_or(PanelPage::Home)
    }

    /// The host's icon for it.
    pub const fn symbol(self) -> &'static str {
        match self {
            PanelPage::Home => "iconLayout",
            PanelPage::Connection => "iconPlugZap",
            PanelPage::Permissions => "iconLock",
            PanelPage::Agents => "iconAccount",
            PanelPage::Tools => "iconListTree",
            PanelPage::Activity => "iconHistory",
            PanelPage::Playground => "iconPlay",
            PanelPage::Puppy => "iconMCPPaw",
            PanelPage::Advanced => "iconSettings",
            PanelPage::Help => "iconHelp",
        }
    }

    /// The name for a person.
    pub const fn title(self, words: &PanelWords) -> &'static str {
        match self {
            PanelPage::Home => words.home,
            PanelPage::Connection => words.connection,
            PanelPage::Permissions => words.permissions,
            PanelPage::Agents => words.agents,
            PanelPage::Tools => words.tools,
            PanelPage::Activity => words.activity,
            PanelPage::Playground => words.playground,
            PanelPage::Puppy => words.puppy,
            PanelPage::Advanced => words.advanced,
            PanelPage::Help => words.help,
        }
    }

    /// The page that an arrow key leads to.
    pub fn neighbour(self, key: &str) -> Option<PanelPage> {
        let at = PanelPage::ALL.iter().position(|it| *it == self)?;
        let last = PanelPage::ALL.len() - 1;
        let next = match key {
            "ArrowDown" => (at + 1).min(last),
            "ArrowUp" => at.saturating_sub(1),
            "Home" => 0,
            "End" => last,
            _ => return None,
        };
        PanelPage::ALL.get(next).copied()
    }
}

/// A draft: what waits for Apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftKind {
    /// The levels of notebooks.
    Levels,
    /// The switches of tools and actions.
    Switches,
}

impl DraftKind {
    /// The draft of a page, if it has one.
    pub const fn of(page: PanelPage) -> Option<DraftKind> {
        match page {
            PanelPage::Permissions => Some(DraftKind::Levels),
            PanelPage::Tools => Some(DraftKind::Switches),
            _ => None,
        }
    }

    /// The key of its presets in their file.
    pub const fn word(self) -> &'static str {
        match self {
            DraftKind::Levels => "levels",
            DraftKind::Switches => "switches",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_name_parses_and_unknown_name_gives_the_first_page() {
        for page in PanelPage::ALL {
            assert_eq!(PanelPage::named(page.name()), page);
        }
        assert_eq!(PanelPage::named("elsewhere"), PanelPage::Home);
        assert_eq!(PanelPage::named(""), PanelPage::Home);
    }

    #[test]
    fn arrow_keys_move_through_pages_and_stop_at_the_ends() {
        let [first, .., last] = PanelPage::ALL;
        let walk =
            |from: PanelPage, key| PanelPage::ALL.iter().fold(from, |at, _| at.neighbour(key).unwrap());
        assert_eq!((walk(first, "ArrowDown"), walk(last, "ArrowUp")), (last, first));
        assert_eq!((last.neighbour("Home"), first.neighbour("End")), (Some(first), Some(last)));
        assert_eq!(first.neighbour("Enter"), None);
    }
}
