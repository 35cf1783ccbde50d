//! The gaze of the pupils: a shift towards a pointer that is near, in the drawing's units.

/// A pointer farther away than this, in pixels, is not followed.
const NEAR: i32 = 200;
/// Pupils shift by this much at most, in tenths of the drawing's units.
const SHIFT: i32 = 12;

/// The shift of the pupils, in tenths of a unit, for a pointer at this distance from the eyes; `None` beyond reach.
pub fn shift(across: i32, down: i32) -> Option<(i32, i32)> {
    let (across, down) = (across.clamp(-NEAR * 2, NEAR * 2), down.clamp(-NEAR * 2, NEAR * 2));
    let square = across * across + down * down;
    if square > NEAR * NEAR {
        return None;
    }
    let distance = square.isqrt();
    // Over the face itself it looks straight out.
    if distance < 12 {
        return Some((0, 0));
    }
    Some((across * SHIFT / distance, down * SHIFT / distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pupils_follow_the_pointer_and_stay_in_the_eye() {
        assert_eq!(shift(100, 0), Some((12, 0)));
        assert_eq!(shift(0, -150), Some((0, -12)));
        assert_eq!(shift(3, 3), Some((0, 0)));
        assert_eq!((shift(201, 0), shift(i32::MIN, i32::MAX)), (None, None));
        for across in (-200..200).step_by(7) {
            for down in (-200..200).step_by(7) {
                if let Some((x, y)) = shift(across, down) {
                    assert!(x * x + y * y <= SHIFT * SHIFT + 2 * SHIFT, "{across} {down}: {x} {y}");
                }
            }
        }
    }
}
