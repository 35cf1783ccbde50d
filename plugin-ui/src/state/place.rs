//! Where the puppy stands: the nearest corner and how far from it, so that it stays there when the window changes.

/// Distance of the first place from the right and the bottom edge: clear of dock and status bar.
const FIRST: (f64, f64) = (54.0, 44.0);

/// A place, as fractions of the window's size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    from_right: bool,
    from_bottom: bool,
    across: f64,
    down: f64,
}

impl Place {
    /// The place of a box whose left top corner is at `at`, in a window of `window`.
    pub fn of(at: (f64, f64), size: f64, window: (f64, f64)) -> Place {
        let side = |at: f64, window: f64| {
            let far = window - size - at;
            let is_far_side = far < at;
            (is_far_side, (if is_far_side { far } else { at }) / window.max(1.0))
        };
        let ((from_right, across), (from_bottom, down)) = (side(at.0, window.0), side(at.1, window.1));
        Place { from_right, from_bottom, across, down }
    }

    /// Where it was never moved.
    pub fn first(window: (f64, f64)) -> Place {
        Place {
            from_right: true,
            from_bottom: true,
            across: FIRST.0 / window.0.max(1.0),
            down: FIRST.1 / window.1.max(1.0),
        }
    }

    /// Its left top corner in a window, whole inside it.
    pub fn at(self, size: f64, window: (f64, f64)) -> (f64, f64) {
        let side = |is_far_side: bool, part: f64, window: f64| {
            let offset = part * window;
            inside(if is_far_side { window - size - offset } else { offset }, size, window)
        };
        (side(self.from_right, self.across, window.0), side(self.from_bottom, self.down, window.1))
    }

    /// The text that a device remembers.
    pub fn to_text(self) -> String {
        let side = |is_far_side: bool| if is_far_side { "far" } else { "near" };
        let (right, bottom) = (side(self.from_right), side(self.from_bottom));
        format!("{right} {:.4} {bottom} {:.4}", self.across, self.down)
    }

    /// Reads that text; anything else is no place.
    pub fn parse(text: &str) -> Option<Place> {
        let mut words = text.split(' ');
        let mut side = || {
            let is_far_side = match words.next()? {
                "far" => true,
                "near" => false,
                _ => return None,
            };
            let part: f64 = words.next()?.parse().ok()?;
            (0.0..=1.0).contains(&part).then_some((is_far_side, part))
        };
        let ((from_right, across), (from_bottom, down)) = (side()?, side()?);
        words.next().is_none().then_some(Place { from_right, from_bottom, across, down })
    }
}

/// The nearest place of an edge at which the whole box is inside.
pub fn inside(at: f64, size: f64, window: f64) -> f64 {
    at.min(window - size).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: f64 = 72.0;

    /// B-298: always inside the window, whatever was remembered and however small the window.
    #[test]
    fn it_is_always_inside() {
        for window in [(1280.0, 860.0), (390.0, 844.0), (72.0, 72.0), (10.0, 10.0)] {
            for at in [(0.0, 0.0), (-50.0, 9_000.0), (600.0, 400.0), (9_000.0, -1.0)] {
                let (x, y) = Place::of(at, SIZE, window).at(SIZE, (300.0, 200.0));
                assert!((0.0..=228.0).contains(&x) && (0.0..=128.0).contains(&y), "{x} {y}");
            }
        }
        assert_eq!(Place::first((10.0, 10.0)).at(SIZE, (10.0, 10.0)), (0.0, 0.0));
    }

    /// B-298: the remembered place is the same place.
    #[test]
    fn it_is_remembered_and_keeps_its_corner() {
        let window = (1280.0, 860.0);
        assert_eq!(Place::first(window).at(SIZE, window), (1154.0, 744.0));
        let place = Place::of((1100.0, 20.0), SIZE, window);
        let back = Place::parse(&place.to_text()).unwrap();
        let (x, y) = back.at(SIZE, window);
        assert!((x - 1100.0).abs() < 0.5 && (y - 20.0).abs() < 0.5);
        let (x, _) = back.at(SIZE, (640.0, 860.0));
        assert!((640.0 - SIZE - x - 54.0).abs() < 0.5, "half as far from the right edge: {x}");
    }

    #[test]
    fn anything_else_is_no_place() {
        for text in ["", "far", "far 2 near 0", "far x near 0", "far 0 near 0 more", "far NaN near 0", "{}"] {
            assert_eq!(Place::parse(text), None, "{text}");
        }
    }
}
