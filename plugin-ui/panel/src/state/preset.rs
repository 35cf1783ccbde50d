//! The presets: a few words for a whole draft.

use puppy_core::permission::Level;
use puppy_core::spec::{ActionSpec, Danger, Effect};
use puppy_ui_web::words::permissions::PermissionWords;

/// The most that agents may do, as a named choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Agents change nothing.
    ReadOnly,
    /// Agents read and write. What usually deletes or always has to be approved is off; what only sometimes does asks.
    Everyday,
    /// Agents do everything.
    Everything,
}

impl Preset {
    /// Its name.
    pub const fn title(self, words: &PermissionWords) -> &'static str {
        match self {
            Preset::ReadOnly => words.read_only,
            Preset::Everyday => words.everyday,
            Preset::Everything => words.everything,
        }
    }

    /// Every preset, narrowest first.
    pub const ALL: [Preset; 3] = [Preset::ReadOnly, Preset::Everyday, Preset::Everything];

    /// The word in the page.
    pub const fn word(self) -> &'static str {
        match self {
            Preset::ReadOnly => "read-only",
            Preset::Everyday => "everyday",
            Preset::Everything => "everything",
        }
    }

    /// The preset of a word.
    pub fn named(word: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|it| it.word() == word)
    }

    /// The level that it gives a notebook which has this one; a chosen notebook is meant by name.
    ///
    /// Only "everything" opens a notebook that nobody chose: the narrower ones take away and give nothing.
    pub fn level(self, level: Level, is_chosen: bool) -> Level {
        match self {
            Preset::ReadOnly if is_chosen => Level::Read,
            Preset::ReadOnly => level.min(Level::Read),
            Preset::Everyday if is_chosen => Level::Write,
            Preset::Everyday => level.min(Level::Write),
            Preset::Everything => Level::Delete,
        }
    }

    /// Whether it switches an action on.
    pub fn has(self, spec: &ActionSpec) -> bool {
        match self {
            Preset::ReadOnly => spec.default_on && spec.worst == Effect::Read && spec.danger == Danger::None,
            Preset::Everyday => {
                let is_grave = spec.effect == Effect::Destructive || spec.danger.always_asks();
                spec.default_on && !is_grave
            }
            Preset::Everything => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::registry::ACTIONS;

    #[test]
    fn narrow_presets_give_nothing_to_what_nobody_chose() {
        for preset in Preset::ALL {
            assert_eq!(Preset::named(preset.word()), Some(preset));
            for level in Level::ALL {
                let given = preset.level(level, false);
                assert!(preset == Preset::Everything || given <= level, "{preset:?} {level}");
            }
        }
        let chosen = Preset::ALL.map(|it| it.level(Level::None, true));
        assert_eq!(chosen, [Level::Read, Level::Write, Level::Delete]);
        assert_eq!(Preset::Everyday.level(Level::Delete, false), Level::Write);
    }

    #[test]
    fn presets_of_actions_hold_what_their_names_say() {
        for spec in ACTIONS {
            let path = spec.path();
            if Preset::ReadOnly.has(spec) {
                assert_eq!((spec.worst, spec.danger), (Effect::Read, Danger::None), "{path}");
            }
            if Preset::Everyday.has(spec) {
                assert!(spec.effect != Effect::Destructive, "{path}");
            }
            assert!(Preset::Everything.has(spec), "{path}");
        }
        let has = |preset: Preset, path: &str| ACTIONS.iter().any(|it| it.path() == path && preset.has(it));
        assert!(has(Preset::Everyday, "block.update") && !has(Preset::Everyday, "document.remove"));
        assert!(has(Preset::ReadOnly, "document.read") && !has(Preset::ReadOnly, "file.export"));
    }
}
