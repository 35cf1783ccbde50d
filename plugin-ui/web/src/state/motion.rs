//! The puppy's idle motions, which it makes on its own while nothing happens.

/// An idle motion of the puppy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Sits and breathes once.
    Sit,
    /// Gets up for a moment.
    Stand,
    /// Turns the head.
    Look,
    /// Tilts the head.
    Tilt,
    /// Licks a paw.
    Groom,
    /// Wags.
    Wag,
    /// Yawns.
    Yawn,
    /// Stretches, front down and tail up.
    Stretch,
    /// Sniffs at the floor.
    Sniff,
    /// Runs after its tail.
    Chase,
    /// Looks at its empty bowl, when it is hungry.
    Bowl,
    /// Lies down and stays.
    Lie,
    /// Sleeps and goes on sleeping.
    Sleep,
}

impl Motion {
    /// Every motion.
    pub const ALL: [Motion; 13] = [
        Motion::Sit,
        Motion::Stand,
        Motion::Look,
        Motion::Tilt,
        Motion::Groom,
        Motion::Wag,
        Motion::Yawn,
        Motion::Stretch,
        Motion::Sniff,
        Motion::Chase,
        Motion::Bowl,
        Motion::Lie,
        Motion::Sleep,
    ];

    /// The word for it in names of styles.
    pub const fn word(self) -> &'static str {
        match self {
            Motion::Sit => "sit",
            Motion::Stand => "stand",
            Motion::Look => "look",
            Motion::Tilt => "tilt",
            Motion::Groom => "groom",
            Motion::Wag => "wag",
            Motion::Yawn => "yawn",
            Motion::Stretch => "stretch",
            Motion::Sniff => "sniff",
            Motion::Chase => "chase",
            Motion::Bowl => "bowl",
            Motion::Lie => "lie",
            Motion::Sleep => "sleep",
        }
    }
}
