//! The words of the command line: one table for English and Chinese, and the language in use.
//!
//! A table is a record whose every text stands in both languages, so a missing translation does not compile, and nor
//! does a translation that lacks a value. Only names of fields and errors from core may be English on a Chinese terminal.

/// Declares a record of texts. A text with arguments is a format string; `{name}` is the argument of that name.
macro_rules! texts {
    ($(#[$about:meta])* $Words:ident: $($name:ident $(($($arg:ident),+))?: $en:literal, $zh:literal;)+) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $Words($crate::words::Language);

        impl $Words {
            /// The texts in a language.
            pub(crate) const fn of(language: $crate::words::Language) -> $Words {
                $Words(language)
            }

            /// The texts in the language in use.
            pub(crate) fn here() -> $Words {
                $Words::of($crate::words::language())
            }

            $(text! { $name ($($($arg),+)?) $en, $zh })+

            /// Each text with its name, in English and Chinese.
            #[cfg(test)]
            pub(crate) const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $en, $zh),)+];
        }
    };
}

/// One text of a record.
macro_rules! text {
    ($name:ident () $en:literal, $zh:literal) => {
        pub(crate) const fn $name(self) -> &'static str {
            match self.0 {
                $crate::words::Language::English => $en,
                $crate::words::Language::Chinese => $zh,
            }
        }
    };
    ($name:ident ($($arg:ident),+) $en:literal, $zh:literal) => {
        pub(crate) fn $name(self, $($arg: impl std::fmt::Display),+) -> String {
            match self.0 {
                $crate::words::Language::English => format!($en),
                $crate::words::Language::Chinese => format!($zh),
            }
        }
    };
}

mod actions;
mod agents;
mod answers;
mod doctor;
mod errands;
mod errors;
mod fields;
mod files;
mod help;
mod runs;
mod servers;
mod setup;
mod start;
mod stored;
mod usage;

use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use puppy_core::ask::words::Language;

pub(crate) use actions::{danger, purpose, summary};
pub(crate) use agents::AgentWords;
pub(crate) use answers::AnswerWords;
pub(crate) use doctor::{AboutWords, DoctorWords};
pub(crate) use errands::ErrandWords;
pub(crate) use errors::{ErrorWords, kernel};
pub(crate) use fields::field;
pub(crate) use files::FileWords;
pub(crate) use help::HelpWords;
pub(crate) use runs::RunWords;
pub(crate) use servers::ServerHelp;
pub(crate) use setup::SetupWords;
pub(crate) use start::StartWords;
pub(crate) use stored::StoredWords;
pub(crate) use usage::UsageWords;

/// Whether Chinese is in use.
static IS_CHINESE: AtomicBool = AtomicBool::new(false);

/// The variables of a locale, the strongest first.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The language in use: English until a command chooses another one.
pub(crate) fn language() -> Language {
    if IS_CHINESE.load(Ordering::Relaxed) { Language::Chinese } else { Language::English }
}

/// Chooses the language of this process. Programs read English: JSON, the answers of a server, and what it prints
/// elsewhere than on a terminal.
pub(crate) fn choose(language: Language) {
    IS_CHINESE.store(language == Language::Chinese, Ordering::Relaxed);
}

/// The language of this terminal, from its locale.
pub(crate) fn of_terminal() -> Language {
    of_locale(|name| std::env::var(name).ok())
}

fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Language {
    let set = VARIABLES.into_iter().filter_map(variable).find(|it| !it.is_empty());
    set.map_or(Language::English, |it| Language::of(&it))
}

/// Texts in a row: `a, b`.
pub(crate) fn comma() -> &'static str {
    match language() {
        Language::English => ", ",
        Language::Chinese => "、",
    }
}

/// The end of a sentence.
pub(crate) fn full_stop() -> &'static str {
    match language() {
        Language::English => ".",
        Language::Chinese => "。",
    }
}

/// The mark between a name and its value: `a: b`.
pub(crate) fn colon() -> &'static str {
    match language() {
        Language::English => ": ",
        Language::Chinese => "：",
    }
}

/// A sentence after another one.
pub(crate) fn gap() -> &'static str {
    match language() {
        Language::English => " ",
        Language::Chinese => "",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Texts of values and marks alone.
    const MARKS: [&str; 6] =
        ["client_broken", "colon", "file_failed", "no_answer", "notebook_at", "with_titles"];

    fn all() -> Vec<(&'static str, &'static str, &'static str)> {
        let tables = [
            AboutWords::ALL,
            AnswerWords::ALL,
            DoctorWords::ALL,
            ErrorWords::ALL,
            FileWords::ALL,
            HelpWords::ALL,
            RunWords::ALL,
            ServerHelp::ALL,
            AgentWords::ALL,
            ErrandWords::ALL,
            SetupWords::ALL,
            StartWords::ALL,
            StoredWords::ALL,
            UsageWords::ALL,
        ];
        tables.concat()
    }

    /// Every text has Chinese with at least one Han character, the same values, and Chinese marks at its end.
    #[test]
    fn every_text_is_chinese_too() {
        let places = |text: &'static str| -> BTreeSet<&str> {
            text.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|it| it.0).collect()
        };
        let is_han = |it: char| ('\u{4e00}'..='\u{9fff}').contains(&it);
        for (name, english, chinese) in all() {
            assert!(!english.contains(is_han) && !english.trim().is_empty(), "{name}: {english}");
            assert!(MARKS.contains(&name) || chinese.contains(is_han), "{name}: {chinese}");
            assert_eq!(places(english), places(chinese), "{name}");
            assert_eq!(english.ends_with('.'), chinese.ends_with('。'), "{name}: {chinese}");
            let is_after_han = |mark: char| {
                chinese.chars().zip(chinese.chars().skip(1)).any(|(one, next)| is_han(one) && next == mark)
            };
            assert!(![',', ';', ':', '?', '('].into_iter().any(is_after_han), "{name}: {chinese}");
        }
    }

    #[test]
    fn the_strongest_variable_of_the_locale_decides() {
        for (set, due) in [
            (vec![], Language::English),
            (vec![("LANG", "zh_CN.UTF-8")], Language::Chinese),
            (vec![("LANG", "zh_TW")], Language::Chinese),
            (vec![("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")], Language::English),
            (vec![("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "zh_CN.UTF-8")], Language::Chinese),
            (vec![("LANG", "zh_CN.UTF-8"), ("LC_ALL", "")], Language::Chinese),
            (vec![("LC_TIME", "zh_CN.UTF-8")], Language::English),
        ] {
            let value = |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
            assert_eq!(of_locale(value), due, "{set:?}");
        }
    }
}
