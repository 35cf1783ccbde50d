//! What the puppy does when nothing happens: small motions with long stillness between them (B-297).

use fastrand::Rng;

/// Something it does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Sits and breathes once.
    Sit,
    /// Gets up for a moment.
    Stand,
    /// Turns the head.
    Look,
    /// Tilts the head.
    Tilt,
    /// Licks a paw.
    Groom,
    /// Wags.
    Wag,
    /// Yawns.
    Yawn,
    /// Lies down and stays.
    Lie,
    /// Sleeps and goes on sleeping.
    Sleep,
}

/// Motion, weight, length in milliseconds.
const MOTIONS: [(Motion, u32, u64); 9] = [
    (Motion::Sit, 16, 2_000),
    (Motion::Stand, 12, 2_400),
    (Motion::Look, 14, 1_800),
    (Motion::Tilt, 8, 1_400),
    (Motion::Groom, 7, 2_000),
    (Motion::Wag, 10, 1_200),
    (Motion::Yawn, 5, 1_800),
    (Motion::Lie, 4, 1_200),
    (Motion::Sleep, 3, 20_000),
];
/// The first motion comes this long after the last event.
const FIRST_AFTER: u64 = 3_000;
const STILL: std::ops::Range<u64> = 6_000..20_000;
const LIES_AFTER: u64 = 60_000;
const SLEEPS_AFTER: u64 = 180_000;

/// The time without events.
#[derive(Debug)]
pub struct Idle {
    rng: Rng,
    /// When the last event or touch was.
    since: u64,
    /// When the next motion begins.
    next: u64,
    /// What it does, and until when it moves.
    current: Option<(Motion, u64)>,
    last: Option<Motion>,
    /// Whether the person wants no motion: then it only lies down and sleeps.
    calm: bool,
}

impl Idle {
    /// Begins at a moment; the seed makes the choice repeatable.
    pub fn new(now: u64, seed: u64, calm: bool) -> Idle {
        Idle {
            rng: Rng::with_seed(seed),
            since: now,
            next: now + FIRST_AFTER,
            current: None,
            last: None,
            calm,
        }
    }

    /// Something happened: it sits up, and the time counts from now.
    pub fn disturb(&mut self, now: u64) {
        self.since = now;
        self.next = now + FIRST_AFTER;
        self.current = None;
    }

    /// Goes on to this moment.
    pub fn advance(&mut self, now: u64) {
        if let Some((motion, until)) = self.current
            && now >= until
            && !matches!(motion, Motion::Lie | Motion::Sleep)
        {
            self.current = None;
        }
        let forced = match now.saturating_sub(self.since) {
            it if it >= SLEEPS_AFTER => Some(Motion::Sleep),
            it if it >= LIES_AFTER => Some(Motion::Lie),
            _ => None,
        };
        match forced {
            Some(motion) if self.doing() == Some(motion) => self.next = self.since + SLEEPS_AFTER,
            Some(motion) => {
                self.begin(motion, now);
                self.next = self.since + SLEEPS_AFTER;
            }
            None if now >= self.next && self.calm => self.next = self.since + LIES_AFTER,
            None if now >= self.next => {
                let motion = self.choose();
                let until = self.begin(motion, now);
                self.next = (until + self.rng.u64(STILL)).min(self.since + LIES_AFTER);
            }
            None => {}
        }
    }

    /// What it does at the moment; `None` is sitting still.
    pub fn doing(&self) -> Option<Motion> {
        self.current.map(|(motion, _)| motion)
    }

    /// Whether it moves, or only keeps a pose.
    pub fn moves(&self, now: u64) -> bool {
        self.current.is_some_and(|(_, until)| now < until)
    }

    /// When to look again; `None` once it sleeps for good.
    pub fn wake_at(&self, now: u64) -> Option<u64> {
        let end = self.current.map(|(_, until)| until).filter(|until| *until > now);
        let next = Some(self.next).filter(|next| *next > now);
        end.into_iter().chain(next).min()
    }

    fn begin(&mut self, motion: Motion, now: u64) -> u64 {
        let length = MOTIONS.iter().find(|it| it.0 == motion).map_or(0, |it| it.2);
        self.current = Some((motion, now + length));
        self.last = Some(motion);
        now + length
    }

    fn choose(&mut self) -> Motion {
        let open = || MOTIONS.iter().filter(|it| Some(it.0) != self.last);
        let mut left = self.rng.u32(0..open().map(|it| it.1).sum());
        for (motion, weight, _) in open() {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return *motion,
            }
        }
        Motion::Sit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays from an event on, 100 ms at a time: every motion that begins, with its time.
    fn play(seed: u64, calm: bool, until: u64) -> (Vec<(u64, Motion)>, Idle) {
        let mut idle = Idle::new(0, seed, calm);
        let mut begun = Vec::new();
        for now in (0..=until).step_by(100) {
            let before = idle.current;
            idle.advance(now);
            if let Some((motion, _)) = idle.current.filter(|_| idle.current != before) {
                begun.push((now, motion));
            }
        }
        (begun, idle)
    }

    /// B-297.
    #[test]
    fn motions_begin_after_three_seconds_and_never_twice_the_same() {
        let mut seen = Vec::new();
        for seed in 0..200 {
            let (begun, _) = play(seed, false, 59_000);
            assert_eq!(begun.first().map(|it| it.0), Some(3_000));
            assert!(begun.windows(2).all(|it| it[0].1 != it[1].1), "{begun:?}");
            seen.extend(begun.into_iter().map(|it| it.1));
        }
        for (motion, _, _) in MOTIONS {
            assert!(seen.contains(&motion), "{motion:?} never seen");
        }
    }

    #[test]
    fn it_lies_down_after_a_minute_and_sleeps_for_good_after_three() {
        let (begun, idle) = play(7, false, 400_000);
        assert_eq!(idle.doing(), Some(Motion::Sleep));
        assert_eq!(idle.wake_at(400_000), None, "no timer is left");
        assert!(begun.iter().any(|it| *it == (60_000, Motion::Lie) || it.0 < 60_000 && it.1 == Motion::Lie));
        assert_eq!(begun.last(), Some(&(180_000, Motion::Sleep)));
    }

    #[test]
    fn who_wants_no_motion_sees_two_changes_only() {
        let (begun, _) = play(7, true, 400_000);
        assert_eq!(begun, [(60_000, Motion::Lie), (180_000, Motion::Sleep)]);
    }

    #[test]
    fn a_touch_wakes_it() {
        let (_, mut idle) = play(7, false, 400_000);
        idle.disturb(400_000);
        assert_eq!(idle.doing(), None);
        assert_eq!(idle.wake_at(400_000), Some(403_000));
    }
}
