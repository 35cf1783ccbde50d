//! From a scene to what the page sets: attributes of the puppy's element, and the style of each part.

use puppy_plugin_ui::state::puppy::Scene;

use super::look::look;
use super::pose::{Pose, Spot};

/// The drawing: one SVG with all parts. Parts carry `data-part`.
pub(crate) const DRAWING: &str = include_str!("rig.svg");

/// A scene as it is drawn.
pub(crate) struct Picture<'a> {
    scene: &'a Scene,
    pose: Pose,
}

impl Picture<'_> {
    /// The picture of a scene.
    pub(crate) fn of(scene: &Scene) -> Picture<'_> {
        Picture { scene, pose: look(scene) }
    }

    /// Attributes of the element, in the order in which they are set: the state last, so that whoever watches
    /// it sees the whole picture.
    pub(crate) fn attributes(&self) -> [(&'static str, &'static str); 6] {
        let flag = |is: bool| if is { "true" } else { "false" };
        [
            ("data-motion", self.motion()),
            ("data-awake", flag(self.pose.is_awake())),
            // Every blink is another name of the same animation, so that it begins anew.
            ("data-blink", self.blink()),
            ("data-mark", self.pose.mark.map_or("none", |mark| mark.trim_start_matches("mark-"))),
            ("data-tool", self.scene.tool.map_or("", puppy_core::spec::Tool::name)),
            ("data-state", self.scene.state.word()),
        ]
    }

    /// The name of its motion.
    pub(crate) fn motion(&self) -> &'static str {
        if self.scene.lands { "land" } else { self.pose.motion }
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
        let Scene { tool, item, .. } = self.scene;
        match part.split_once('-') {
            // A prop without a place in the pose, as in the pose of a result, does not show.
            Some(("tool", name)) => self.pose.tool.and(*tool).is_some_and(|tool| tool.name() == name),
            Some(("item", name)) => self.pose.item.and(*item).is_some_and(|item| item.word() == name),
            _ if part == "hearts" => self.scene.hearts,
            _ if part == "ribbon" => self.scene.wears,
            _ => self.pose.shows(part),
        }
    }

    /// The `style` of a part.
    pub(crate) fn style(&self, part: &str) -> String {
        match self.pose.spot(part) {
            // Marks fade away.
            _ if !self.shows(part) && part.starts_with("mark") => "display:none;opacity:0".to_owned(),
            _ if !self.shows(part) => "display:none".to_owned(),
            Some(spot) if spot != Spot::HOME => format!("transform:{}", transform(spot)),
            _ => String::new(),
        }
    }
}

/// A place, as CSS. Whole numbers only: floating point would cost the page's start a tenth of its bytes.
fn transform(Spot { x, y, turn, size }: Spot) -> String {
    let mut text = format!("translate({x}px,{y}px)");
    if turn != 0 {
        text += &format!(" rotate({turn}deg)");
    }
    if size != 100 {
        text += &format!(" scale({}.{:02})", size / 100, size % 100);
    }
    text
}
