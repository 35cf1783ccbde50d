//! Optional parts of a Rust toolchain: rustup adds missing ones; without rustup an error says how to install them.

use crate::house::House;
use crate::process::{capture, run};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

const WASM: &str = "wasm32-unknown-unknown";

/// A part listed in `rust-toolchain.toml` that a toolchain installed earlier may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The standard library for the page's modules.
    Wasm,
    /// `cargo fmt`.
    Rustfmt,
    /// `cargo clippy`.
    Clippy,
}

impl Part {
    /// The arguments for rustup.
    const fn words(self) -> [&'static str; 3] {
        match self {
            Self::Wasm => ["target", "add", WASM],
            Self::Rustfmt => ["component", "add", "rustfmt"],
            Self::Clippy => ["component", "add", "clippy"],
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Wasm => "the wasm target",
            Self::Rustfmt => "rustfmt",
            Self::Clippy => "clippy",
        }
    }

    /// The packages that contain this part in distributions with their own Rust.
    const fn packages(self) -> &'static str {
        match self {
            Self::Wasm => "Debian: libstd-rust-dev-wasm32, Fedora: rust-std-static-wasm32-unknown-unknown",
            Self::Rustfmt => "Debian and Fedora: rustfmt",
            Self::Clippy => "Debian: rust-clippy, Fedora: clippy",
        }
    }

    /// Whether the active toolchain has the part.
    fn present(self, house: &House) -> bool {
        let answers = |command: &mut Command| capture(command.stderr(Stdio::null())).ok();
        match self {
            Self::Wasm => {
                let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
                let mut command = Command::new(rustc);
                // Runs inside the repository, because rustup would otherwise answer for another toolchain.
                command.args(["--print", "target-libdir", "--target", WASM]).current_dir(&house.root);
                answers(&mut command).is_some_and(|folder| Path::new(folder.trim()).is_dir())
            }
            Self::Rustfmt => answers(house.cargo().args(["fmt", "--version"])).is_some(),
            Self::Clippy => answers(house.cargo().args(["clippy", "--version"])).is_some(),
        }
    }
}

/// Ensures that the parts are present; adds a missing one and prints a line about it.
pub(crate) fn need(house: &House, parts: &[Part]) -> Result<()> {
    for &part in parts {
        provide(part, || part.present(house), || rustup(house))?;
    }
    Ok(())
}

/// A function that adds a part through rustup, given rustup's arguments.
type Add<'a> = Box<dyn FnOnce(&[&str]) -> Result<()> + 'a>;

fn rustup(house: &House) -> Option<Add<'_>> {
    let in_house = |words: &[&str]| {
        let mut command = Command::new("rustup");
        command.args(words).current_dir(&house.root);
        command
    };
    capture(in_house(&["--version"]).stderr(Stdio::null())).ok()?;
    Some(Box::new(move |words| run(&mut in_house(words))))
}

fn provide<'a>(
    part: Part,
    present: impl Fn() -> bool,
    rustup: impl FnOnce() -> Option<Add<'a>>,
) -> Result<()> {
    if present() {
        return Ok(());
    }
    let (name, words) = (part.name(), part.words());
    let typed = words.join(" ");
    let Some(add) = rustup() else {
        bail!(
            "Rust lacks {name}, and there is no rustup here to add it. Install it as your Rust was installed \
             ({}), or install Rust from https://rustup.rs",
            part.packages()
        );
    };
    println!("Rust lacks {name}, so it is added: rustup {typed}");
    add(&words).with_context(|| format!("{name} could not be added; is static.rust-lang.org reachable?"))?;
    if !present() {
        bail!(
            "Rust still lacks {name} after `rustup {typed}`: the `rustc` and `cargo` at work here are not rustup's. \
             Put rustup's folder first on the PATH, or install it as this Rust was installed ({})",
            part.packages()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use std::cell::Cell;

    const PARTS: [Part; 3] = [Part::Wasm, Part::Rustfmt, Part::Clippy];

    #[test]
    fn nothing_is_asked_of_rustup_for_what_is_there() {
        for part in PARTS {
            provide(part, || true, || panic!("rustup was looked for")).unwrap();
        }
    }

    #[test]
    fn what_is_missing_is_added_through_rustup() {
        for part in PARTS {
            let added = Cell::new(false);
            let add = |words: &[&str]| {
                assert_eq!(words, part.words());
                added.set(true);
                Ok(())
            };
            provide(part, || added.get(), || Some(Box::new(add))).unwrap();
            assert!(added.get(), "{part:?}");
        }
    }

    #[test]
    fn without_rustup_the_error_names_what_to_install() {
        let error = provide(Part::Wasm, || false, || None).unwrap_err().to_string();
        assert!(error.contains("libstd-rust-dev-wasm32") && error.contains("https://rustup.rs"), "{error}");
    }

    #[test]
    fn a_rustup_that_fails_or_serves_another_rust_is_told_apart() {
        let text = |add: fn(&[&str]) -> Result<()>| {
            format!("{:#}", provide(Part::Clippy, || false, || Some(Box::new(add))).unwrap_err())
        };
        let failed = text(|_| Err(anyhow!("no route")));
        assert!(failed.contains("no route") && failed.contains("reachable"), "{failed}");
        let elsewhere = text(|_| Ok(()));
        assert!(
            elsewhere.contains("not rustup's") && elsewhere.contains("component add clippy"),
            "{elsewhere}"
        );
    }
}
