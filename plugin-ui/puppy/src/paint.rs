//! The painting of a scene: attributes of the puppy's element, and the style of each part.

use puppy_core::activity::shop::ShopItem;
use puppy_core::spec::Tool;
use puppy_ui_web::state::scene::Scene;

use super::look::look;
use super::pose::{Placement, Pose};

/// The drawing: one SVG with all parts. Parts carry `data-part`.
pub(crate) const DRAWING: &str = include_str!("rig.svg");

/// The attributes of the puppy's element.
pub(crate) type Attributes = [(&'static str, &'static str); 6];

/// The drawing of a scene: the styles of all parts follow from it, so equal figures need no painting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Figure {
    pose: Pose,
    tool: Option<Tool>,
    item: Option<ShopItem>,
    hearts: bool,
    wears: bool,
}

/// A scene as it is drawn.
pub(crate) struct Picture<'a> {
    scene: &'a Scene,
    figure: Figure,
}

impl Picture<'_> {
    /// The picture of a scene.
    pub(crate) fn of(scene: &Scene) -> Picture<'_> {
        let Scene { tool, item, hearts, wears, .. } = *scene;
        Picture { scene, figure: Figure { pose: look(scene), tool, item, hearts, wears } }
    }

    /// The drawing without attributes.
    pub(crate) const fn figure(&self) -> Figure {
        self.figure
    }

    /// The attributes in the order in which they are set: the state comes last, so that an observer of it sees the
    /// whole picture.
    pub(crate) fn attributes(&self) -> Attributes {
        let flag = |is: bool| if is { "true" } else { "false" };
        [
            ("data-motion", self.motion()),
            ("data-awake", flag(self.figure.pose.is_awake())),
            // Two names of the same animation take turns, so that every blink restarts it.
            ("data-blink", self.blink()),
            ("data-mark", self.figure.pose.mark.map_or("none", |mark| mark.trim_start_matches("mark-"))),
            ("data-tool", self.figure.tool.map_or("", Tool::name)),
            ("data-state", self.scene.state.word()),
        ]
    }

    /// The name of its motion.
    pub(crate) fn motion(&self) -> &'static str {
        if self.scene.lands { "land" } else { self.figure.pose.motion }
    }

    fn blink(&self) -> &'static str {
        match self.scene.blinks {
            0 => "none",
            blinks if blinks % 2 == 1 => "odd",
            _ => "even",
        }
    }

    /// Whether a part shows.
    pub(crate) fn shows(&self, part: &str) -> bool {
        let Figure { pose, tool, item, hearts, wears } = &self.figure;
        match part.split_once('-') {
            // A prop without a place in the pose, as in the pose of a result, does not show.
            Some(("tool", name)) => pose.tool.and(*tool).is_some_and(|tool| tool.name() == name),
            Some(("item", name)) => pose.item.and(*item).is_some_and(|item| item.word() == name),
            _ if part == "hearts" => *hearts,
            _ if part == "ribbon" => *wears,
            _ => pose.shows(part),
        }
    }

    /// The `style` of a part.
    pub(crate) fn style(&self, part: &str) -> String {
        match self.figure.pose.placement(part) {
            // Marks fade away.
            _ if !self.shows(part) && part.starts_with("mark") => "display:none;opacity:0".to_owned(),
            _ if !self.shows(part) => "display:none".to_owned(),
            Some(it) if it != Placement::HOME => format!("transform:{}", transform(it)),
            _ => String::new(),
        }
    }
}

/// A place as CSS. Whole numbers only: floating point would cost the page's start a tenth of its bytes.
fn transform(Placement { x, y, turn, size }: Placement) -> String {
    let mut text = format!("translate({x}px,{y}px)");
    if turn != 0 {
        text += &format!(" rotate({turn}deg)");
    }
    if size != 100 {
        text += &format!(" scale({}.{:02})", size / 100, size % 100);
    }
    text
}
