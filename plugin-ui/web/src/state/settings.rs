//! A person's settings of the puppy: `puppySettings`, read leniently, each field for itself.
//!
//! The file is JSON. The page's start gets it as lines of key and value, so that it carries no JSON reader.

use serde_json::{Map, Value, json};

/// Name of the file, below the plugin's storage folder.
pub const SETTINGS_FILE: &str = "puppySettings";

/// A choice between words, in the file and in the page.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every choice with its word, in the order in which people see them.
    const WORDS: &'static [(Self, &'static str)];

    /// Every choice.
    fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().map(|it| it.0)
    }

    /// The word.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|it| it.0 == self).map_or("", |it| it.1)
    }

    /// The choice of a word.
    fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|it| it.1 == word).map(|it| it.0)
    }
}

/// The size of the puppy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Size {
    /// 48 pixels.
    Small,
    /// 72 pixels.
    #[default]
    Medium,
    /// 96 pixels.
    Large,
}

impl Choice for Size {
    const WORDS: &'static [(Size, &'static str)] =
        &[(Size::Small, "48"), (Size::Medium, "72"), (Size::Large, "96")];
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

/// The colours of the fur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coat {
    /// Golden.
    #[default]
    Honey,
    /// Brown.
    Cocoa,
    /// Nearly white.
    Cream,
    /// Black with tan.
    Ink,
    /// Grey and blue.
    Merle,
}

impl Choice for Coat {
    const WORDS: &'static [(Coat, &'static str)] = &[
        (Coat::Honey, "honey"),
        (Coat::Cocoa, "cocoa"),
        (Coat::Cream, "cream"),
        (Coat::Ink, "ink"),
        (Coat::Merle, "merle"),
    ];
}

/// The colour of the collar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Collar {
    /// The theme's colour.
    #[default]
    Theme,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Gold,
    /// Violet.
    Violet,
}

impl Choice for Collar {
    const WORDS: &'static [(Collar, &'static str)] = &[
        (Collar::Theme, "theme"),
        (Collar::Red, "red"),
        (Collar::Green, "green"),
        (Collar::Gold, "gold"),
        (Collar::Violet, "violet"),
    ];
}

/// The content of the bubble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bubble {
    /// The act.
    Action,
    /// The act and its place.
    #[default]
    Place,
    /// Nothing.
    Off,
}

impl Choice for Bubble {
    const WORDS: &'static [(Bubble, &'static str)] =
        &[(Bubble::Action, "action"), (Bubble::Place, "place"), (Bubble::Off, "off")];
}

/// The switches, each with its key and its default.
macro_rules! settings {
    ($($(#[$doc:meta])* $field:ident: $default:literal,)+) => {
        /// The settings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Settings {
            /// The size.
            pub size: Size,
            /// The fur.
            pub coat: Coat,
            /// The collar.
            pub collar: Collar,
            /// The bubble.
            pub bubble: Bubble,
            $($(#[$doc])* pub $field: bool,)+
        }

        impl Default for Settings {
            fn default() -> Self {
                Settings {
                    size: Size::default(),
                    coat: Coat::default(),
                    collar: Collar::default(),
                    bubble: Bubble::default(),
                    $($field: $default,)+
                }
            }
        }

        impl Settings {
            /// Every key.
            pub const KEYS: &[&str] = &["size", "coat", "collar", "bubble", $(stringify!($field),)+];

            /// Sets a key; an unknown key or value changes nothing.
            pub fn set(&mut self, key: &str, value: &str) {
                fn put<T>(place: &mut T, value: Option<T>) {
                    if let Some(value) = value {
                        *place = value;
                    }
                }
                match key {
                    "size" => put(&mut self.size, Size::named(value)),
                    "coat" => put(&mut self.coat, Coat::named(value)),
                    "collar" => put(&mut self.collar, Collar::named(value)),
                    "bubble" => put(&mut self.bubble, Bubble::named(value)),
                    $(stringify!($field) => put(&mut self.$field, switch(value)),)+
                    _ => {}
                }
            }

            /// The value of a key, as a word.
            pub fn get(&self, key: &str) -> &'static str {
                match key {
                    "size" => self.size.word(),
                    "coat" => self.coat.word(),
                    "collar" => self.collar.word(),
                    "bubble" => self.bubble.word(),
                    $(stringify!($field) if self.$field => "true",)+
                    _ => "false",
                }
            }
        }
    };
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

settings! {
    /// Whether the puppy is shown at all.
    show: true,
    /// Hearts rise now and then.
    hearts: true,
    /// Nothing moves.
    calm: false,
    /// Its eyes follow the pointer.
    follow: true,
    /// It trots to what agents touch in an open document.
    trot: true,
    /// The puppy fades where the person writes.
    fade: true,
    /// The bubble never names a place, for a screen that others see.
    quiet: false,
    /// Errors and questions are announced to screen readers.
    speak: false,
    /// The puppy is loaded on phones.
    phones: false,
}

impl Settings {
    /// Reads lines of a key and its value.
    pub fn of_lines(text: &str) -> Settings {
        let mut settings = Settings::default();
        for (key, value) in text.lines().filter_map(|line| line.split_once(' ')) {
            settings.set(key, value);
        }
        settings
    }

    /// The settings as such lines.
    pub fn to_lines(self) -> String {
        Settings::KEYS.iter().map(|key| format!("{key} {}\n", self.get(key))).collect()
    }

    /// The content that the bubble may have at a moment: no places on a screen that others may see.
    pub fn bubble_now(&self, full_screen: bool) -> Bubble {
        match self.bubble {
            Bubble::Place if self.quiet || full_screen => Bubble::Action,
            other => other,
        }
    }
}

/// The file: unknown keys survive a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SettingsFile(Map<String, Value>);

impl SettingsFile {
    /// Reads it; anything but an object is empty.
    pub fn parse(bytes: &[u8]) -> SettingsFile {
        SettingsFile(serde_json::from_slice(bytes).unwrap_or_default())
    }

    /// Sets a key to a word; the words of switches become true and false.
    pub fn set(&mut self, key: &str, value: &str) {
        let value = switch(value).map_or_else(|| json!(value), Value::from);
        self.0.insert(key.to_owned(), value);
    }

    /// The settings in the file.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        for (key, value) in &self.0 {
            match value {
                Value::String(word) => settings.set(key, word),
                Value::Bool(is) => settings.set(key, if *is { "true" } else { "false" }),
                _ => {}
            }
        }
        settings
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-301: shown from the first start with the place of each call, never on phones unasked.
    #[test]
    fn malformed_settings_fall_back_to_defaults() {
        for text in ["", "{", "[]", "null", r#"{"show":"no","size":48,"coat":"pink","bubble":null}"#] {
            let settings = SettingsFile::parse(text.as_bytes()).settings();
            assert_eq!(settings, Settings::default(), "{text}");
        }
        assert_eq!(Settings::of_lines("show no\nsize 49\ncoat\n\nof_tomorrow 1"), Settings::default());
        let settings = Settings::default();
        assert!(settings.show && settings.hearts && settings.follow && settings.fade);
        assert!(!settings.calm && !settings.quiet && !settings.speak && !settings.phones);
        assert_eq!(
            (settings.size, settings.coat, settings.collar, settings.bubble),
            (Size::Medium, Coat::Honey, Collar::Theme, Bubble::Place)
        );
    }

    #[test]
    fn settings_survive_a_round_trip_with_unknown_keys() {
        let mut file = SettingsFile::parse(br#"{"of_tomorrow":{"a":1},"show":false}"#);
        for (key, value) in [("size", "96"), ("bubble", "place"), ("calm", "true")] {
            file.set(key, value);
        }
        let back = SettingsFile::parse(file.to_json().as_bytes()).settings();
        assert!(!back.show && back.calm);
        assert_eq!((back.size.pixels(), back.bubble), (96, Bubble::Place));
        assert!(file.to_json().contains(r#""of_tomorrow":{"a":1}"#));
    }

    #[test]
    fn settings_lines_match_the_file() {
        let mut file = SettingsFile::default();
        let mut lines = String::new();
        for (key, value) in
            [("show", "false"), ("size", "48"), ("coat", "merle"), ("collar", "red"), ("speak", "true")]
        {
            file.set(key, value);
            lines += &format!("{key} {value}\n");
        }
        assert_eq!(Settings::of_lines(&lines), file.settings());
        assert_eq!(Settings::of_lines(&file.settings().to_lines()), file.settings());
        for key in Settings::KEYS {
            let mut again = Settings::default();
            again.set(key, file.settings().get(key));
            assert_eq!(again.get(key), file.settings().get(key), "{key}");
        }
    }

    #[test]
    fn bubble_hides_places_on_a_shared_screen() {
        let place = Settings { bubble: Bubble::Place, ..Settings::default() };
        assert_eq!(place.bubble_now(false), Bubble::Place);
        assert_eq!(place.bubble_now(true), Bubble::Action);
        assert_eq!(Settings { quiet: true, ..place }.bubble_now(false), Bubble::Action);
        assert_eq!(Settings { bubble: Bubble::Off, ..Settings::default() }.bubble_now(true), Bubble::Off);
    }
}
