//! The position of the puppy's element in the window, remembered by the device (B-298).

use std::cell::Cell;

use crate::state::place::{ScreenPlace, inside};
use puppy_ui_web::host;
use puppy_ui_web::host::dom::Node;

/// Half of the widest bubble, and the height of one with its gap, in pixels.
const BUBBLE: i32 = 210;
const ROOF: i32 = 40;
const KEY: &str = "siyuan-mcp-puppy.place";

/// The puppy's element and its position.
pub(crate) struct Position {
    node: Node,
    size: Cell<i32>,
    at: Cell<(i32, i32)>,
}

impl Position {
    /// Puts an element at its remembered place, or at its first one.
    pub(crate) fn new(node: Node, size: i32) -> Position {
        let position = Position { node, size: Cell::new(size), at: Cell::new((0, 0)) };
        position.resize(size);
        position
    }

    /// Side of the box, in pixels.
    pub(crate) fn size(&self) -> i32 {
        self.size.get()
    }

    /// Its left top corner.
    pub(crate) fn at(&self) -> (i32, i32) {
        self.at.get()
    }

    /// Changes its size and keeps its place.
    pub(crate) fn resize(&self, size: i32) {
        self.size.set(size);
        self.node.size_to(size);
        self.recall();
    }

    /// Puts it at its remembered place: the window has changed.
    pub(crate) fn recall(&self) {
        let window = host::window_size();
        let place = host::remembered(KEY).and_then(|text| ScreenPlace::parse(&text));
        self.put(place.unwrap_or_else(|| ScreenPlace::first(window)).at(self.size(), window));
    }

    /// Puts its left top corner at a point, or as near as it fits into the window.
    pub(crate) fn put(&self, (x, y): (i32, i32)) {
        let (window, size) = (host::window_size(), self.size());
        let at = (inside(x, size, window.0), inside(y, size, window.1));
        self.at.set(at);
        self.node.style("transform", &format!("translate({}px,{}px)", at.0, at.1));
        // The bubble stays inside the window too.
        let side = match at.0 + size / 2 {
            middle if middle < BUBBLE => "left",
            middle if middle > window.0 - BUBBLE => "right",
            _ => "middle",
        };
        self.node.set("data-side", side);
        self.node.set("data-roof", if at.1 < ROOF { "true" } else { "false" });
    }

    /// Puts it at a point and remembers it; `None` is the first place.
    pub(crate) fn settle(&self, at: Option<(i32, i32)>) {
        let window = host::window_size();
        if let Some(at) = at {
            self.put(at);
        }
        let place = at
            .map_or_else(|| ScreenPlace::first(window), |_| ScreenPlace::of(self.at(), self.size(), window));
        host::remember(KEY, &place.to_text());
        self.put(place.at(self.size(), window));
    }
}
