//! The box over the boxes of its parts.

/// The box of something over its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tri {
    /// None of them.
    Off,
    /// Some of them.
    Mixed,
    /// All of them.
    On,
}

impl Tri {
    /// The box over this many of all.
    pub const fn of(some: usize, all: usize) -> Tri {
        match some {
            0 => Tri::Off,
            _ if some < all => Tri::Mixed,
            _ => Tri::On,
        }
    }

    /// Whether the box is ticked; `None` where it is mixed.
    pub const fn ticked(self) -> Option<bool> {
        match self {
            Tri::Off => Some(false),
            Tri::Mixed => None,
            Tri::On => Some(true),
        }
    }
}
