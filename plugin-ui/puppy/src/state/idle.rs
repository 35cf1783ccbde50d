//! The puppy while nothing happens: small motions with long stillness between them (B-297).

use fastrand::Rng;
use puppy_core::activity::stats::Mood;
use puppy_ui_web::state::motion::Motion;

/// Motion, weight, length in milliseconds. Asleep, two letters z rise in 20 s.
const MOTIONS: [(Motion, u32, u64); 13] = [
    (Motion::Sit, 16, 2_000),
    (Motion::Stand, 12, 2_400),
    (Motion::Look, 14, 1_800),
    (Motion::Tilt, 8, 1_400),
    (Motion::Groom, 7, 2_000),
    (Motion::Wag, 10, 1_200),
    (Motion::Yawn, 5, 1_800),
    (Motion::Stretch, 5, 2_400),
    (Motion::Sniff, 5, 1_800),
    (Motion::Chase, 2, 2_000),
    (Motion::Bowl, 12, 2_600),
    (Motion::Lie, 4, 1_200),
    (Motion::Sleep, 3, 20_000),
];
/// The first motion comes this long after the last event.
const FIRST_AFTER: u64 = 3_000;
const STILL: std::ops::Range<u64> = 6_000..20_000;
const LIES_AFTER: u64 = 60_000;
const SLEEPS_AFTER: u64 = 180_000;
/// The least time between two chases of its tail.
const CHASES_EVERY: u64 = 600_000;
const BLINKS: std::ops::Range<u64> = 4_000..7_000;

/// The factor of a motion's weight in a mood: a happy puppy wags more, only a hungry one looks at its bowl.
const fn suits(motion: Motion, mood: Mood) -> u32 {
    match (motion, mood) {
        (Motion::Wag, Mood::Happy) => 2,
        (Motion::Bowl, Mood::Happy | Mood::Content | Mood::Asleep) => 0,
        _ => 1,
    }
}

const fn is_rest(motion: Motion) -> bool {
    matches!(motion, Motion::Lie | Motion::Sleep)
}

/// The time without events.
#[derive(Debug)]
pub struct Idle {
    rng: Rng,
    /// The time of the last event or touch.
    since: u64,
    /// The start of the next motion.
    next: u64,
    /// The present motion and its end.
    current: Option<(Motion, u64)>,
    last: Option<Motion>,
    chased: Option<u64>,
    blinks: u32,
    next_blink: u64,
    /// Whether the person wants no motion: the puppy then only lies down and sleeps.
    calm: bool,
}

impl Idle {
    /// Starts at a moment; the seed makes the choices repeatable.
    pub fn new(now: u64, seed: u64, calm: bool) -> Idle {
        Idle {
            rng: Rng::with_seed(seed),
            since: now,
            next: now + FIRST_AFTER,
            current: None,
            last: None,
            chased: None,
            blinks: 0,
            next_blink: now + BLINKS.start,
            calm,
        }
    }

    /// Turns motion off or on again, as the person wishes.
    pub fn set_calm(&mut self, calm: bool) {
        self.calm = calm;
    }

    /// Sits up and restarts the clock: something happened.
    pub fn disturb(&mut self, now: u64) {
        self.since = now;
        self.next = now + FIRST_AFTER;
        self.current = None;
        self.next_blink = now + BLINKS.start;
    }

    /// Advances to this moment.
    pub fn advance(&mut self, now: u64, mood: Mood) {
        if let Some((motion, until)) = self.current
            && now >= until
            && !is_rest(motion)
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
                let motion = self.choose(now, mood);
                let until = self.begin(motion, now);
                self.next = (until + self.rng.u64(STILL)).min(self.since + LIES_AFTER);
            }
            None => {}
        }
        if self.blinks_itself() && now >= self.next_blink {
            self.blinks += 1;
            self.next_blink = now + self.rng.u64(BLINKS);
        }
    }

    /// The number of blinks so far.
    pub fn blinks(&self) -> u32 {
        self.blinks
    }

    /// The present motion; `None` is sitting still.
    pub fn doing(&self) -> Option<Motion> {
        self.current.map(|(motion, _)| motion)
    }

    /// Whether it moves, or only keeps a pose.
    pub fn moves(&self, now: u64) -> bool {
        self.current.is_some_and(|(_, until)| now < until)
    }

    /// The time of the next change; `None` once it sleeps for good.
    pub fn wake_at(&self, now: u64) -> Option<u64> {
        let end = self.current.map(|(_, until)| until).filter(|until| *until > now);
        let next = Some(self.next).filter(|next| *next > now);
        let blink = Some(self.next_blink).filter(|blink| self.blinks_itself() && *blink > now);
        end.into_iter().chain(next).chain(blink).min()
    }

    fn blinks_itself(&self) -> bool {
        !self.calm && self.doing() != Some(Motion::Sleep)
    }

    fn begin(&mut self, motion: Motion, now: u64) -> u64 {
        let length = MOTIONS.iter().find(|it| it.0 == motion).map_or(0, |it| it.2);
        self.current = Some((motion, now + length));
        self.last = Some(motion);
        if motion == Motion::Chase {
            self.chased = Some(now);
        }
        now + length
    }

    fn choose(&mut self, now: u64, mood: Mood) -> Motion {
        let may_chase = self.chased.is_none_or(|at| now >= at + CHASES_EVERY);
        let last = self.last;
        let may = |it: Motion| Some(it) != last && (may_chase || it != Motion::Chase);
        let open = || MOTIONS.iter().filter(|it| may(it.0)).map(|it| (it.0, it.1 * suits(it.0, mood)));
        let mut left = self.rng.u32(0..open().map(|it| it.1).sum());
        for (motion, weight) in open() {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return motion,
            }
        }
        Motion::Sit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays from an event on in steps of 100 ms: every motion that begins, with its time.
    fn play(seed: u64, calm: bool, until: u64) -> (Vec<(u64, Motion)>, Idle) {
        feel(Mood::Content, seed, calm, until)
    }

    /// The same in a mood.
    fn feel(mood: Mood, seed: u64, calm: bool, until: u64) -> (Vec<(u64, Motion)>, Idle) {
        let mut idle = Idle::new(0, seed, calm);
        let mut begun = Vec::new();
        for now in (0..=until).step_by(100) {
            let before = idle.current;
            idle.advance(now, mood);
            if let Some((motion, _)) = idle.current.filter(|_| idle.current != before) {
                begun.push((now, motion));
            }
        }
        (begun, idle)
    }

    /// B-297.
    #[test]
    fn idle_motions_begin_after_three_seconds_and_never_repeat_at_once() {
        for mood in Mood::ALL {
            let mut seen = Vec::new();
            for seed in 0..200 {
                let (begun, _) = feel(mood, seed, false, 59_000);
                assert_eq!(begun.first().map(|it| it.0), Some(3_000));
                assert!(begun.windows(2).all(|it| it[0].1 != it[1].1), "{begun:?}");
                seen.extend(begun.into_iter().map(|it| it.1));
            }
            for motion in Motion::ALL {
                let is_for_others = motion == Motion::Bowl && mood != Mood::Hungry;
                assert_ne!(seen.contains(&motion), is_for_others, "{motion:?} of {mood:?}");
            }
        }
    }

    /// Moods show now and then only: a hungry puppy looks at its bowl less often than at everything else.
    #[test]
    fn happy_puppy_wags_more_and_hungry_puppy_rarely_looks_at_its_bowl() {
        let share = |mood, motion| {
            let begun = (0..400).flat_map(|seed| feel(mood, seed, false, 59_000).0);
            let (of_it, all) =
                begun.fold((0, 0), |(it, all), (_, one)| (it + u32::from(one == motion), all + 1));
            of_it * 100 / all
        };
        let usual = share(Mood::Content, Motion::Wag);
        assert!(share(Mood::Happy, Motion::Wag) > usual + usual / 4, "{usual} %");
        let bowl = share(Mood::Hungry, Motion::Bowl);
        assert!((5..20).contains(&bowl), "{bowl} %");
    }

    /// Nothing moves at least 70 % of the time, even if every z of a nap counts as motion.
    #[test]
    fn idle_puppy_is_mostly_still() {
        let (mut moving, mut all) = (0, 0);
        for seed in 0..100 {
            let mut idle = Idle::new(0, seed, false);
            for now in (0..60_000).step_by(100) {
                idle.advance(now, Mood::Content);
                moving += u32::from(idle.moves(now));
                all += 1;
            }
        }
        println!("idle: still {} % of the time", 100 - 100 * moving / all);
        assert!(moving * 10 <= all * 3, "{moving} of {all}");
    }

    #[test]
    fn puppy_chases_its_tail_once_in_ten_minutes() {
        let mut chases = Vec::new();
        for seed in 0..40 {
            let mut idle = Idle::new(0, seed, false);
            let mut last = None;
            for now in (0..3_000_000).step_by(200) {
                if now % 50_000 == 0 {
                    idle.disturb(now);
                }
                idle.advance(now, Mood::Content);
                if idle.doing() == Some(Motion::Chase) && last != Some(Motion::Chase) {
                    chases.push((seed, now));
                }
                last = idle.doing();
            }
        }
        assert!(chases.len() > 20, "{}", chases.len());
        let is_far = |it: &[(u64, u64)]| it[0].0 != it[1].0 || it[1].1 - it[0].1 >= CHASES_EVERY;
        assert!(chases.windows(2).all(is_far), "{chases:?}");
    }

    #[test]
    fn puppy_blinks_every_four_to_seven_seconds_while_awake() {
        let mut idle = Idle::new(0, 5, false);
        let mut blinks = Vec::new();
        for now in (0..400_000).step_by(10) {
            let before = idle.blinks();
            idle.advance(now, Mood::Content);
            if idle.blinks() > before {
                blinks.push(now);
            }
        }
        let (mut gaps, mut naps) = (0, 0);
        for pair in blinks.windows(2) {
            if (4_000..=7_010).contains(&(pair[1] - pair[0])) { gaps += 1 } else { naps += 1 }
        }
        assert!(gaps > 15 && naps <= 2, "{blinks:?}");
        assert!(blinks.last().is_some_and(|at| *at < SLEEPS_AFTER), "not asleep");
    }

    #[test]
    fn puppy_lies_down_after_one_minute_and_sleeps_after_three() {
        let (begun, idle) = play(7, false, 400_000);
        assert_eq!(idle.doing(), Some(Motion::Sleep));
        assert_eq!(idle.wake_at(400_000), None, "no timer is left");
        assert!(begun.iter().any(|it| *it == (60_000, Motion::Lie) || it.0 < 60_000 && it.1 == Motion::Lie));
        assert_eq!(begun.last(), Some(&(180_000, Motion::Sleep)));
    }

    #[test]
    fn reduced_motion_shows_two_changes_only() {
        let (begun, _) = play(7, true, 400_000);
        assert_eq!(begun, [(60_000, Motion::Lie), (180_000, Motion::Sleep)]);
    }

    #[test]
    fn touch_wakes_the_puppy() {
        let (_, mut idle) = play(7, false, 400_000);
        idle.disturb(400_000);
        assert_eq!(idle.doing(), None);
        assert_eq!(idle.wake_at(400_000), Some(403_000));
    }
}
