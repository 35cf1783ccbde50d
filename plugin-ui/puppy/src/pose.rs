//! A pose: the parts of the drawing that show, and the places of head, face, ears, tail and prop. Data only.

/// The body under the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    Sit,
    /// Sits with one paw raised.
    Beg,
    /// Sits and has a paw at its mouth.
    Lick,
    /// Stands, seen from the side.
    Stand,
    /// Lies.
    Lie,
    /// Lies curled up.
    Curl,
    /// Front down, tail up: it stretches, or wants to play.
    Bow,
    /// Hangs from a hand.
    Hang,
}

impl Body {
    pub(crate) const fn parts(self) -> &'static [&'static str] {
        match self {
            Body::Sit => &["tail", "sit", "leg-left", "leg-right", "collar"],
            Body::Beg => &["tail", "sit", "leg-right", "paw-up", "collar"],
            Body::Lick => &["tail", "sit", "leg-right", "collar", "paw-lick"],
            Body::Stand => &["stand", "collar-side"],
            Body::Lie => &["lie", "lie-paws"],
            Body::Curl => &["curl", "curl-tail"],
            Body::Bow => &["bow-down"],
            Body::Hang => &["hang", "collar"],
        }
    }
}

/// A place within the drawing: moved, turned in degrees, and scaled in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placement {
    /// To the right.
    pub(crate) x: i8,
    /// Down.
    pub(crate) y: i8,
    /// Clockwise.
    pub(crate) turn: i8,
    /// Percent.
    pub(crate) size: u8,
}

impl Placement {
    /// The place in the drawing itself.
    pub(crate) const HOME: Placement = Placement { x: 0, y: 0, turn: 0, size: 100 };

    /// Moved, with this size.
    pub(crate) const fn at(x: i8, y: i8, size: u8) -> Placement {
        Placement { x, y, turn: 0, size }
    }

    pub(crate) const fn turned(self, turn: i8) -> Placement {
        Placement { turn, ..self }
    }
}

/// A look of the puppy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pose {
    pub(crate) body: Body,
    /// The head, about the neck.
    pub(crate) head: Placement,
    /// The shift of the face on the head, to the right and down: the direction of its look.
    pub(crate) face: (i8, i8),
    /// Degrees of the left and the right ear: plus is out on the left, minus is out on the right.
    pub(crate) ears: (i8, i8),
    /// Degrees of the tail; minus is up.
    pub(crate) tail: i8,
    /// The part that draws the eyes.
    pub(crate) eyes: &'static str,
    /// The part that draws the mouth.
    pub(crate) mouth: &'static str,
    /// Further parts that show.
    pub(crate) with: &'static [&'static str],
    /// The place of the tool's prop, if the pose has one.
    pub(crate) tool: Option<Placement>,
    /// The place of the food or toy.
    pub(crate) item: Option<Placement>,
    /// The badge.
    pub(crate) mark: Option<&'static str>,
    /// The name of its motion.
    pub(crate) motion: &'static str,
}

/// Parts that always show; parts inside of them may not.
const ALWAYS: [&str; 9] =
    ["head", "mask", "face", "ear-left", "ear-right", "tool", "item", "tail-side", "tail-bow"];

impl Pose {
    /// Whether a part of the drawing shows.
    pub(crate) fn shows(&self, part: &str) -> bool {
        ALWAYS.contains(&part)
            || self.eyes == part
            || self.mouth == part
            || self.mark == Some(part)
            || self.with.contains(&part)
            || self.body.parts().contains(&part)
    }

    /// The place of a part; `None` for one that stays as it is drawn.
    pub(crate) fn placement(&self, part: &str) -> Option<Placement> {
        let (x, y) = self.face;
        let (left, right) = self.ears;
        match part {
            "head" => Some(self.head),
            "face" | "mask" => Some(Placement { x, y, ..Placement::HOME }),
            "ear-left" => Some(Placement::HOME.turned(left)),
            "ear-right" => Some(Placement::HOME.turned(right)),
            "tail" | "tail-side" | "tail-bow" => Some(Placement::HOME.turned(self.tail)),
            "tool" => self.tool,
            "item" => self.item,
            _ => None,
        }
    }

    /// Whether its eyes are open, so that it can blink and look at something.
    pub(crate) fn is_awake(&self) -> bool {
        self.eyes == "eyes-open"
    }
}
