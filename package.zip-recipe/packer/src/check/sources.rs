//! Rules for the scripts as reviewers read them: written by people, without left-overs, and nothing from elsewhere.

use super::Findings;
use super::code::scripts;
use crate::archive::Package;

/// Characters of a line that a person reads.
const LONG: usize = 200;
/// The lines among which one may be longer, such as a drawing.
const PER_LONG: usize = 20;
/// Code that runs texts, and what a developer leaves behind.
const REFUSED: [&str; 5] = ["eval(", "new Function(", "document.write(", "console.log(", "debugger;"];
/// The addresses that a script may name: this machine.
const HERE: &str = "127.0.0.1";

/// Minified scripts cannot be reviewed; the modules of wasm are built from sources in the repository.
pub(super) fn scripts_are_readable(package: &Package) -> Findings {
    let is_packed = |script: &str| {
        let long = script.lines().filter(|line| line.chars().count() > LONG).count();
        long * PER_LONG > script.lines().count().max(PER_LONG)
    };
    let packed = scripts(package).filter(|(_, script)| is_packed(script));
    packed.map(|(name, _)| format!("{name} looks minified: too many lines above {LONG} characters")).collect()
}

/// Left-overs, and code that runs texts.
pub(super) fn scripts_have_no_leftovers(package: &Package) -> Findings {
    let of = |(name, script): (&str, &str)| -> Findings {
        let is_word = |word: &str| {
            let mut hits = script.match_indices(word);
            hits.any(|(at, _)| !script[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let hits = REFUSED.iter().filter(|word| is_word(word));
        hits.map(|word| format!("{name} has `{word}`")).collect()
    };
    scripts(package).flat_map(of).collect()
}

/// Code from elsewhere is not what was reviewed.
pub(super) fn scripts_name_no_other_site(package: &Package) -> Findings {
    let of = |(name, script): (&str, &str)| -> Findings {
        let mut found = Findings::new();
        for scheme in ["http://", "https://"] {
            for (at, _) in script.match_indices(scheme) {
                let rest = &script[at + scheme.len()..];
                if script[..at].ends_with(['"', '\'', '`']) && !rest.starts_with(HERE) {
                    let site = rest.split(['"', '\'', '`', '/', ' ']).next().unwrap_or_default();
                    found.push(format!("{name} names {site}"));
                }
            }
        }
        found
    };
    scripts(package).flat_map(of).collect()
}

/// The licence names its year and its owner.
pub(super) fn licence_names_its_owner(package: &Package) -> Findings {
    let text = package.files.text("LICENSE");
    let owner = text.lines().find_map(|line| line.strip_prefix("Copyright (c) 20"));
    let is_whole = owner.is_some_and(|it| it.len() > 3);
    if is_whole || text.is_empty() {
        return Findings::new();
    }
    vec!["LICENSE names no year and owner: `Copyright (c) 20… name`".to_owned()]
}
