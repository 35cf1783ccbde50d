//! The line that starts this program without its path: `npx` and `uvx` keep programs in caches that they may empty.

use std::path::Path;

use serde_json::{Map, Value, json};

/// The package of this program, on npm and on PyPI.
const PACKAGE: &str = "siyuan-puppy";
/// The first argument of the program in every entry.
const STDIO: &str = "stdio";

/// A program that downloads packages, and runs them from a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PackageRunner {
    Npx,
    Uvx,
}

impl PackageRunner {
    /// The runner in whose cache a program lies; `None` for one whose path stays.
    pub(crate) fn of(program: &Path) -> Option<PackageRunner> {
        let parts: Vec<&str> = program.iter().filter_map(|it| it.to_str()).collect();
        // uv keeps tools that a person installed elsewhere, below `uv/tools`.
        let is_cached = |name: &str| name.starts_with("archive-v") || name.starts_with("environments-v");
        if parts.contains(&"_npx") {
            Some(PackageRunner::Npx)
        } else if parts.contains(&"uv") && parts.iter().any(|it| is_cached(it)) {
            Some(PackageRunner::Uvx)
        } else {
            None
        }
    }

    /// The words before the arguments of the program, on a platform in Node's words.
    pub(crate) const fn words(self, platform: &str) -> &'static [&'static str] {
        match (self, platform.as_bytes()) {
            // There `npx` is a script, which clients do not start.
            (PackageRunner::Npx, b"win32") => &["cmd", "/c", "npx", "-y", PACKAGE],
            (PackageRunner::Npx, _) => &["npx", "-y", PACKAGE],
            (PackageRunner::Uvx, _) => &["uvx", PACKAGE],
        }
    }

    /// Lets an entry start the line instead of a path.
    pub(crate) fn apply(self, entry: &mut Map<String, Value>, platform: &str) {
        let words = self.words(platform);
        let (first, rest) = words.split_first().map_or(("", words), |(first, rest)| (*first, rest));
        match entry.get_mut("command") {
            Some(Value::Array(command)) => drop(command.splice(..1, words.iter().map(|it| json!(it)))),
            Some(command) => {
                *command = json!(first);
                if let Some(Value::Array(args)) = entry.get_mut("args") {
                    drop(args.splice(..0, rest.iter().map(|it| json!(it))));
                }
            }
            None => {}
        }
    }
}

/// Whether an entry starts this program by such a line, whatever the words around it.
pub(crate) fn is_line(entry: &Map<String, Value>) -> bool {
    let words = |key: &str| match entry.get(key) {
        Some(Value::String(word)) => vec![word.as_str()],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let all: Vec<&str> = words("command").into_iter().chain(words("args")).collect();
    let before = all.iter().position(|it| *it == STDIO).and_then(|at| all.get(..at)).unwrap_or_default();
    let is_runner = |word: &&str| {
        let leaf = word.rsplit(['/', '\\']).next().unwrap_or_default();
        ["npx", "npx.cmd", "uvx", "uvx.exe"].contains(&leaf)
    };
    let is_package = |word: &&str| word.split('@').next() == Some(PACKAGE);
    before.iter().any(is_runner) && before.iter().any(is_package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_in_caches_are_started_by_their_runner() {
        let of = |path: &str| PackageRunner::of(Path::new(path));
        let npm = "node_modules/@siyuan-mcp-puppy/linux-x64/bin/siyuan-puppy";
        assert_eq!(of(&format!("/home/ana/.npm/_npx/0a1b/{npm}")), Some(PackageRunner::Npx));
        assert_eq!(of(&format!("/usr/lib/node_modules/siyuan-puppy/{npm}")), None, "installed for all");
        assert_eq!(of("/home/ana/.cache/uv/archive-v0/x1/bin/siyuan-puppy"), Some(PackageRunner::Uvx));
        assert_eq!(of("/home/ana/.local/share/uv/tools/siyuan-puppy/bin/siyuan-puppy"), None);
        assert_eq!(of("/home/ana/.local/share/siyuan-mcp-puppy/bin/siyuan-puppy"), None);
    }

    #[test]
    fn lines_are_known_again_and_other_lines_are_not() {
        let entry = |value: Value| is_line(value.as_object().unwrap());
        for (runner, platform) in
            [(PackageRunner::Npx, "linux"), (PackageRunner::Npx, "win32"), (PackageRunner::Uvx, "darwin")]
        {
            let mut pair = json!({ "command": "/opt/siyuan-puppy", "args": ["stdio", "--profile", "a"] });
            runner.apply(pair.as_object_mut().unwrap(), platform);
            assert!(entry(pair.clone()), "{pair}");
            let mut list = json!({ "command": ["/opt/siyuan-puppy", "stdio", "--profile", "a"] });
            runner.apply(list.as_object_mut().unwrap(), platform);
            assert!(entry(list.clone()), "{list}");
            let words = pair["args"].as_array().unwrap().iter().filter_map(Value::as_str);
            let words: Vec<&str> = std::iter::once(pair["command"].as_str().unwrap()).chain(words).collect();
            assert_eq!(json!(words), list["command"]);
            assert!(words.ends_with(&["siyuan-puppy", "stdio", "--profile", "a"]), "{words:?}");
        }
        assert!(entry(json!({ "command": "npx", "args": ["-y", "siyuan-puppy@0.1.0", "stdio"] })));
        assert!(!entry(json!({ "command": "npx", "args": ["-y", "siyuan-sisyphus", "stdio"] })));
        assert!(!entry(json!({ "command": "npx", "args": ["-y", "other", "stdio", "siyuan-puppy"] })));
        assert!(!entry(json!({ "url": "http://127.0.0.1:36806/mcp" })));
    }
}
