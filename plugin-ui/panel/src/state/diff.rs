//! The changes that a draft would make, line by line, in the order in which a person should see them.

use std::cmp::Ordering;

use puppy_core::permission::Level;
use puppy_core::spec::Tool;
use puppy_ui_web::words::permissions::PermissionWords;

/// The direction of a change; the graver one comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Agents may do more.
    Wider,
    /// Agents may do less.
    Narrower,
    /// They may do the same: an entry comes or goes.
    Same,
}

impl Direction {
    /// Every direction, in order.
    pub const ALL: [Direction; 3] = [Direction::Wider, Direction::Narrower, Direction::Same];

    /// A sign that needs no colour.
    pub const fn sign(self) -> &'static str {
        match self {
            Direction::Wider => "▲",
            Direction::Narrower => "▼",
            Direction::Same => "=",
        }
    }

    /// Its name, for screen readers.
    pub const fn title(self, words: &PermissionWords) -> &'static str {
        match self {
            Direction::Wider => words.is_wider,
            Direction::Narrower => words.is_narrower,
            Direction::Same => words.is_same,
        }
    }
}

/// A changed row of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelChange {
    /// The notebook's id.
    pub notebook: String,
    /// The level in force.
    pub was: Level,
    /// The level after Apply.
    pub is: Level,
}

impl LevelChange {
    /// The direction of the change.
    pub fn direction(&self) -> Direction {
        match self.is.cmp(&self.was) {
            Ordering::Greater => Direction::Wider,
            Ordering::Less => Direction::Narrower,
            Ordering::Equal => Direction::Same,
        }
    }
}

/// A changed switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchChange {
    /// The tool.
    pub tool: Tool,
    /// Its action, or the tool's own switch.
    pub action: Option<&'static str>,
    /// The position after Apply.
    pub is_on: bool,
}

impl SwitchChange {
    /// The direction of the change.
    pub const fn direction(&self) -> Direction {
        if self.is_on { Direction::Wider } else { Direction::Narrower }
    }

    /// The name, as calls have it.
    pub fn name(&self) -> String {
        match self.action {
            Some(action) => format!("{}.{action}", self.tool.name()),
            None => self.tool.name().to_owned(),
        }
    }
}

/// The number of changes of each direction, widest first.
pub fn tally(directions: impl Iterator<Item = Direction>) -> [usize; 3] {
    directions.fold([0; 3], |[wider, narrower, same], it| match it {
        Direction::Wider => [wider + 1, narrower, same],
        Direction::Narrower => [wider, narrower + 1, same],
        Direction::Same => [wider, narrower, same + 1],
    })
}
