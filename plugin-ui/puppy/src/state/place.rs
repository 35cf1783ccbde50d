//! The puppy's place: its distance from the nearest corner, so that it stays there when the window changes.

/// Distance of the first place from the right and the bottom edge: clear of dock and status bar.
const FIRST: (i32, i32) = (54, 44);
/// Fractions are whole numbers of this: floating point would cost the page's start a tenth of its bytes.
const WHOLE: i32 = 100_000;

/// A place, as fractions of the window's size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScreenPlace {
    from_right: bool,
    from_bottom: bool,
    across: i32,
    down: i32,
}

impl ScreenPlace {
    /// The place of a box whose left top corner is at `at`, in a window of `window`.
    pub fn of(at: (i32, i32), size: i32, window: (i32, i32)) -> ScreenPlace {
        let side = |at: i32, window: i32| {
            let far = window - size - at;
            let is_far_side = far < at;
            (is_far_side, fraction(if is_far_side { far } else { at }, window))
        };
        let ((from_right, across), (from_bottom, down)) = (side(at.0, window.0), side(at.1, window.1));
        ScreenPlace { from_right, from_bottom, across, down }
    }

    /// The place before it was ever moved.
    pub fn first(window: (i32, i32)) -> ScreenPlace {
        ScreenPlace {
            from_right: true,
            from_bottom: true,
            across: fraction(FIRST.0, window.0),
            down: fraction(FIRST.1, window.1),
        }
    }

    /// Its left top corner in a window, whole inside it.
    pub fn at(self, size: i32, window: (i32, i32)) -> (i32, i32) {
        let side = |is_far_side: bool, part: i32, window: i32| {
            let offset = (part * window + WHOLE / 2) / WHOLE;
            inside(if is_far_side { window - size - offset } else { offset }, size, window)
        };
        (side(self.from_right, self.across, window.0), side(self.from_bottom, self.down, window.1))
    }

    /// The text that a device remembers.
    pub fn to_text(self) -> String {
        let side = |is_far_side: bool| if is_far_side { "far" } else { "near" };
        let (right, bottom) = (side(self.from_right), side(self.from_bottom));
        format!("{right} {} {bottom} {}", self.across, self.down)
    }

    /// Reads that text; `None` for anything else.
    pub fn parse(text: &str) -> Option<ScreenPlace> {
        let mut words = text.split(' ');
        let mut side = || {
            let is_far_side = match words.next()? {
                "far" => true,
                "near" => false,
                _ => return None,
            };
            let part: i32 = words.next()?.parse().ok()?;
            (0..=WHOLE).contains(&part).then_some((is_far_side, part))
        };
        let ((from_right, across), (from_bottom, down)) = (side()?, side()?);
        words.next().is_none().then_some(ScreenPlace { from_right, from_bottom, across, down })
    }
}

/// The nearest position along one axis at which the whole box is inside.
pub fn inside(at: i32, size: i32, window: i32) -> i32 {
    at.min(window - size).max(0)
}

fn fraction(offset: i32, window: i32) -> i32 {
    let window = window.clamp(1, 10_000);
    ((offset.clamp(0, window) * WHOLE + window / 2) / window).min(WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: i32 = 72;

    /// B-298: always inside the window, for any remembered place and any size of the window.
    #[test]
    fn place_is_always_inside_the_window() {
        for window in [(1280, 860), (390, 844), (72, 72), (10, 10)] {
            for at in [(0, 0), (-50, 9_000), (600, 400), (9_000, -1)] {
                for later in [(300, 200), (100, 80), window] {
                    let (x, y) = ScreenPlace::of(at, SIZE, window).at(SIZE, later);
                    let is_inside = |at: i32, window: i32| (0..=(window - SIZE).max(0)).contains(&at);
                    assert!(is_inside(x, later.0) && is_inside(y, later.1), "{x} {y} in {later:?}");
                }
            }
        }
        assert_eq!(ScreenPlace::first((10, 10)).at(SIZE, (10, 10)), (0, 0));
    }

    /// B-298: the remembered place is the same place.
    #[test]
    fn place_is_remembered_with_its_corner() {
        let window = (1280, 860);
        assert_eq!(ScreenPlace::first(window).at(SIZE, window), (1154, 744));
        let place = ScreenPlace::of((1100, 20), SIZE, window);
        let back = ScreenPlace::parse(&place.to_text()).unwrap();
        let (x, y) = back.at(SIZE, window);
        assert!((x - 1100).abs() <= 1 && (y - 20).abs() <= 1);
        let (x, _) = back.at(SIZE, (640, 860));
        assert!((640 - SIZE - x - 54).abs() <= 1, "half as far from the right edge: {x}");
    }

    #[test]
    fn malformed_place_is_ignored() {
        for text in
            ["", "far", "far 100001 near 0", "far x near 0", "far 0 near 0 more", "far 0.5 near 0", "{}"]
        {
            assert_eq!(ScreenPlace::parse(text), None, "{text}");
        }
    }
}
