//! The drawing in every pose and at every moment of its motion: finite, without jumps, and in one piece (property tests).

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use kurbo::{Affine, BezPath, Circle, Ellipse, Point, Rect, RoundedRect, Shape as _, Vec2};
use proptest::prelude::*;
use puppy_ui_web::state::scene::{Scene, State};
use roxmltree::{Document, Node, NodeId};

use super::look::{look, tests::all};
use super::motion::{ANIMATIONS, Frame, Pace, Track};
use super::paint::{DRAWING, Picture};
use super::pose::{Placement, Pose};

/// The overhang of the box of 96 units: marks rise above it, a carried puppy's legs hang below.
const PAPER: Rect = Rect::new(-12.0, -8.0, 110.0, 104.0);
/// Between two moments that are 16 ms apart, no part's middle moves farther than this, in units.
const JUMP: f64 = 6.5;
/// A part that belongs to the body touches the rest of it within this.
const GAP: f64 = 1.0;
/// Signs in the air around the puppy, and things on the floor.
const LOOSE: [&str; 12] = [
    "bowl", "alarm", "bark", "speed", "swirl", "sniffs", "sparkles", "crumbs", "zzz", "hearts", "hand",
    "item",
];

/// `transform-origin` of parts and classes, as the style sheet has them.
fn origins() -> BTreeMap<String, Vec2> {
    let css = include_str!("../../../index.css");
    let mut origins = BTreeMap::new();
    for line in css.lines().filter(|line| line.contains("transform-origin:") && line.contains(" { ")) {
        let (selectors, rule) = line.split_once(" { ").unwrap();
        let Some((_, origin)) = rule.split_once("transform-origin: ") else { continue };
        let mut numbers = origin.split([' ', ';']).filter_map(|it| it.strip_suffix("px")?.parse().ok());
        let (Some(x), Some(y)) = (numbers.next(), numbers.next()) else { continue };
        if line.trim_start().starts_with('@') {
            continue;
        }
        for selector in selectors.split(", ") {
            origins.insert(selector.trim().replace(".pup-svg ", ""), Vec2::new(x, y));
        }
    }
    origins
}

/// One shape as it is drawn at a moment: the innermost named part around it, and its box.
#[derive(Debug, Clone)]
struct Piece {
    part: String,
    area: Rect,
}

struct Stage<'a> {
    document: Document<'a>,
    origins: BTreeMap<String, Vec2>,
    shapes: HashMap<NodeId, BezPath>,
}

impl Stage<'_> {
    fn new() -> Stage<'static> {
        let document = Document::parse(DRAWING).unwrap();
        let shapes = document.descendants().filter_map(|node| Some((node.id(), shape(node)?))).collect();
        Stage { document, origins: origins(), shapes }
    }

    /// Every visible shape of a scene, at a number of milliseconds after its start.
    fn pieces(&self, scene: &Scene, at: f64) -> Vec<Piece> {
        let motion = Picture::of(scene).motion();
        let tracks = ANIMATIONS.iter().find(|it| it.name == motion).map_or(&[][..], |it| it.tracks);
        let mut pieces = Vec::new();
        let picture = Picture::of(scene);
        let pose = look(scene);
        let root = self.document.root_element();
        self.walk(root, Affine::IDENTITY, "", &Now { picture, pose, tracks, at }, &mut pieces);
        pieces
    }

    fn walk(&self, node: Node<'_, '_>, outer: Affine, part: &str, now: &Now<'_>, pieces: &mut Vec<Piece>) {
        if node.tag_name().name() == "clipPath" {
            return;
        }
        let mut here = outer * node.attribute("transform").map_or(Affine::IDENTITY, attribute);
        let own = node.attribute("data-part");
        if let Some(name) = own {
            if !now.picture.shows(name) {
                return;
            }
            let origin = self.origins.get(&format!("[data-part=\"{name}\"]")).copied().unwrap_or_default();
            here *= now.pose.placement(name).map_or(Affine::IDENTITY, |spot| around(origin, place(spot)));
        }
        let part = own.unwrap_or(part);
        for class in node.attribute("class").unwrap_or_default().split(' ') {
            for track in now.tracks.iter().filter(|track| track.class == class) {
                let own = format!("[data-part=\"{part}\"] .{class}");
                let origin = self.origins.get(&own).or_else(|| self.origins.get(&format!(".{class}")));
                here *= around(origin.copied().unwrap_or_default(), moved(frame(track, now.at)));
            }
        }
        if let Some(path) = self.shapes.get(&node.id()) {
            pieces.push(Piece { part: part.to_owned(), area: (here * path).bounding_box() });
        }
        for child in node.children().filter(Node::is_element) {
            self.walk(child, here, part, now, pieces);
        }
    }
}

struct Now<'a> {
    picture: Picture<'a>,
    pose: Pose,
    tracks: &'static [Track],
    at: f64,
}

fn around(origin: Vec2, inner: Affine) -> Affine {
    Affine::translate(origin) * inner * Affine::translate(-origin)
}

fn place(Placement { x, y, turn, size }: Placement) -> Affine {
    Affine::translate((f64::from(x), f64::from(y)))
        * Affine::rotate(f64::from(turn).to_radians())
        * Affine::scale(f64::from(size) / 100.0)
}

fn moved(frame: [f64; 5]) -> Affine {
    let [x, y, turn, wide, tall] = frame;
    Affine::translate((x / 10.0, y / 10.0))
        * Affine::rotate(turn.to_radians())
        * Affine::scale_non_uniform(wide / 100.0, tall / 100.0)
}

/// The place of a track: between its frames, or at rest without one.
fn frame(track: &Track, at: f64) -> [f64; 5] {
    let numbers = |it: &Frame| [it.x.into(), it.y.into(), it.turn.into(), it.wide.into(), it.tall.into()];
    let rest = [0.0, 0.0, 0.0, 100.0, 100.0];
    let length = f64::from(track.length);
    if track.rounds.is_some_and(|rounds| at >= length * f64::from(rounds)) {
        return rest;
    }
    let percent = (at % length) / length * 100.0;
    let mut before = (0.0, rest);
    let mut after = (100.0, rest);
    for it in track.frames {
        if f64::from(it.at) <= percent {
            before = (f64::from(it.at), numbers(it));
        }
    }
    for it in track.frames.iter().rev() {
        if f64::from(it.at) > percent {
            after = (f64::from(it.at), numbers(it));
        }
    }
    if track.pace == Pace::Steps {
        return before.1;
    }
    let part = (percent - before.0) / (after.0 - before.0);
    // As soft as `ease-in-out`, and never faster.
    let part = part * part * (3.0 - 2.0 * part);
    std::array::from_fn(|at| before.1[at] + (after.1[at] - before.1[at]) * part)
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |it| it.parse().unwrap())
}

/// The outline of an element.
fn shape(node: Node<'_, '_>) -> Option<BezPath> {
    let of = |name| number(node, name);
    Some(match node.tag_name().name() {
        "path" => BezPath::from_svg(node.attribute("d")?).unwrap(),
        "circle" => Circle::new((of("cx"), of("cy")), of("r")).to_path(0.1),
        "ellipse" => Ellipse::new((of("cx"), of("cy")), (of("rx"), of("ry")), 0.0).to_path(0.1),
        "rect" => {
            let (x, y) = (of("x"), of("y"));
            RoundedRect::new(x, y, x + of("width"), y + of("height"), of("rx")).to_path(0.1)
        }
        _ => return None,
    })
}

/// `translate`, `rotate` and `scale` of the attribute.
fn attribute(text: &str) -> Affine {
    let mut all = Affine::IDENTITY;
    for part in text.split(')').filter(|it| !it.trim().is_empty()) {
        let (name, numbers) = part.split_once('(').unwrap();
        let numbers: Vec<f64> = numbers.split(' ').map(|it| it.parse().unwrap()).collect();
        all *= match (name.trim(), numbers.as_slice()) {
            ("translate", [x, y]) => Affine::translate((*x, *y)),
            ("scale", [size]) => Affine::scale(*size),
            ("rotate", [turn]) => Affine::rotate(turn.to_radians()),
            ("rotate", [turn, x, y]) => around(Vec2::new(*x, *y), Affine::rotate(turn.to_radians())),
            other => panic!("{other:?}"),
        };
    }
    all
}

fn touches(one: Rect, other: Rect) -> bool {
    one.inflate(GAP, GAP).overlaps(other)
}

fn is_of_the_body(part: &str) -> bool {
    let is_tool_or_mark = ["tool", "item", "mark-"].iter().any(|it| part.starts_with(it));
    !LOOSE.contains(&part) && !is_tool_or_mark
}

static STAGE: LazyLock<Stage<'static>> = LazyLock::new(Stage::new);

/// The length of a scene's motion, and a little more.
fn length(scene: &Scene) -> f64 {
    let motion = Picture::of(scene).motion();
    let tracks = ANIMATIONS.iter().find(|it| it.name == motion).map_or(&[][..], |it| it.tracks);
    let ends = tracks.iter().map(|it| f64::from(it.length) * f64::from(it.rounds.unwrap_or(2)));
    ends.fold(20.0, f64::max)
}

/// A puppy that chases its tail turns around at once: a mirror, not a jump.
fn turns_round(scene: &Scene) -> bool {
    let motion = Picture::of(scene).motion();
    let mut tracks = ANIMATIONS.iter().filter(|it| it.name == motion).flat_map(|it| it.tracks);
    tracks.any(|track| track.frames.iter().any(|it| it.wide < 0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// No pose has a NaN, a jump between neighbouring times, or a part off the body.
    #[test]
    fn poses_keep_every_part_on_the_body(scene in prop::sample::select(all()), part in 0.0..1.0f64) {
        let stage = &*STAGE;
        let at = part * length(&scene);
        let (now, next) = (stage.pieces(&scene, at), stage.pieces(&scene, at + 16.0));
        prop_assert_eq!(now.len(), next.len());
        for (piece, later) in now.iter().zip(&next) {
            let area = piece.area;
            prop_assert!(area.is_finite(), "{:?}", piece);
            prop_assert!(PAPER.contains_rect(area), "{:?} is off the paper", piece);
            let (one, other) = (area.center(), later.area.center());
            let jump = match (other - one).hypot() {
                far if far > JUMP && turns_round(&scene) => (Point::new(96.0 - other.x, other.y) - one).hypot(),
                jump => jump,
            };
            prop_assert!(jump <= JUMP, "{:?} jumps by {jump:.1}", piece);
        }
        let body: Vec<&Piece> = now.iter().filter(|it| is_of_the_body(&it.part)).collect();
        // From the first piece on, everything that touches what is joined already is joined.
        let mut joined = vec![false; body.len()];
        joined[0] = true;
        for _ in 0..body.len() {
            for one in 0..body.len() {
                let is_joined = (0..body.len()).any(|it| joined[it] && touches(body[one].area, body[it].area));
                joined[one] |= is_joined;
            }
        }
        for (piece, is_joined) in body.iter().zip(&joined) {
            prop_assert!(is_joined, "{:?} is off the body", piece);
        }
    }
}

/// Things that the puppy holds are at its paws or its mouth, not in the air.
#[test]
fn held_props_touch_paws_or_mouth() {
    let stage = Stage::new();
    for scene in all() {
        let pieces = stage.pieces(&scene, 0.0);
        let head = pieces.iter().find(|it| it.part == "head").unwrap().area;
        let mut things = BTreeMap::new();
        for piece in pieces.iter().filter(|it| it.part.starts_with("tool-") || it.part.starts_with("item-")) {
            let thing = things.entry(&piece.part).or_insert(piece.area);
            *thing = thing.union(piece.area);
        }
        for (part, thing) in things {
            let is_held = pieces.iter().any(|it| is_of_the_body(&it.part) && touches(it.area, thing));
            assert!(is_held, "{part} of {scene:?} is in the air");
            assert!(thing.y0 > head.y0, "{part} of {scene:?} covers the face");
        }
    }
}

/// Baby proportions: the sitting puppy's head is at least half of its height, its eyes below the head's middle.
#[test]
fn puppy_has_baby_proportions() {
    let pieces = Stage::new().pieces(&Scene::of(State::Idle), 0.0);
    let union = |parts: &[&str]| {
        let of = pieces.iter().filter(|it| parts.is_empty() || parts.contains(&it.part.as_str()));
        of.map(|it| it.area).reduce(|one, other| one.union(other)).unwrap()
    };
    let (all, head, eyes) = (union(&[]), union(&["head"]), union(&["eyes-open"]));
    println!("head {:.0} % of the height", 100.0 * head.height() / all.height());
    assert!(head.height() / all.height() > 0.5 && eyes.center().y > head.center().y);
    assert!((all.y1 - 92.0).abs() < 1.5, "feet on the ground: {}", all.y1);
}
