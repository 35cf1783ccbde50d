//! How the puppy looks in a scene: which parts show, and how head, ears and tail are turned. Data only.

use puppy_plugin_ui::state::act::Act;
use puppy_plugin_ui::state::idle::Motion;
use puppy_plugin_ui::state::puppy::{Scene, State};

/// The body under the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// Sits.
    Sit,
    /// Stands, seen from the side.
    Stand,
    /// Lies.
    Lie,
    /// Lies curled up.
    Curl,
}

impl Body {
    const fn parts(self) -> &'static [&'static str] {
        match self {
            Body::Sit => &["tail", "sit-body", "sit-paws", "collar"],
            Body::Stand => &["stand-body", "stand-collar"],
            Body::Lie => &["lie-body", "lie-paws"],
            Body::Curl => &["curl-body", "curl-tail"],
        }
    }
}

/// Where the head is: moved, turned and scaled about the neck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// To the right.
    pub(crate) x: i8,
    /// Down.
    pub(crate) y: i8,
    /// Degrees, clockwise.
    pub(crate) turn: i8,
    /// Size in percent of how it is drawn.
    pub(crate) size: u8,
}

/// A look of the puppy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pose {
    /// The body.
    pub(crate) body: Body,
    /// The head.
    pub(crate) head: Head,
    /// Degrees of the left ear; plus is out and up.
    pub(crate) left_ear: i8,
    /// Degrees of the right ear; minus is out and up.
    pub(crate) right_ear: i8,
    /// Degrees of the tail; minus is up.
    pub(crate) tail: i8,
    /// The part that draws the eyes.
    pub(crate) eyes: &'static str,
    /// The part that draws the mouth.
    pub(crate) mouth: &'static str,
    /// What it holds.
    pub(crate) prop: Option<&'static str>,
    /// The badge, and its colours: `info`, `success`, `error` or `warning`.
    pub(crate) mark: Option<(&'static str, &'static str)>,
    /// What moves; the style sheet knows how.
    pub(crate) motion: &'static str,
}

const UPRIGHT: Head = Head { x: 0, y: 0, turn: 0, size: 100 };

const SIT: Pose = Pose {
    body: Body::Sit,
    head: UPRIGHT,
    left_ear: 0,
    right_ear: 0,
    tail: 0,
    eyes: "eyes-open",
    mouth: "mouth-smile",
    prop: None,
    mark: None,
    motion: "still",
};

const STAND: Pose = Pose { body: Body::Stand, head: Head { x: -10, y: 4, turn: 0, size: 88 }, ..SIT };
const LIE: Pose = Pose { body: Body::Lie, head: Head { x: -6, y: 24, turn: -4, size: 100 }, ..SIT };
const SLEEP: Pose = Pose {
    body: Body::Curl,
    head: Head { x: -14, y: 26, turn: -14, size: 84 },
    left_ear: 6,
    right_ear: -6,
    eyes: "eyes-closed",
    mouth: "mouth-flat",
    prop: Some("zzz"),
    ..SIT
};
const HAPPY: Pose = Pose {
    eyes: "eyes-happy",
    mouth: "mouth-open",
    left_ear: 4,
    right_ear: -4,
    tail: -18,
    motion: "wag",
    ..SIT
};

/// The look of a scene.
pub(crate) fn pose(scene: &Scene) -> Pose {
    match scene.state {
        State::Idle if scene.petted => HAPPY,
        State::Idle => resting(scene.motion, scene.moves),
        State::Acting(act) => acting(act, scene),
        State::Success => Pose { mark: Some(("mark-success", "success")), ..HAPPY },
        State::Error => Pose {
            head: Head { y: 3, ..UPRIGHT },
            left_ear: -10,
            right_ear: 10,
            tail: 20,
            eyes: "eyes-sad",
            mouth: "mouth-flat",
            mark: Some(("mark-error", "error")),
            motion: "shake",
            ..SIT
        },
        State::Denied => Pose {
            head: Head { turn: -8, ..UPRIGHT },
            eyes: "eyes-closed",
            mouth: "mouth-flat",
            mark: Some(("mark-denied", "error")),
            motion: "turn",
            ..SIT
        },
        State::Dangerous => Pose {
            left_ear: 18,
            right_ear: -18,
            eyes: "eyes-wide",
            mouth: "mouth-flat",
            mark: Some(("mark-dangerous", "warning")),
            motion: "hop",
            ..SIT
        },
        State::Offline => Pose {
            eyes: "eyes-closed",
            mouth: "mouth-flat",
            prop: Some("prop-plug"),
            mark: Some(("mark-offline", "info")),
            ..LIE
        },
    }
}

fn acting(act: Act, scene: &Scene) -> Pose {
    let (pose, mark) = match act {
        Act::Reading => {
            let is_search = scene.tool == Some(puppy_core::spec::Tool::Search);
            let (prop, head) = if is_search {
                ("prop-lens", Head { turn: 8, ..UPRIGHT })
            } else {
                ("prop-book", Head { y: 3, ..UPRIGHT })
            };
            (Pose { head, prop: Some(prop), motion: "read", ..SIT }, "mark-reading")
        }
        Act::Writing => {
            let head = Head { turn: 6, ..UPRIGHT };
            (Pose { head, prop: Some("prop-pencil"), motion: "write", ..SIT }, "mark-writing")
        }
        Act::Moving => {
            (Pose { mouth: "mouth-flat", prop: Some("prop-box"), motion: "carry", ..STAND }, "mark-moving")
        }
        Act::Deleting => {
            (Pose { mouth: "mouth-flat", prop: Some("prop-bag"), motion: "haul", ..STAND }, "mark-deleting")
        }
    };
    let mark = if scene.burst > 0 { "mark-burst" } else { mark };
    Pose { mark: Some((mark, "info")), ..pose }
}

fn resting(motion: Option<Motion>, moves: bool) -> Pose {
    let turned = |turn: i8, y: i8| Head { turn, y, ..UPRIGHT };
    match motion {
        None => SIT,
        Some(Motion::Sit) => Pose { motion: "breathe", ..SIT },
        Some(Motion::Stand) => Pose { motion: "breathe", ..STAND },
        Some(Motion::Look) => Pose { head: turned(-9, 0), motion: "look", ..SIT },
        Some(Motion::Tilt) => Pose { head: turned(10, 0), left_ear: 10, ..SIT },
        Some(Motion::Groom) => Pose {
            head: turned(14, 4),
            left_ear: -6,
            eyes: "eyes-closed",
            mouth: "mouth-open",
            motion: "lick",
            ..SIT
        },
        Some(Motion::Wag) => Pose { motion: "wag", ..SIT },
        Some(Motion::Yawn) => Pose { head: turned(-4, -1), eyes: "eyes-closed", mouth: "mouth-open", ..SIT },
        Some(Motion::Lie) => LIE,
        Some(Motion::Sleep) => Pose { motion: if moves { "doze" } else { "still" }, ..SLEEP },
    }
}

impl Pose {
    /// Whether a part of the drawing shows; parts that no pose names always do.
    pub(crate) fn shows(&self, part: &str) -> bool {
        let chosen = [self.eyes, self.mouth];
        match part {
            "skull" | "nose" | "ear-left" | "ear-right" => true,
            _ if part.starts_with("eyes-") || part.starts_with("mouth-") => chosen.contains(&part),
            _ if part.starts_with("mark-") => self.mark.is_some_and(|(mark, _)| mark == part),
            _ => self.body.parts().contains(&part) || self.prop == Some(part),
        }
    }

    /// Whether it is awake, and blinks now and then.
    pub(crate) fn is_awake(&self) -> bool {
        self.eyes == "eyes-open"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig;
    use puppy_core::spec::Tool;

    fn scene(state: State) -> Scene {
        Scene {
            state,
            tool: None,
            motion: None,
            moves: false,
            petted: false,
            hearts: false,
            bubble: false,
            burst: 0,
        }
    }

    fn all() -> Vec<Scene> {
        let states = [
            State::Idle,
            State::Acting(Act::Reading),
            State::Acting(Act::Writing),
            State::Acting(Act::Moving),
            State::Acting(Act::Deleting),
            State::Success,
            State::Error,
            State::Denied,
            State::Dangerous,
            State::Offline,
        ];
        let motions = [
            Motion::Sit,
            Motion::Stand,
            Motion::Look,
            Motion::Tilt,
            Motion::Groom,
            Motion::Wag,
            Motion::Yawn,
            Motion::Lie,
            Motion::Sleep,
        ];
        let resting = motions.map(|motion| Scene { motion: Some(motion), ..scene(State::Idle) });
        let burst = Scene { burst: 9, ..scene(State::Acting(Act::Reading)) };
        let search = Scene { tool: Some(Tool::Search), ..burst };
        states.map(scene).into_iter().chain(resting).chain([burst, search]).collect()
    }

    #[test]
    fn every_part_that_a_pose_names_is_in_the_drawing() {
        for scene in all() {
            let pose = pose(&scene);
            let named = pose.body.parts().iter().copied().chain([pose.eyes, pose.mouth]);
            for part in named.chain(pose.prop).chain(pose.mark.map(|it| it.0)) {
                assert!(rig::has(part), "{part} of {scene:?}");
                assert!(pose.shows(part), "{part} of {scene:?}");
            }
        }
        for tool in Tool::ALL {
            assert!(rig::has(&format!("tool-{}", tool.name())), "B-295: {}", tool.name());
        }
    }

    /// B-294, B-296: told apart by shape, not by colour alone.
    #[test]
    fn no_two_states_look_alike() {
        let looks: Vec<_> = all().into_iter().take(10).map(|scene| pose(&scene)).collect();
        for (at, look) in looks.iter().enumerate() {
            assert!(looks.iter().skip(at + 1).all(|other| other != look), "{look:?}");
        }
        let marks: Vec<_> = looks.iter().skip(1).map(|it| it.mark.unwrap().0).collect();
        for (at, mark) in marks.iter().enumerate() {
            assert!(!marks[at + 1..].contains(mark), "{mark}");
        }
    }

    #[test]
    fn the_style_sheet_knows_every_motion() {
        let css = include_str!("../../../index.css");
        for scene in all() {
            let motion = pose(&scene).motion;
            let is_known = motion == "still" || css.contains(&format!("[data-motion=\"{motion}\"]"));
            assert!(is_known, "{motion}");
        }
    }
}
