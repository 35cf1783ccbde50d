//! The order in which a person is asked before something dangerous is done: whom to ask first, and what to do where
//! nobody can be asked.

use puppy_core::config::ApprovalMethod;

/// The ways in force for a choice, which may be none: those that ask somebody, each once, and the one that always works.
pub fn in_force(chosen: &[ApprovalMethod]) -> Vec<ApprovalMethod> {
    let chosen = if chosen.is_empty() { &ApprovalMethod::ALL } else { chosen };
    let mut ways = Vec::new();
    for way in chosen {
        if !ways.contains(way) {
            ways.push(*way);
        }
        if is_last(*way) {
            return ways;
        }
    }
    ways.push(ApprovalMethod::Block);
    ways
}

/// The ways in force after a person has put one at a place. It changes places with the one that is there, if it stood
/// elsewhere; nothing follows one that always works.
pub fn put(ways: &[ApprovalMethod], at: usize, way: ApprovalMethod) -> Vec<ApprovalMethod> {
    let mut ways = ways.to_vec();
    let at = at.min(ways.len().saturating_sub(1));
    if is_last(way) {
        ways.truncate(at);
        ways.push(way);
        return ways;
    }
    let elsewhere = ways.iter().position(|it| *it == way);
    match (ways.get(at).copied().is_none_or(is_last), elsewhere) {
        (true, Some(other)) => {
            let moved = ways.remove(other);
            ways.insert(at.saturating_sub(1), moved);
        }
        (true, None) => ways.insert(at, way),
        (false, Some(other)) => ways.swap(at, other),
        (false, None) => ways.iter_mut().skip(at).take(1).for_each(|it| *it = way),
    }
    ways
}

/// The ways as the file stores them: none for the default order.
pub fn stored(ways: Vec<ApprovalMethod>) -> Vec<ApprovalMethod> {
    if ways == in_force(&[]) { Vec::new() } else { ways }
}

/// Whether it always works, so that none behind it is used.
const fn is_last(way: ApprovalMethod) -> bool {
    matches!(way, ApprovalMethod::Token | ApprovalMethod::Block)
}

#[cfg(test)]
mod tests {
    use super::ApprovalMethod::{Approve, Ask, Block, Token};
    use super::*;

    /// B-071: what a person sees is what a call does.
    #[test]
    fn ways_end_with_one_that_always_works() {
        for (chosen, ways) in [
            (vec![], vec![Approve, Ask, Token]),
            (vec![Ask], vec![Ask, Block]),
            (vec![Ask, Ask, Approve], vec![Ask, Approve, Block]),
            (vec![Block, Ask], vec![Block]),
            (vec![Ask, Token, Approve], vec![Ask, Token]),
        ] {
            assert_eq!(in_force(&chosen), ways, "{chosen:?}");
        }
    }

    #[test]
    fn every_order_is_reached_and_stays_sound() {
        for (ways, at, way, after) in [
            (vec![Approve, Ask, Token], 0, Ask, vec![Ask, Approve, Token]),
            (vec![Approve, Ask, Token], 2, Block, vec![Approve, Ask, Block]),
            (vec![Approve, Ask, Token], 1, Block, vec![Approve, Block]),
            (vec![Approve, Block], 1, Ask, vec![Approve, Ask, Block]),
            (vec![Approve, Block], 0, Ask, vec![Ask, Block]),
            (vec![Approve, Ask, Block], 2, Approve, vec![Ask, Approve, Block]),
            (vec![Block], 0, Approve, vec![Approve, Block]),
            (vec![Block], 7, Token, vec![Token]),
        ] {
            assert_eq!(put(&ways, at, way), after, "{ways:?} {at} {way:?}");
            assert_eq!(in_force(&after), after);
        }
    }

    #[test]
    fn usual_order_is_not_stored() {
        assert_eq!(stored(vec![Approve, Ask, Token]), []);
        assert_eq!(stored(vec![Approve, Ask, Block]), [Approve, Ask, Block]);
    }
}
