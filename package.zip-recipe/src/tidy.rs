//! The rules of the house, held by tests: the first sentence of a file, its length, and the crates that it may name.

use crate::house::House;
use std::path::{Path, PathBuf};

/// Folders without our code.
const SKIPPED: [&str; 5] = ["target", "build", "node_modules", ".git", "__pycache__"];
const LONGEST: usize = 400;

/// A crate or type, the shipped code that may not name it, and the files or folders (without ending) that may.
const HOMES: [(&str, &[&str]); 8] = [
    ("rmcp", &["server/src/mcp"]),
    ("clap", &["server/src/cli"]),
    ("reqwest", &["server/src/kernel", "server/src/relay"]),
    ("tokio_tungstenite", &["server/src/kernel/socket"]),
    ("JsValue", &["plugin-ui/web/src/host", "plugin-ui/parts/src/el", "mcp-client/src/fetch"]),
    ("sse_stream", &["server/src/relay", "mcp-client/src/events"]),
    ("iri_string", &["mcp-client/src/template", "mcp-client/src/proxied"]),
    // A request to the kernel is made by a function of `kernel::api`, which knows what the kernel needs.
    ("Request {", &["core/src/kernel"]),
];
const SHIPPED: [&str; 5] = ["core/src/", "core/derive/src/", "server/src/", "mcp-client/src/", "plugin-ui/"];

pub(crate) struct File {
    /// Relative to the repository, with `/`.
    pub(crate) name: String,
    pub(crate) text: String,
}

pub(crate) fn files(endings: &[&str]) -> Vec<File> {
    let root = House::find().unwrap().root;
    let mut found = Vec::new();
    walk(&root, &root, endings, &mut found);
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!found.is_empty(), "no file ends with {endings:?}");
    found
}

fn walk(root: &Path, folder: &Path, endings: &[&str], found: &mut Vec<File>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let leaf = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !SKIPPED.contains(&leaf) {
                walk(root, &path, endings, found);
            }
        } else if endings.iter().any(|ending| leaf.ends_with(ending)) {
            // A file that is removed meanwhile, or is not text, is skipped.
            if let Ok(text) = std::fs::read_to_string(&path) {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                found.push(File { name, text });
            }
        }
    }
}

/// Fails with the list of findings unless it is empty.
#[track_caller]
pub(crate) fn none(rule: &str, found: &[String]) {
    assert!(found.is_empty(), "{rule}:\n  {}", found.join("\n  "));
}

/// The text of the comment at the start of a file.
fn opening(file: &File) -> Option<&str> {
    let mut lines = file.text.lines();
    let mut first = lines.next()?.trim();
    if first.starts_with("#!") {
        first = lines.next()?.trim();
    }
    if file.name.ends_with(".rs") {
        return first.strip_prefix("//!").map(str::trim);
    }
    ["//", "/**", "/*", "\"\"\"", "#"].iter().find_map(|mark| first.strip_prefix(mark)).map(str::trim)
}

fn is_sentence(text: &str) -> bool {
    text.split_whitespace().count() >= 3 && !text.starts_with(|c: char| c.is_lowercase())
}

#[test]
fn every_file_starts_with_a_sentence_that_says_what_it_is() {
    let found: Vec<_> = files(&[".rs", ".js", ".mjs", ".css", ".py"])
        .iter()
        .filter(|file| !opening(file).is_some_and(is_sentence))
        .map(|file| format!("{}: {}", file.name, file.text.lines().next().unwrap_or_default()))
        .collect();
    none("the first line must be a comment with a sentence (`//! ...` in Rust)", &found);
}

/// Lines that are neither blank nor comments, up to the unit tests at the end of the file.
fn lines_of_code(text: &str) -> usize {
    text.lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"))
        .map(str::trim)
        .filter(|line| {
            !line.is_empty()
                && !["//", "/*", "* "].iter().any(|mark| line.starts_with(mark))
                && !["*", "*/"].contains(line)
        })
        .count()
}

#[test]
fn no_file_is_longer_than_a_person_reads() {
    // The recording player is also the recorder, and stays as it was when it recorded.
    let found: Vec<_> = files(&[".rs", ".js", ".mjs", ".css", ".py"])
        .iter()
        .filter(|file| !file.name.starts_with("e2e/kernel/"))
        .map(|file| (lines_of_code(&file.text), &file.name))
        .filter(|(lines, _)| *lines > LONGEST)
        .map(|(lines, name)| format!("{name}: {lines}"))
        .collect();
    none("split these files, each has more than 400 lines of code", &found);
}

/// Whether a word occurs in code, outside comments and not as a part of another word.
fn names_word(text: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|line| {
        line.match_indices(word).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + word.len()..]);
            !before.ends_with(part_of_word) && !after.starts_with(part_of_word)
        })
    })
}

#[test]
fn each_outside_world_is_known_in_one_place() {
    let mut found = Vec::new();
    for file in files(&[".rs"]) {
        if !SHIPPED.iter().any(|folder| file.name.starts_with(folder)) {
            continue;
        }
        for (word, homes) in HOMES {
            let at_home = homes
                .iter()
                .any(|home| file.name == format!("{home}.rs") || file.name.starts_with(&format!("{home}/")));
            if !at_home && names_word(&file.text, word) {
                found.push(format!("{} names {word}, which belongs in {}", file.name, homes.join(" or ")));
            }
        }
    }
    none("a crate or type is named outside its home", &found);
}

#[test]
fn every_action_file_is_registered() {
    let found: Vec<_> = files(&[".rs"])
        .iter()
        .filter_map(|file| Some((file, file.name.strip_prefix("core/src/tools/")?.split_once('/')?)))
        .flat_map(|(file, (tool, module))| {
            let list = House::find().unwrap().at(&format!("core/src/tools/{tool}.rs"));
            unlisted(&std::fs::read_to_string(list).unwrap_or_default(), module, &file.text)
        })
        .collect();
    none("add these actions to `actions!` in the file of their tool", &found);
}

/// The actions of a file, by their path below the tool, that the list of the tool does not name.
fn unlisted(list: &str, file: &str, text: &str) -> Vec<String> {
    // A file `move.rs` is the module `r#move`.
    let list = list.replace("r#", "");
    let module = file.trim_end_matches(".rs").replace('/', "::");
    let mut found = Vec::new();
    let mut declared = false;
    for line in text.lines().map(str::trim) {
        declared |= line.starts_with("#[action(");
        if let (true, Some(rest)) =
            (declared, line.strip_prefix("pub struct ").or(line.strip_prefix("pub(crate) struct ")))
        {
            declared = false;
            let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let path = format!("{module}::{word}");
            if !names_word(&list, &path) {
                found.push(path);
            }
        }
    }
    found
}

/// Most lines of code of an action's file: what is longer has a part that another action will want.
const LONGEST_ACTION: usize = 150;

/// The files and folders that write out or send SQL: the views and the statements over them, their callers, the routes,
/// the checks of targets and of references in a text, which see all, and the statements of callers in examples and
/// tests.
const HOMES_OF_SQL: [&str; 7] = [
    "core/src/cx",
    "core/src/index",
    "core/src/kernel",
    "core/src/permission/resolve",
    "core/src/content/incoming/targets",
    "core/src/tools/search/sql",
    "core/src/testing/statements",
];

#[test]
fn an_action_is_read_in_one_go() {
    let files = files(&[".rs"]);
    let actions =
        files.iter().filter(|it| it.name.starts_with("core/src/tools/") && it.text.contains("#[action("));
    let long = actions.filter(|it| lines_of_code(&it.text) > LONGEST_ACTION);
    none("an action has at most 150 lines of code", &long.map(|it| it.name.clone()).collect::<Vec<_>>());
}

/// Whether the code of a file, its tests left out, writes a statement or makes the request of one.
fn writes_sql(text: &str) -> bool {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    code.map(|line| line.split("//").next().unwrap_or_default()).any(|line| {
        ["SELECT ", "sql::text(", "sql::list(", "query::sql("].iter().any(|sign| line.contains(sign))
    })
}

#[test]
fn statements_stand_on_the_views_of_the_index() {
    let files = files(&[".rs"]);
    let ours = |it: &&File| {
        let is_home = HOMES_OF_SQL
            .iter()
            .any(|home| it.name == format!("{home}.rs") || it.name.starts_with(&format!("{home}/")));
        let is_test = ["tests.rs", "/fuzz.rs", "/testing.rs"].iter().any(|end| it.name.ends_with(end));
        it.name.starts_with("core/src/") && !is_test && !is_home
    };
    let found = files.iter().filter(ours).filter(|it| writes_sql(&it.text));
    none("build the statement with `index::Select`", &found.map(|it| it.name.clone()).collect::<Vec<_>>());
}

#[test]
fn nothing_unfinished_and_no_path_of_a_machine_is_left() {
    let root = House::find().unwrap().root;
    let forbidden: Vec<_> = [Some(root), std::env::home_dir()]
        .into_iter()
        .flatten()
        .filter(|folder| folder.components().count() > 1)
        .map(|folder| format!("{}/", folder.display()))
        .collect();
    let mut found = Vec::new();
    let endings = [".rs", ".js", ".mjs", ".css", ".py", ".md", ".toml", ".json", ".html", ".yml", "run"];
    for file in files(&endings) {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(path) = forbidden.iter().find(|path| line.contains(path.as_str())) {
                found.push(format!("{}:{}: {path}", file.name, number + 1));
            }
            if file.name.ends_with(".rs")
                && [concat!("todo", "!("), concat!("unimplemented", "!(")].iter().any(|m| line.contains(m))
            {
                found.push(format!("{}:{}: {}", file.name, number + 1, line.trim()));
            }
        }
    }
    none("left behind", &found);
}

#[test]
fn every_test_that_a_document_names_is_there() {
    let (sources, scripts) = (files(&[".rs"]), files(&[".test.mjs"]));
    let is_test = |word: &str| {
        word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    // A browser test is named by its file and the beginning of its title.
    let is_there = |word: &str| match word.split_once(".test.mjs: ") {
        Some((file, title)) => scripts.iter().any(|it| {
            it.name.ends_with(&format!("/{file}.test.mjs")) && it.text.contains(&format!("test(\"{title}"))
        }),
        None => !is_test(word) || sources.iter().any(|file| file.text.contains(&format!("fn {word}("))),
    };
    for (name, least) in
        [("docs/holes.md", 40), ("docs/security.md", 40), ("docs/listing.md", 0), ("ARCHITECTURE.md", 15)]
    {
        let page = std::fs::read_to_string(House::find().unwrap().at(name)).unwrap();
        let words: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
        let named = words.iter().filter(|word| is_test(word)).count();
        assert!(named > least, "{name} names {named} tests");
        let found: Vec<_> =
            words.into_iter().filter(|word| !is_there(word)).map(|it| format!("{name}: {it}")).collect();
        none("tests are named that are not there", &found);
    }
}

/// A reader of the documentation looks for one idea and skips walls of text.
#[test]
fn paragraphs_of_the_documentation_are_short() {
    const MOST: usize = 60;
    let begins = |line: &str| {
        let line = line.trim_start();
        let number = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
        line.is_empty() || line.starts_with("- ") || line.starts_with('|') || number
    };
    let mut found = Vec::new();
    for page in files(&[".md"]) {
        let is_own = page.name.starts_with("docs/") && !page.name.starts_with("docs/reference/");
        if !is_own
            && !["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].contains(&&*page.name)
        {
            continue;
        }
        let mut words = 0;
        for (number, line) in page.text.lines().enumerate() {
            words = if begins(line) { 0 } else { words };
            let longest = line.split('|').map(|cell| cell.split_whitespace().count()).max().unwrap_or(0);
            words += longest;
            if words > MOST {
                found.push(format!("{}:{}: {words} words", page.name, number + 1));
            }
        }
    }
    none("paragraphs above 60 words", &found);
}

#[test]
fn every_file_that_a_document_names_is_there() {
    let endings = [".rs", ".md", ".mjs", ".py", ".toml"];
    let is_path = |word: &&str| {
        word.contains('/')
            && endings.iter().any(|ending| word.ends_with(ending))
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    };
    let sources = files(&endings);
    // Documents name files from the top, or from the folder that they describe.
    let is_there =
        |name: &str| sources.iter().any(|it| format!("/{}", it.name).ends_with(&format!("/{name}")));
    let named = |page: &File| -> Vec<String> {
        let named = page.text.split('`').skip(1).step_by(2).filter(is_path);
        named.filter(|name| !is_there(name)).map(|name| format!("{} names {name}", page.name)).collect()
    };
    let pages: Vec<&File> = sources.iter().filter(|it| it.name.ends_with(".md")).collect();
    assert!(pages.len() > 10, "{} documents", pages.len());
    none("a document names a file that is not there", &pages.into_iter().flat_map(named).collect::<Vec<_>>());
}

#[test]
fn helpers_that_list_their_routes_check_the_declaration() {
    let found: Vec<_> = files(&[".rs"])
        .into_iter()
        .filter(|file| file.name.starts_with("core/src/") && file.text.contains("const CALLS: &[Route]"))
        .filter(|file| !file.text.contains("cx.declares(CALLS)?"))
        .map(|file| file.name)
        .collect();
    none("begin the helper with `cx.declares(CALLS)?`", &found);
}

/// The folders whose tests cargo leaves out without a word: macros have `test = false`, and some modules are compiled
/// for the page only.
fn untested(sources: &[File]) -> Vec<String> {
    let mut found = vec!["core/derive/src/".to_owned()];
    for file in sources {
        let (folder, leaf) = file.name.rsplit_once('/').unwrap_or_default();
        let stem = leaf.trim_end_matches(".rs");
        let inside =
            if ["lib", "main"].contains(&stem) { folder.to_owned() } else { format!("{folder}/{stem}") };
        let lines: Vec<&str> = file.text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == r#"#[cfg(target_arch = "wasm32")]"#) {
            let module = pair[1].split_once("mod ").and_then(|it| it.1.strip_suffix(';'));
            found.extend(
                module.into_iter().flat_map(|it| [".rs", "/"].map(|end| format!("{inside}/{it}{end}"))),
            );
        }
    }
    found
}

#[test]
fn no_test_stands_where_cargo_runs_none() {
    let sources = files(&[".rs"]);
    let untested = untested(&sources);
    assert!(untested.contains(&"plugin-ui/web/src/host/".to_owned()), "{untested:?}");
    let has_tests = |file: &&File| file.text.contains(concat!("#[", "test]"));
    let is_left_out = |file: &&File| untested.iter().any(|it| file.name.starts_with(it));
    let found = sources.iter().filter(has_tests).filter(is_left_out).map(|it| it.name.clone());
    none("cargo would not run these tests", &found.collect::<Vec<_>>());
}

#[test]
fn core_has_bans_of_its_own() {
    let bans = std::fs::read_to_string(House::find().unwrap().at("core/clippy.toml")).unwrap();
    for path in ["std::fs::read_to_string", "std::env::var", "std::time::SystemTime", "std::time::Instant"] {
        assert!(bans.contains(&format!("\"{path}\"")), "core/clippy.toml does not ban {path}");
    }
}

#[test]
fn the_plugin_says_what_it_is_as_siyuan_reads_it() {
    let house = House::find().unwrap();
    let text = std::fs::read_to_string(house.at("plugin.json")).unwrap();
    let plugin: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(plugin["name"], "siyuan-mcp-puppy");
    assert_eq!(
        plugin["version"],
        env!("CARGO_PKG_VERSION"),
        "plugin.json and Cargo.toml name different versions"
    );
    assert_eq!(plugin["disabledInPublish"], true);
    let index = std::fs::read_to_string(house.at("index.js")).unwrap();
    let same = format!("const VERSION = \"{}\";", env!("CARGO_PKG_VERSION"));
    assert!(index.contains(&same), "index.js names another version");
    for key in ["displayName", "description", "readme"] {
        assert!(plugin[key]["default"].is_string(), "{key} has no default");
    }
    for (name, width, height, most) in [("icon.png", 160, 160, 20_480), ("preview.png", 1024, 768, 204_800)] {
        let bytes = std::fs::read(house.at(name)).unwrap();
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(&bytes[1..4], b"PNG", "{name}");
        assert_eq!((number(16), number(20)), (width, height), "{name}");
        assert!(bytes.len() <= most, "{name} has {} bytes", bytes.len());
    }
}

#[test]
fn the_rules_see_what_breaks_them() {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into() };
    assert!(!opening(&file("a.rs", "use std::fs;")).is_some_and(is_sentence));
    assert!(!opening(&file("a.rs", "//! lower case it is.")).is_some_and(is_sentence));
    assert!(
        opening(&file("a.mjs", "#!/usr/bin/env node\n// Plays the agent's part.")).is_some_and(is_sentence)
    );
    assert_eq!(lines_of_code("//! Doc.\n\nfn a() {\n}\n#[cfg(test)]\nmod tests {}\n"), 2);
    assert_eq!(lines_of_code("/**\n * Doc.\n *\n * @param {A} a\n */\nconst b = (a) =>\n  2 * a;\n"), 2);
    assert!(names_word("use rmcp::model;", "rmcp") && !names_word("let rmcp_like = 1; // rmcp", "rmcp"));
    assert!(
        writes_sql("let a = format!(\"SELECT {b}\");") && !writes_sql("// SELECT 1\n#[cfg(test)]\nSELECT 1")
    );
    let action = "#[derive(Action)]\n#[action(fs.list)]\npub struct List {\n}\npub struct Other;\n";
    assert_eq!(unlisted("actions! { tree::List, }", "list.rs", action), ["list::List"]);
    assert!(unlisted("actions! { list::List, }", "list.rs", action).is_empty());
}
