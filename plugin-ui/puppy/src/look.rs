//! The look of every scene: a table from scenes to poses.

use puppy_core::activity::shop::ShopItem;
use puppy_core::activity::stats::Mood;
use puppy_ui_web::state::act::Act;
use puppy_ui_web::state::motion::Motion;
use puppy_ui_web::state::scene::{Scene, State};

use super::pose::{Body, Placement, Pose};

const UP: Placement = Placement::HOME;

const SIT: Pose = Pose {
    body: Body::Sit,
    head: UP,
    face: (0, 0),
    ears: (0, 0),
    tail: 0,
    eyes: "eyes-open",
    mouth: "mouth-smile",
    with: &[],
    tool: None,
    item: None,
    mark: None,
    motion: "still",
};
const STAND: Pose = Pose { body: Body::Stand, head: Placement::at(-10, 4, 88), ..SIT };
const LIE: Pose = Pose { body: Body::Lie, head: Placement::at(-6, 24, 100).turned(-4), ..SIT };
const CURL: Pose = Pose {
    body: Body::Curl,
    head: Placement::at(-14, 26, 84).turned(-14),
    face: (0, 2),
    ears: (6, -6),
    eyes: "eyes-closed",
    mouth: "mouth-smile",
    ..SIT
};
const BOW: Pose = Pose { body: Body::Bow, head: Placement::at(-16, 17, 84).turned(-4), ..SIT };
const HAPPY: Pose = Pose { eyes: "eyes-happy", mouth: "mouth-open", ears: (6, -6), tail: -14, ..SIT };
const SAD: Pose = Pose { eyes: "eyes-sad", mouth: "mouth-flat", ears: (-8, 8), tail: 20, ..SIT };

/// The look of a scene.
pub(crate) fn look(scene: &Scene) -> Pose {
    match scene.state {
        State::Idle => resting(scene),
        State::Acting(act) => acting(act, scene),
        State::Success => Pose { with: &["sparkles"], mark: Some("mark-success"), motion: "cheer", ..HAPPY },
        State::Error => Pose {
            head: Placement::at(0, 3, 100),
            face: (0, 2),
            with: &["tear"],
            mark: Some("mark-error"),
            motion: "shake",
            ..SAD
        },
        State::Denied => Pose {
            head: UP.turned(-12),
            face: (-6, -1),
            eyes: "eyes-closed",
            mouth: "mouth-flat",
            mark: Some("mark-denied"),
            motion: "turn-away",
            ..SIT
        },
        State::Dangerous => Pose {
            ears: (22, -22),
            eyes: "eyes-wide",
            mouth: "mouth-flat",
            with: &["alarm"],
            mark: Some("mark-dangerous"),
            motion: "hop",
            ..SIT
        },
        State::Question => Pose {
            body: Body::Beg,
            head: UP.turned(-4),
            face: (-2, 0),
            ears: (16, -12),
            mouth: "mouth-bark",
            with: &["bark"],
            mark: Some("mark-dangerous"),
            motion: "ask",
            ..SIT
        },
        State::Eating => Pose {
            head: Placement::at(-10, 12, 88).turned(-6),
            face: (-5, 4),
            mouth: "mouth-bark",
            eyes: "eyes-happy",
            with: &["crumbs"],
            item: Some(Placement::at(8, 68, 105)),
            motion: "chew",
            ..STAND
        },
        State::Playing if scene.item == Some(ShopItem::Bow) => {
            Pose { with: &["sparkles"], motion: "cheer", ..HAPPY }
        }
        State::Playing => {
            Pose { mouth: "mouth-open", item: Some(Placement::at(-6, 68, 100)), motion: "play", ..BOW }
        }
        State::Petting => Pose {
            head: Placement::at(0, 2, 100).turned(6),
            ears: (-4, 4),
            mouth: "mouth-smile",
            with: &["hand"],
            motion: "pet",
            ..HAPPY
        },
        State::Dragging => Pose {
            body: Body::Hang,
            head: Placement::at(0, -6, 100),
            ears: (14, -14),
            mouth: "mouth-bark",
            motion: "dangle",
            ..SIT
        },
        State::Offline => Pose {
            eyes: "eyes-closed",
            mouth: "mouth-rest",
            ears: (-4, 4),
            with: &["prop-plug"],
            mark: Some("mark-offline"),
            ..LIE
        },
        State::Paused => Pose {
            face: (1, 1),
            eyes: "eyes-half",
            mouth: "mouth-rest",
            ears: (-3, 3),
            with: &["leash"],
            mark: Some("mark-paused"),
            ..SIT
        },
    }
}

fn acting(act: Act, scene: &Scene) -> Pose {
    let (pose, mark) = match act {
        Act::Reading => {
            let with: &[_] = match scene.tool {
                Some(_) => &["glasses", "paws-hold"],
                None => &["glasses", "prop-book", "paws-hold"],
            };
            let pose = Pose {
                head: Placement::at(0, 2, 100),
                face: (0, 3),
                with,
                tool: Some(Placement::at(34, 67, 175)),
                motion: "read",
                ..SIT
            };
            (pose, "mark-reading")
        }
        Act::Writing => {
            let pose = Pose {
                head: UP.turned(-6),
                face: (1, 3),
                mouth: "mouth-blep",
                with: &["prop-pencil", "paw-write"],
                tool: Some(Placement::at(30, 69, 160).turned(-5)),
                motion: "write",
                ..SIT
            };
            (pose, "mark-writing")
        }
        Act::Moving => {
            let pose = Pose {
                mouth: "mouth-hold",
                with: &["prop-box", "speed"],
                tool: Some(Placement::at(25, 72, 105)),
                motion: "carry",
                ..STAND
            };
            (pose, "mark-moving")
        }
        Act::Deleting => {
            let pose = Pose {
                mouth: "mouth-hold",
                face: (0, 1),
                ears: (-4, 4),
                tail: 20,
                with: &["prop-bag"],
                tool: Some(Placement::at(24, 74, 85)),
                motion: "haul",
                ..STAND
            };
            (pose, "mark-deleting")
        }
    };
    Pose { mark: Some(if scene.burst > 0 { "mark-burst" } else { mark }), ..pose }
}

fn resting(scene: &Scene) -> Pose {
    let motion = match scene.motion {
        Some(motion) => motion,
        None if scene.mood == Mood::Asleep => Motion::Sleep,
        None => return sitting(scene.mood),
    };
    let pose = match motion {
        Motion::Sit => SIT,
        Motion::Stand => STAND,
        Motion::Look => Pose { head: UP.turned(-5), face: (-5, 0), ..SIT },
        Motion::Tilt => Pose { head: UP.turned(12), ears: (14, 0), ..SIT },
        Motion::Groom => Pose {
            body: Body::Lick,
            head: Placement::at(2, 3, 100).turned(-10),
            face: (-4, 2),
            eyes: "eyes-closed",
            mouth: "mouth-lick",
            ..SIT
        },
        Motion::Wag => Pose { mouth: "mouth-open", ..SIT },
        Motion::Yawn => Pose {
            head: Placement::at(0, -1, 100).turned(-5),
            face: (0, -3),
            eyes: "eyes-closed",
            mouth: "mouth-yawn",
            ..SIT
        },
        Motion::Stretch => Pose { eyes: "eyes-closed", ..BOW },
        Motion::Sniff => {
            Pose { head: Placement::at(-14, 20, 88).turned(-6), face: (-4, 5), with: &["sniffs"], ..STAND }
        }
        Motion::Chase => Pose {
            head: Placement::at(-16, 18, 84).turned(-10),
            face: (-3, 3),
            eyes: "eyes-open",
            mouth: "mouth-open",
            with: &["swirl"],
            ..CURL
        },
        // It looks and hopes; it does not beg.
        Motion::Bowl => Pose {
            head: Placement::at(-5, 6, 100).turned(-10),
            face: (-6, 5),
            mouth: "mouth-blep",
            with: &["bowl"],
            ..sitting(Mood::Hungry)
        },
        Motion::Lie => LIE,
        Motion::Sleep => Pose { with: &["zzz"], ..CURL },
    };
    Pose { motion: motion.word(), ..pose }
}

/// The sitting pose of a mood.
const fn sitting(mood: Mood) -> Pose {
    match mood {
        Mood::Happy => Pose { ears: (5, -4), tail: -14, mouth: "mouth-open", ..SIT },
        Mood::Hungry => Pose { head: UP.turned(5), ears: (8, -2), mouth: "mouth-rest", ..SIT },
        Mood::Content | Mood::Asleep => SIT,
    }
}

#[cfg(test)]
#[path = "look_tests.rs"]
pub(crate) mod tests;
