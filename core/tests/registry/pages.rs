//! The pages of `docs/reference/`, written from the declarations: the answers of `help`, for people.
//!
//! When they are stale: `UPDATE_EXPECT=1 cargo test -p puppy-core --test registry`.

use expect_test::expect_file;
use puppy_core::config::{Offer, Switches};
use puppy_core::find::actions_of;
use puppy_core::registry::ACTIONS;
use puppy_core::render::{help, signature};
use puppy_core::spec::{ActionSpec, Danger, Effect, Interpreter, Kind, Param, Tool};

const GENERATED: &str = "<!-- Written from the declarations; to bring it up to date: UPDATE_EXPECT=1 cargo test -p puppy-core --test registry -->\n\n";

fn tools() -> impl Iterator<Item = Tool> {
    Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some())
}

/// One line of a tool's table.
fn line(spec: &ActionSpec) -> String {
    let level = spec.level().map_or("none", |it| it.word());
    let mut notes = Vec::new();
    match spec.danger {
        Danger::None => {}
        Danger::Always(_) => notes.push("asks a person"),
        Danger::InSiyuan(_) => notes.push("asks a person in SiYuan"),
        Danger::Sometimes(_) => notes.push("asks a person where it is dangerous"),
    }
    if !spec.default_on {
        notes.push("off by default");
    }
    let link = format!("{}.md#{}{}", spec.tool.name(), spec.tool.name(), spec.name);
    let effect = match (spec.effect, spec.worst) {
        (usual, worst) if usual == worst => usual.word().to_owned(),
        (usual, Effect::Read) => usual.word().to_owned(),
        (usual, worst) => format!("{}, {} with certain arguments", usual.word(), worst.word()),
    };
    format!("| [{}]({link}) | {} | {level} | {effect} | {} |\n", spec.name, spec.summary(), notes.join(", "))
}

fn overview() -> String {
    let mut out = format!(
        "{GENERATED}# Tools and actions\n\n\
         Every tool takes `action` and the arguments of that action. `help` is an action of every tool; \
         `preview: true` goes with every action that does not only read and shows what it would change. \
         The level is what the notebook must grant: `r` read, `rw` write, `rwd` delete.\n"
    );
    for tool in tools() {
        out.push_str(&format!("\n## {}\n\n{}\n\n", tool.name(), tool.purpose()));
        out.push_str("| Action | | Level | Effect | |\n|---|---|---|---|---|\n");
        out.extend(actions_of(tool).map(line));
    }
    out
}

/// A tool's page: its actions with their signatures, then each in full, with headings one level down.
fn page(tool: Tool) -> String {
    let mut out = format!("{GENERATED}# {}\n\n{}\n", tool.name(), tool.purpose());
    for spec in actions_of(tool) {
        out.push_str(&format!("\n- `{}`", signature(spec)));
    }
    out.push('\n');
    for spec in actions_of(tool) {
        out.push('\n');
        for line in help::page(spec, None).lines() {
            out.push_str(if line.starts_with('#') { "#" } else { "" });
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn file(name: &str) -> expect_test::ExpectFile {
    let path = format!("{}/../docs/reference/{name}.md", env!("CARGO_MANIFEST_DIR"));
    expect_file![path]
}

/// B-008, B-324.
#[test]
fn reference_pages_are_up_to_date() {
    file("README").assert_eq(&overview());
    for tool in tools() {
        file(tool.name()).assert_eq(&page(tool));
    }
}

/// The arguments that an interpreter reads, with those inside of objects.
fn read_by(interpreter: Interpreter, at: &str, param: Param, out: &mut Vec<String>) {
    let name = if at.is_empty() { param.name.to_owned() } else { format!("{at}.{}", param.name) };
    let mut kind = param.kind;
    while let Kind::List { item, .. } = kind {
        kind = *item;
    }
    if let Kind::Record(params) = kind {
        params.iter().for_each(|param| read_by(interpreter, &name, *param, out));
    }
    if param.read_by.contains(&interpreter) {
        out.push(name);
    }
}

/// The page about SiYuan's interpreters: what each runs, and every way in.
fn interpreters() -> String {
    let mut out = format!(
        "{GENERATED}# Interpreters\n\n\
         SiYuan runs some of the text that it stores or receives. Text of an agent reaches one of these interpreters \
         only if this program printed it from its own parse, or judged it by the interpreter's own result.\n\n\
         Each argument of each action names its interpreters; one that does not is a compile error. \
         `no_hostile_text_reaches_an_interpreter` puts hostile texts into all of them.\n"
    );
    for interpreter in Interpreter::ALL {
        out.push_str(&format!("\n## {}\n\n", interpreter.name()));
        out.push_str(&format!("- SiYuan runs it {}.\n- Gate: {}.\n", interpreter.runs(), interpreter.gate()));
        if !interpreter.stored().is_empty() {
            out.push_str(&format!("- Stored: {}.\n", interpreter.stored().join(", ")));
        }
        out.push_str("- Arguments:\n");
        for spec in ACTIONS {
            let mut names = Vec::new();
            spec.params().for_each(|param| read_by(interpreter, "", param, &mut names));
            if !names.is_empty() {
                out.push_str(&format!("  - `{}`: `{}`\n", spec.path(), names.join("`, `")));
            }
        }
    }
    out
}

/// Every interpreter has a way in, for otherwise its gate guards nothing.
#[test]
fn interpreters_page_is_up_to_date() {
    let path = format!("{}/../docs/interpreters.md", env!("CARGO_MANIFEST_DIR"));
    let page = interpreters();
    assert!(Interpreter::ALL.iter().all(|it| page.contains(&format!("## {}\n", it.name()))));
    assert!(!page.contains("- Arguments:\n\n") && !page.ends_with("- Arguments:\n"), "{page}");
    expect_file![path].assert_eq(&page);
}

/// B-022: the overview that `help` answers with, for every tool.
#[test]
fn tool_help_matches_the_golden_file() {
    let offer = Offer::default();
    let pages: Vec<String> =
        tools().map(|tool| help::help(tool, None, &offer).unwrap().body.unwrap()).collect();
    expect_file!["../golden/help.md"].assert_eq(&format!("{}\n", pages.join("\n\n")));
}

/// B-022, B-112: an action that is off says so; purpose, level, arguments, example and command line are there.
#[test]
fn help_contains_every_part_of_an_action() {
    let mut off = Switches::default();
    for tool in tools() {
        for spec in actions_of(tool) {
            off.set(tool, spec.name, false);
            let off_page =
                help::help(tool, Some(spec.name), &Offer::new(off.clone(), None)).unwrap().body.unwrap();
            assert!(off_page.contains("Turned off"), "{}", spec.path());
            let page = help::page(spec, None);
            for part in [spec.doc, "- Level: ", "- Effect: ", "## Arguments", "## Example"] {
                assert!(page.contains(part), "{}: {part}", spec.path());
            }
            assert!(page.contains(&format!("`{}(action=\"{}\"", tool.name(), spec.name)), "{}", spec.path());
            assert!(
                page.contains(&format!("`siyuan-puppy {} {}", tool.name(), spec.name.replace('_', "-"))),
                "{}",
                spec.path()
            );
            for param in spec.params() {
                assert!(
                    page.contains(&format!("- `{}` (", param.name)) && page.contains(param.doc),
                    "{} {}",
                    spec.path(),
                    param.name
                );
            }
        }
    }
}
