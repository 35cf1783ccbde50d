//! What a person chose about the puppy: `puppySettings`, read leniently, each field for itself.

use serde_json::{Map, Value, json};

/// Name of the file, below the plugin's storage folder.
pub const SETTINGS_FILE: &str = "puppySettings";

/// A choice of words, with the first one as default.
macro_rules! choice {
    ($(#[$about:meta])* $Name:ident: $($(#[$doc:meta])* $variant:ident = $word:literal,)+) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name {
            $($(#[$doc])* $variant,)+
        }

        impl $Name {
            /// Every one, the default first.
            pub const ALL: &[$Name] = &[$($Name::$variant,)+];

            /// The word in the file and in the page.
            pub const fn word(self) -> &'static str {
                match self { $($Name::$variant => $word,)+ }
            }

            /// The one of a word.
            pub fn named(word: &str) -> Option<$Name> {
                $Name::ALL.iter().copied().find(|it| it.word() == word)
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                let [first, ..] = [$($Name::$variant,)+];
                first
            }
        }
    };
}

choice! {
    /// How large the puppy is drawn.
    Size:
    /// 72 pixels.
    Medium = "72",
    /// 48 pixels.
    Small = "48",
    /// 96 pixels.
    Large = "96",
}

impl Size {
    /// Side of the box, in pixels.
    pub const fn pixels(self) -> i32 {
        match self {
            Size::Small => 48,
            Size::Medium => 72,
            Size::Large => 96,
        }
    }
}

choice! {
    /// The colours of the fur.
    Coat:
    /// Golden.
    Honey = "honey",
    /// Brown.
    Cocoa = "cocoa",
    /// Nearly white.
    Cream = "cream",
    /// Black with tan.
    Ink = "ink",
    /// Grey and blue.
    Merle = "merle",
}

choice! {
    /// The colour of the collar.
    Collar:
    /// That of the theme.
    Theme = "theme",
    /// Red.
    Red = "red",
    /// Green.
    Green = "green",
    /// Yellow.
    Gold = "gold",
    /// Violet.
    Violet = "violet",
}

choice! {
    /// What the bubble says.
    Bubble:
    /// What is done.
    Action = "action",
    /// What is done, and where.
    Place = "place",
    /// Nothing.
    Off = "off",
}

/// The switches, each with its key, its default and what it is for.
macro_rules! settings {
    ($($(#[$doc:meta])* $field:ident: $default:literal,)+) => {
        /// The settings.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Settings {
            /// How large.
            pub size: Size,
            /// The fur.
            pub coat: Coat,
            /// The collar.
            pub collar: Collar,
            /// The bubble.
            pub bubble: Bubble,
            $($(#[$doc])* pub $field: bool,)+
            /// The file as it was read: keys of other versions survive.
            whole: Map<String, Value>,
        }

        impl Settings {
            /// Reads the file; what it does not say, or says wrongly, is the default.
            pub fn parse(text: &str) -> Settings {
                let whole = match serde_json::from_str(text) {
                    Ok(Value::Object(whole)) => whole,
                    _ => Map::new(),
                };
                let word = |key: &str| whole.get(key).and_then(Value::as_str).unwrap_or_default();
                let flag = |key: &str, default: bool| whole.get(key).and_then(Value::as_bool).unwrap_or(default);
                Settings {
                    size: Size::named(word("size")).unwrap_or_default(),
                    coat: Coat::named(word("coat")).unwrap_or_default(),
                    collar: Collar::named(word("collar")).unwrap_or_default(),
                    bubble: Bubble::named(word("bubble")).unwrap_or_default(),
                    $($field: flag(stringify!($field), $default),)+
                    whole,
                }
            }

            /// The text of the file.
            pub fn to_json(&self) -> String {
                let mut whole = self.whole.clone();
                let mut put = |key: &str, value: Value| whole.insert(key.to_owned(), value);
                put("size", json!(self.size.word()));
                put("coat", json!(self.coat.word()));
                put("collar", json!(self.collar.word()));
                put("bubble", json!(self.bubble.word()));
                $(put(stringify!($field), json!(self.$field));)+
                Value::Object(whole).to_string()
            }

            /// The switch of a key, to be set.
            pub fn switch(&mut self, key: &str) -> Option<&mut bool> {
                match key {
                    $(stringify!($field) => Some(&mut self.$field),)+
                    _ => None,
                }
            }
        }
    };
}

settings! {
    /// Whether it is there at all.
    show: true,
    /// Hearts rise now and then.
    hearts: true,
    /// Nothing moves.
    calm: false,
    /// Its eyes follow the pointer.
    follow: true,
    /// It fades where the person writes.
    fade: true,
    /// It never says where, for a screen that others see.
    quiet: false,
    /// It says errors and questions to screen readers.
    speak: false,
    /// It is there on phones.
    phones: false,
}

impl Default for Settings {
    fn default() -> Self {
        Settings::parse("")
    }
}

impl Settings {
    /// What the bubble may say at a moment: never where on a screen that others may see.
    pub fn bubble_now(&self, full_screen: bool) -> Bubble {
        match self.bubble {
            Bubble::Place if self.quiet || full_screen => Bubble::Action,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-301: shown from the first start, never on phones unasked, no place in the bubble unasked.
    #[test]
    fn the_defaults_hold_for_whatever_is_no_settings() {
        for text in ["", "{", "[]", "null", r#"{"show":"no","size":48,"coat":"pink","bubble":null}"#] {
            let settings = Settings::parse(text);
            assert!(settings.show && settings.hearts && settings.follow && settings.fade, "{text}");
            assert!(!settings.calm && !settings.quiet && !settings.speak && !settings.phones, "{text}");
            assert_eq!(
                (settings.size, settings.coat, settings.collar, settings.bubble),
                (Size::Medium, Coat::Honey, Collar::Theme, Bubble::Action),
                "{text}"
            );
        }
    }

    #[test]
    fn what_was_written_is_read_and_other_keys_stay() {
        let mut settings = Settings::parse(r#"{"of_tomorrow":{"a":1},"show":false}"#);
        settings.size = Size::Large;
        settings.bubble = Bubble::Place;
        *settings.switch("calm").unwrap() = true;
        assert_eq!(settings.switch("of_tomorrow"), None);
        let back = Settings::parse(&settings.to_json());
        assert!(!back.show && back.calm);
        assert_eq!((back.size.pixels(), back.bubble), (96, Bubble::Place));
        assert!(back.to_json().contains(r#""of_tomorrow":{"a":1}"#));
    }

    #[test]
    fn a_shared_screen_sees_no_place() {
        let place = Settings { bubble: Bubble::Place, ..Settings::default() };
        assert_eq!(place.bubble_now(false), Bubble::Place);
        assert_eq!(place.bubble_now(true), Bubble::Action);
        assert_eq!(Settings { quiet: true, ..place }.bubble_now(false), Bubble::Action);
        assert_eq!(Settings { bubble: Bubble::Off, ..Settings::default() }.bubble_now(true), Bubble::Off);
    }
}
