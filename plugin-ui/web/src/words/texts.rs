//! Declarations of texts: both languages side by side, so that a new text cannot be forgotten in one.

/// The record of a declaration.
macro_rules! record {
    ($(#[$about:meta])* $Words:ident: $($(#[$doc:meta])* $name:ident,)+) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the name says where a text stands, and the text what it says")]
        pub struct $Words {
            $($(#[$doc])* pub $name: &'static str,)+
        }
    };
}

/// Texts of the panel. Its module holds the English ones, the file that a Chinese page loads the others.
macro_rules! texts {
    ($(#[$about:meta])* $Words:ident: $($(#[$doc:meta])* $name:ident: $en:literal, $zh:literal;)+) => {
        record! { $(#[$about])* $Words: $($(#[$doc])* $name,)+ }

        impl $Words {
            /// The texts of a page's language: Chinese where it is Chinese and they are loaded, else English.
            pub fn of(lang: &str) -> &'static $Words {
                static EN: $Words = $Words { $($name: $en,)+ };
                static ZH: std::sync::OnceLock<$Words> = std::sync::OnceLock::new();
                const COUNT: usize = [$(stringify!($name)),+].len();
                let made = |[$($name),+]: [&'static str; COUNT]| $Words { $($name),+ };
                $crate::words::chinese::words(lang, stringify!($Words), &EN, &ZH, made)
            }

            /// Each with its name, in English and Chinese.
            #[cfg(not(target_arch = "wasm32"))]
            pub(crate) const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $en, $zh),)+];
        }
    };
}

/// Texts that load at the page's start, in both languages.
macro_rules! texts_at_start {
    ($(#[$about:meta])* $Words:ident: $($(#[$doc:meta])* $name:ident: $en:literal, $zh:literal;)+) => {
        record! { $(#[$about])* $Words: $($(#[$doc])* $name,)+ }

        impl $Words {
            /// The texts of a page's language: Chinese where it is Chinese, else English.
            pub fn of(lang: &str) -> &'static $Words {
                static EN: $Words = $Words { $($name: $en,)+ };
                static ZH: $Words = $Words { $($name: $zh,)+ };
                if $crate::words::chinese::is_chinese(lang) { &ZH } else { &EN }
            }

            #[cfg(test)]
            pub(crate) const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $en, $zh),)+];
        }
    };
}
