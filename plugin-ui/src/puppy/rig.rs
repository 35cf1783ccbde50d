//! The drawing: one SVG with all parts, of which a pose shows some.

/// The drawing as it goes into the page. Parts carry `data-part`; head, ears and tail are turned as a whole.
pub(crate) const DRAWING: &str = include_str!("rig.svg");

/// Whether the drawing has a part of this name.
#[cfg(test)]
pub(crate) fn has(part: &str) -> bool {
    DRAWING.contains(&format!("data-part=\"{part}\""))
}
