//! Every motion of the puppy as data. The style sheet is generated from it, and tests play it with a clock.

use std::fmt::Write as _;

/// A part at one moment of a motion: shift in tenths of a unit, turn in degrees, size and opacity in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    /// The moment, in percent of the length.
    pub(crate) at: u8,
    /// To the right.
    pub(crate) x: i16,
    /// Down.
    pub(crate) y: i16,
    /// Clockwise.
    pub(crate) turn: i16,
    /// Across; minus is mirrored.
    pub(crate) wide: i8,
    /// Down.
    pub(crate) tall: i8,
    /// Opacity.
    pub(crate) seen: i8,
}

/// The way from one frame to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Each frame stands until the next; endless motions move in steps.
    Steps,
    /// Softly.
    Soft,
}

/// One moving part: a class of the drawing (`dog-...`), the length of a round, and the number of rounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Track {
    pub(crate) class: &'static str,
    /// Milliseconds of one round.
    pub(crate) length: u16,
    /// Rounds; `None` until the pose changes.
    pub(crate) rounds: Option<u8>,
    /// Between the frames.
    pub(crate) pace: Pace,
    /// The differences from rest; at 0 and 100 percent the part rests unless a frame says otherwise.
    pub(crate) frames: &'static [Frame],
}

/// A motion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Animation {
    /// The value of `data-motion`.
    pub(crate) name: &'static str,
    /// The moving parts.
    pub(crate) tracks: &'static [Track],
}

const REST: Frame = Frame { at: 0, x: 0, y: 0, turn: 0, wide: 100, tall: 100, seen: 100 };

const fn shift(at: u8, x: i16, y: i16) -> Frame {
    Frame { at, x, y, ..REST }
}
const fn turn(at: u8, turn: i16) -> Frame {
    Frame { at, turn, ..REST }
}
const fn size(at: u8, wide: i8, tall: i8) -> Frame {
    Frame { at, wide, tall, ..REST }
}
const fn seen(at: u8, seen: i8, y: i16) -> Frame {
    Frame { at, seen, y, ..REST }
}
const fn track(
    class: &'static str,
    length: u16,
    rounds: Option<u8>,
    pace: Pace,
    frames: &'static [Frame],
) -> Track {
    Track { class, length, rounds, pace, frames }
}

use Pace::{Soft, Steps};

/// Four steps of .12 s, from side to side.
const WAG: &[Frame] = &[turn(0, 0), turn(25, -18), turn(50, 0), turn(75, 18)];
/// The tag goes on swinging after a stop.
const BELL: Track =
    track("dog-bell", 400, Some(2), Steps, &[turn(0, -6), turn(25, 0), turn(50, 6), turn(75, 0)]);
const BREATH: Track = track("dog-body", 2_000, Some(1), Soft, &[size(50, 101, 96)]);
const fn wag(rounds: u8) -> Track {
    track("dog-tail", 480, Some(rounds), Steps, WAG)
}

/// Every motion.
pub(crate) const ANIMATIONS: &[Animation] = &[
    Animation {
        name: "read",
        tracks: &[
            track("dog-eyes", 1_000, None, Steps, &[shift(0, -12, 4), shift(50, 12, 4)]),
            track("dog-face", 4_000, None, Steps, &[shift(0, 0, 0), shift(50, 0, 6)]),
        ],
    },
    Animation {
        name: "write",
        tracks: &[track(
            "dog-pencil",
            600,
            None,
            Steps,
            &[turn(0, -6), turn(25, -2), turn(50, 6), turn(75, 2)],
        )],
    },
    Animation {
        name: "carry",
        tracks: &[track(
            "dog-body",
            500,
            None,
            Steps,
            &[shift(0, 0, 0), shift(25, 0, -10), shift(50, 0, -20), shift(75, 0, -10)],
        )],
    },
    Animation {
        name: "haul",
        tracks: &[track("dog-body", 600, None, Steps, &[shift(0, 0, 0), shift(50, 0, -12)])],
    },
    Animation { name: "hop", tracks: &[track("dog-body", 320, Some(1), Soft, &[shift(45, 0, -30)]), BELL] },
    Animation {
        name: "ask",
        tracks: &[
            track("dog-ear-left", 4_000, None, Steps, &[turn(0, 0), turn(92, 8), turn(96, 0)]),
            track("dog-mark", 500, Some(3), Steps, &[seen(0, 100, 0), seen(50, 25, 0)]),
            track("dog-bark", 700, Some(3), Steps, &[seen(0, 100, 0), seen(50, 0, 0)]),
            track("dog-paw", 700, Some(3), Soft, &[turn(50, 8)]),
        ],
    },
    Animation {
        name: "cheer",
        tracks: &[wag(3), track("dog-body", 360, Some(2), Soft, &[shift(45, 0, -25)]), BELL],
    },
    Animation {
        name: "shake",
        tracks: &[track("dog-head", 500, Some(1), Soft, &[turn(25, -7), turn(75, 7)]), BELL],
    },
    Animation {
        name: "turn-away",
        tracks: &[
            track("dog-head", 600, Some(1), Soft, &[turn(0, 12), turn(50, -3)]),
            track("dog-face", 600, Some(1), Soft, &[shift(0, 50, 0), shift(50, -5, 0)]),
        ],
    },
    Animation {
        name: "chew",
        tracks: &[
            // The food flies in and lands; it walks there, then three bites of .35 s.
            track(
                "dog-item",
                480,
                Some(1),
                Soft,
                &[Frame { seen: 0, ..shift(0, -60, -320) }, shift(70, 0, 0), shift(85, 0, -30)],
            ),
            track(
                "dog-body",
                700,
                Some(1),
                Steps,
                &[
                    shift(0, 160, 0),
                    shift(20, 120, -12),
                    shift(40, 80, 0),
                    shift(60, 40, -12),
                    shift(80, 0, 0),
                ],
            ),
            track(
                "dog-head",
                1_750,
                Some(1),
                Soft,
                &[
                    shift(40, 0, -30),
                    shift(50, 0, 0),
                    shift(60, 0, -30),
                    shift(70, 0, 0),
                    shift(80, 0, -30),
                    shift(90, 0, 0),
                ],
            ),
        ],
    },
    Animation {
        name: "play",
        tracks: &[
            wag(4),
            track("dog-item", 500, Some(3), Soft, &[shift(50, -30, -40)]),
            track("dog-head", 500, Some(3), Soft, &[shift(50, 0, -15)]),
        ],
    },
    Animation { name: "pet", tracks: &[wag(2), track("dog-hand", 400, Some(2), Soft, &[shift(50, 60, 10)])] },
    Animation {
        name: "dangle",
        tracks: &[
            track(
                "dog-legs",
                900,
                None,
                Steps,
                &[shift(0, -8, 0), shift(25, 0, 0), shift(50, 8, 0), shift(75, 0, 0)],
            ),
            track("dog-tail", 900, None, Steps, &[turn(0, -6), turn(50, 6)]),
        ],
    },
    Animation {
        name: "land",
        tracks: &[track("dog-body", 180, Some(1), Soft, &[size(0, 104, 94), size(60, 99, 102)]), BELL],
    },
    Animation { name: "sit", tracks: &[BREATH] },
    Animation { name: "stand", tracks: &[BREATH] },
    Animation {
        name: "look",
        tracks: &[
            track(
                "dog-eyes",
                1_800,
                Some(1),
                Soft,
                &[shift(0, 12, 0), shift(30, 12, 0), shift(45, -10, 0), shift(85, -10, 0)],
            ),
            track("dog-face", 1_800, Some(1), Soft, &[shift(0, 80, 0), shift(45, 80, 0), shift(60, 0, 0)]),
        ],
    },
    Animation {
        name: "tilt",
        tracks: &[track(
            "dog-ear-left",
            1_400,
            Some(1),
            Steps,
            &[turn(0, 0), turn(45, 7), turn(55, 0), turn(65, 7), turn(75, 0)],
        )],
    },
    Animation {
        name: "groom",
        tracks: &[
            track("dog-head", 660, Some(3), Soft, &[shift(50, 0, 20)]),
            track("dog-paw", 660, Some(3), Soft, &[turn(50, -4)]),
        ],
    },
    Animation { name: "wag", tracks: &[track("dog-tail", 400, Some(3), Steps, WAG)] },
    Animation {
        name: "yawn",
        tracks: &[track("dog-head", 1_800, Some(1), Soft, &[turn(0, 5), turn(40, -4), turn(70, -4)])],
    },
    Animation {
        name: "stretch",
        tracks: &[
            track(
                "dog-body",
                2_400,
                Some(1),
                Soft,
                &[size(0, 100, 104), size(40, 103, 95), size(70, 103, 95)],
            ),
            track("dog-tail", 480, Some(4), Steps, &[turn(0, -5), turn(50, 5)]),
        ],
    },
    Animation {
        name: "sniff",
        tracks: &[
            track(
                "dog-body",
                1_800,
                Some(1),
                Steps,
                &[shift(0, 0, 0), shift(33, -20, 0), shift(66, -40, 0), shift(90, -20, 0)],
            ),
            track("dog-head", 300, Some(6), Soft, &[shift(50, 0, 12)]),
        ],
    },
    Animation {
        name: "chase",
        tracks: &[
            track(
                "dog-body",
                500,
                Some(4),
                Steps,
                &[
                    shift(0, 0, 0),
                    shift(25, -20, -10),
                    size(50, -100, 100),
                    Frame { wide: -100, ..shift(75, 20, -10) },
                ],
            ),
            track("dog-swirl", 500, Some(4), Steps, &[seen(0, 100, 0), seen(50, 40, 0)]),
        ],
    },
    Animation {
        name: "bowl",
        tracks: &[
            track(
                "dog-head",
                2_600,
                Some(1),
                Soft,
                &[turn(0, 13), turn(20, 13), turn(32, 0), turn(50, 0), turn(60, -4), turn(70, 0)],
            ),
            track(
                "dog-face",
                2_600,
                Some(1),
                Soft,
                &[shift(0, 60, -40), shift(15, 60, -40), shift(28, 0, 0)],
            ),
            track("dog-bowl", 2_600, Some(1), Soft, &[seen(0, 0, 0), seen(6, 100, 0)]),
        ],
    },
    Animation {
        name: "lie",
        tracks: &[track("dog-body", 1_200, Some(1), Soft, &[size(0, 98, 108), size(60, 101, 97)])],
    },
    Animation {
        name: "sleep",
        tracks: &[
            track(
                "dog-z1",
                10_000,
                Some(2),
                Soft,
                &[seen(0, 0, 60), seen(8, 90, 0), seen(24, 0, -40), seen(100, 0, 0)],
            ),
            track(
                "dog-z2",
                10_000,
                Some(2),
                Soft,
                &[seen(0, 0, 60), seen(8, 0, 60), seen(16, 90, 0), seen(30, 0, -40), seen(100, 0, 0)],
            ),
            track("dog-body", 5_000, Some(4), Soft, &[size(50, 101, 98)]),
        ],
    },
];

/// The motions as CSS, for the style sheet: a line of rules and a line of keyframes for each.
pub(crate) fn css() -> String {
    let mut rules = String::new();
    let mut keyframes = String::new();
    for animation in ANIMATIONS {
        let puppy = format!(".pup-dog:not([data-calm=\"true\"])[data-motion=\"{}\"]", animation.name);
        let (mut own_rules, mut own_keyframes) = (Vec::new(), Vec::new());
        for Track { class, length, rounds, pace, frames } in animation.tracks {
            let name = format!("pup-{}-{}", animation.name, class.trim_start_matches("dog-"));
            let rounds = rounds.map_or_else(|| "infinite".to_owned(), |it| it.to_string());
            let pace = match pace {
                Pace::Steps => "steps(1)",
                Pace::Soft => "ease-in-out",
            };
            own_rules.push(format!("{puppy} .{class} {{ animation: {name} {length}ms {pace} {rounds}; }}"));
            // A fading part needs an opacity in every frame, or it would go on fading past a frame of full opacity.
            let fades = frames.iter().any(|frame| frame.seen != REST.seen);
            let frames: String = frames.iter().map(|frame| format!(" {}", frame.css(fades))).collect();
            own_keyframes.push(format!("@keyframes {name} {{{frames} }}"));
        }
        let _ = writeln!(rules, "  {}", own_rules.join(" "));
        let _ = writeln!(keyframes, "{}", own_keyframes.join(" "));
    }
    format!("@media (prefers-reduced-motion: no-preference) {{\n{rules}}}\n{keyframes}")
}

impl Frame {
    fn css(self, fades: bool) -> String {
        let Frame { at, x, y, turn, wide, tall, seen } = self;
        let mut moves = Vec::new();
        if (x, y) != (0, 0) {
            moves.push(format!("translate({}px, {}px)", tenths(x), tenths(y)));
        }
        if turn != 0 {
            moves.push(format!("rotate({turn}deg)"));
        }
        if (wide, tall) != (100, 100) {
            moves.push(format!("scale({}, {})", percent(wide), percent(tall)));
        }
        let moves = if moves.is_empty() { "none".to_owned() } else { moves.join(" ") };
        let seen = if fades { format!(" opacity: {};", percent(seen)) } else { String::new() };
        format!("{at}% {{ transform: {moves};{seen} }}")
    }
}

fn tenths(value: i16) -> String {
    (f32::from(value) / 10.0).to_string()
}

fn percent(value: i8) -> String {
    (f32::from(value) / 100.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str =
        "/* Motions: made from plugin-ui/puppy/src/motion.rs by its test with UPDATE_EXPECT=1. */\n";
    const END: &str = "/* End of motions. */";

    #[test]
    fn style_sheet_matches_the_motions() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../index.css");
        let sheet = std::fs::read_to_string(path).unwrap();
        let (before, rest) = sheet.split_once(BEGIN).expect("the mark where motions begin");
        let (now, after) = rest.split_once(END).expect("the mark where motions end");
        if now != css() && std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path, format!("{before}{BEGIN}{}{END}{after}", css())).unwrap();
            return;
        }
        assert!(now == css(), "run `UPDATE_EXPECT=1 cargo test -p puppy-ui-puppy style_sheet`");
    }

    /// Endless motions move in steps, so that nothing is drawn between them; soft ones end by themselves.
    #[test]
    fn looping_motions_move_in_steps() {
        for animation in ANIMATIONS {
            for track in animation.tracks.iter().filter(|track| track.rounds.is_none()) {
                assert_eq!(track.pace, Pace::Steps, "{} {}", animation.name, track.class);
            }
        }
    }
}
