//! Builds the page's modules and assembles `build/plugin/`, the plugin as SiYuan loads it.

use crate::house::House;
use crate::prerequisites;
use crate::process::run;
use crate::sidecar;
use crate::toolchain::{self, Part};
use anyhow::{Context as _, Result, bail};
use flate2::{Compression, write::GzEncoder};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that makes JavaScript and modules fit each other; it compiles best beside the servers.
pub(crate) const BINDER: &str = "page-binder";
/// The program that prints the panel's Chinese texts, which a Chinese page loads from [`CHINESE`].
pub(crate) const PANEL: &str = "panel";
const CHINESE: &str = "panel.zh.txt";
/// A moment at which the page loads something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Before the panel is first opened.
    Start,
    Panel,
    Playground,
    /// When agents or their runs are first shown.
    Agents,
    /// When an action is first tried there.
    Action,
}

const MODULES: [(&str, When); 5] = [
    ("puppy", When::Start),
    ("panel", When::Panel),
    ("playground", When::Playground),
    ("agents", When::Agents),
    ("actions", When::Action),
];
/// The script and the styles.
const TEXTS: [(&str, When); 5] = [
    ("index.js", When::Start),
    ("index.css", When::Start),
    ("panel.css", When::Panel),
    ("playground.css", When::Playground),
    ("agents.css", When::Agents),
];
/// Files and folders at the top of the repository that are copied into the plugin unchanged.
pub(crate) const PLUGIN_FILES: [&str; 14] = [
    "plugin.json",
    "index.js",
    "desktop",
    "page",
    "index.css",
    "panel.css",
    "playground.css",
    "agents.css",
    "icon.png",
    "preview.png",
    "README.md",
    "README.zh-CN.md",
    "LICENSE",
    "i18n",
];
/// The files that every page of SiYuan loads: shipped without comments, a quarter of their size.
const AT_START: [&str; 2] = ["index.js", "index.css"];
/// The limits in bytes, after gzip, of wasm, glue, script and styles. The start is at most 100 kB, because every page of
/// SiYuan loads it. The panel adds at most 606 kB, which load when a person opens it. The playground
/// adds at most 400 kB, the agents and what they did 380 kB, and the first action that runs in the page what the actions are.
const BUDGET_AT_START: u64 = 100_000;
const BUDGET_OF_PANEL: u64 = 606_000;
const BUDGET_OF_PLAYGROUND: u64 = 400_000;
const BUDGET_OF_AGENTS: u64 = 380_000;
/// The code of all actions is 1.52 MB, 0.14 MB of it the ledger of runs: about 25 kB before gzip for each action. No part
/// stands out: the parser of SQL is 85 kB, the regular expressions 70 kB, the comparison of texts 60 kB. So it is a module
/// of its own, which only a person loads who runs an action in the page instead of at the server.
const BUDGET_OF_ACTIONS: u64 = 1_525_000;
/// Modules that wasm-opt does not shrink: it makes the actions 0.2 to 0.5 % smaller, in one to three times the time that
/// compiling them takes.
const AS_COMPILED: [&str; 1] = ["actions"];
/// The options with which wasm-opt shrinks a module. Inlining functions with a single caller makes the panel 4 kB larger
/// after gzip.
const SHRINK: [&str; 2] = ["-Oz", "--one-caller-inline-max-function-size=0"];
/// The options for every module. Functions with similar names resemble each other: side by side, they make the panel
/// 16 kB smaller after gzip and the actions 65 kB. The features are Rust's own of wasm32-unknown-unknown, by name: with
/// `--all-features` wasm-opt writes what browsers refuse.
const ARRANGE: [&str; 11] = [
    "--reorder-functions-by-name",
    "--strip-debug",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Leptos keeps views and attributes in boxes of one type. With a type for each shape of a view the panel is 21 kB larger
/// after gzip when four of its pages are views. SHA-256 signs the messages of the channel, which are short: as a loop it
/// is 3 kB smaller. Cargo's configuration has these for every other build for the page.
const SMALLER: [&str; 2] = ["--cfg=erase_components", "--cfg=sha2_backend_soft=\"compact\""];

/// The packages that are built for the page, whatever is wanted of it: together, so that each is compiled once.
const PAGE: [&str; 8] = [
    "puppy-core",
    "puppy-ui-web",
    "puppy-ui-parts",
    "puppy-ui-puppy",
    "puppy-ui-panel",
    "puppy-ui-playground",
    "puppy-ui-agents",
    "puppy-ui-actions",
];

/// Cargo's arguments for them.
pub(crate) fn page_packages() -> impl Iterator<Item = &'static str> {
    PAGE.into_iter().flat_map(|name| ["-p", name])
}

/// The settings of a build of the page's modules.
struct Way {
    /// Cargo's profile, and the folder of its programs.
    profile: &'static str,
    programs: &'static str,
    /// Folders below `build/`: the modules, and the plugin with them.
    modules: &'static str,
    plugin: &'static str,
    /// Whether wasm-opt shrinks them.
    small: bool,
}

/// The release build.
const SHIPPED: Way =
    Way { profile: "wasm", programs: "wasm", modules: "wasm", plugin: "plugin", small: true };
/// A build in a third of the time and several times as large: for the demo, whose page is on this machine.
const QUICK: Way =
    Way { profile: "dev", programs: "debug", modules: "demo/wasm", plugin: "demo/plugin", small: false };

/// Builds changed modules, assembles the plugin and prints the sizes; returns an error when a budget is exceeded.
pub(crate) fn build(house: &House) -> Result<String> {
    run(&mut released_build(house)?)?;
    sidecar::build_debug(house, &[BINDER, PANEL])?;
    bind(house, &SHIPPED)?;
    sizes(&house.build(SHIPPED.plugin))
}

/// The folder of the plugin as it is shipped.
pub(crate) fn plugin(house: &House) -> PathBuf {
    house.build(SHIPPED.plugin)
}

/// The command that compiles the modules as they are shipped; [`build`] makes the plugin of them.
pub(crate) fn released_build(house: &House) -> Result<Command> {
    toolchain::need(house, &[Part::Wasm])?;
    Ok(compile(house, &SHIPPED))
}

/// The command that compiles the demo's modules; [`bind_quickly`] makes the plugin of them.
pub(crate) fn quick_build(house: &House) -> Command {
    compile(house, &QUICK)
}

/// Makes the demo's plugin of compiled modules with the compiled binder, and returns its folder.
pub(crate) fn bind_quickly(house: &House) -> Result<PathBuf> {
    bind(house, &QUICK)?;
    Ok(house.build(QUICK.plugin))
}

fn compile(house: &House, way: &Way) -> Command {
    let mut command = house.page_cargo();
    if way.small {
        house.as_shipped(&mut command, &SMALLER.map(str::to_owned));
    }
    command.args(["build", "--locked", "--profile", way.profile, "--target", "wasm32-unknown-unknown"]);
    command.args(page_packages()).arg("--bins");
    command
}

fn bind(house: &House, way: &Way) -> Result<()> {
    let binder = sidecar::existing(house.program("debug", BINDER))?;
    let mut produced = Vec::new();
    for (name, _) in MODULES {
        produced.extend(module(house, way, &binder, name)?);
    }
    produced.push(chinese(house, way)?);
    assemble(&house.build(way.plugin), house, &produced)
}

/// The file of the panel's Chinese texts, as its declarations have them now.
fn chinese(house: &House, way: &Way) -> Result<PathBuf> {
    let panel = sidecar::existing(house.program("debug", PANEL))?;
    let printed = house.command(panel).output().context("the panel's texts cannot be printed")?;
    if !printed.status.success() || printed.stdout.is_empty() {
        bail!("the panel printed no Chinese texts");
    }
    let file = house.build(way.modules).join(CHINESE);
    std::fs::write(&file, printed.stdout).context("cannot write below build/wasm")?;
    Ok(file)
}

/// The glue and wasm of one module, rebuilt only when cargo's output or the settings changed.
fn module(house: &House, way: &Way, binder: &Path, name: &str) -> Result<[PathBuf; 2]> {
    let input = house.page_target().join(format!("wasm32-unknown-unknown/{}/{name}.wasm", way.programs));
    let bytes =
        std::fs::read(&input).with_context(|| format!("no package of plugin-ui/ has a program `{name}`"))?;
    let folder = house.build(way.modules).join(name);
    let outputs = [folder.join(format!("{name}.js")), folder.join(format!("{name}_bg.wasm"))];
    let stamp = folder.join("made-from");
    let lock = std::fs::read(house.at("package.zip-recipe/package-lock.json")).unwrap_or_default();
    let fingerprint = fingerprint(&bytes, &lock);
    let made_from = std::fs::read_to_string(&stamp).unwrap_or_default();
    if made_from == fingerprint && outputs.iter().all(|output| output.is_file()) {
        return Ok(outputs);
    }
    house.fresh(&format!("{}/{name}", way.modules))?;
    println!("binding {}{name}.wasm", if way.small { "and optimizing " } else { "" });
    run(Command::new(binder).arg(&input).arg(&folder))?;
    let [_, wasm] = &outputs;
    if way.small {
        let optimizer =
            prerequisites::node_modules(house, "package.zip-recipe")?.join("binaryen/bin/wasm-opt");
        let shrink: &[&str] = if AS_COMPILED.contains(&name) { &[] } else { &SHRINK };
        run(Command::new("node").arg(optimizer).arg(wasm).args(shrink).args(ARRANGE).arg("-o").arg(wasm))?;
    }
    std::fs::write(&stamp, fingerprint).context("cannot write below build/wasm")?;
    Ok(outputs)
}

/// Changes when the module, the tools or their settings do; wasm-bindgen's release is pinned beside the module's own.
fn fingerprint(bytes: &[u8], lock: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    lock.hash(&mut hasher);
    (SHRINK, ARRANGE).hash(&mut hasher);
    format!("{:016x} {}", hasher.finish(), bytes.len())
}

/// Makes a folder contain exactly the plugin's files; rewrites only those that differ.
fn assemble(plugin: &Path, house: &House, produced: &[PathBuf]) -> Result<()> {
    std::fs::create_dir_all(plugin).context("cannot create the plugin's folder below build/")?;
    let missing: Vec<_> = PLUGIN_FILES.into_iter().filter(|name| !house.at(name).exists()).collect();
    if !missing.is_empty() {
        bail!("the plugin is not complete: {} missing at the top of the repository", missing.join(", "));
    }
    let mut wanted = Vec::new();
    for name in PLUGIN_FILES {
        collect(&house.at(name), Path::new(name), &mut wanted)?;
    }
    for source in produced {
        wanted.push((source.clone(), PathBuf::from(source.file_name().unwrap_or_default())));
    }
    let names: BTreeSet<&Path> = wanted.iter().map(|(_, name)| name.as_path()).collect();
    let mut present = Vec::new();
    collect(plugin, Path::new(""), &mut present)?;
    for (path, name) in &present {
        if !names.contains(name.as_path()) {
            std::fs::remove_file(path)
                .with_context(|| format!("cannot remove the old {}", name.display()))?;
        }
    }
    for (source, name) in &wanted {
        let mut bytes = std::fs::read(source).with_context(|| format!("cannot read {}", name.display()))?;
        // The binder explains its types in comments, a tenth of its glue.
        let is_glue = produced.contains(source) && name.extension().is_some_and(|it| it == "js");
        if is_glue || AT_START.iter().any(|it| name.as_path() == Path::new(it)) {
            bytes =
                without_comments(&String::from_utf8(bytes).context("a script is not UTF-8")?).into_bytes();
        }
        let target = plugin.join(name);
        if std::fs::read(&target).is_ok_and(|old| old == bytes) {
            continue;
        }
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).context("cannot create a folder of the plugin")?;
        }
        std::fs::write(&target, bytes).with_context(|| format!("cannot write {}", name.display()))?;
    }
    Ok(())
}

/// The text without empty lines, lines of comments, indentation and the types that comments give to values.
fn without_comments(text: &str) -> String {
    // Whether the line begins inside a comment, and inside a template, whose spaces are part of a text.
    let (mut is_inside, mut is_template) = (false, false);
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let bare = line.trim();
        let is_comment = is_inside || bare.starts_with("/*") || bare.starts_with("//");
        let is_block = is_inside || bare.starts_with("/*");
        is_inside = is_block && !bare.contains("*/");
        // Code may follow the end of a comment.
        if !bare.is_empty() && (!is_comment || (is_block && !is_inside && !bare.ends_with("*/"))) {
            let line = without_types(line);
            kept.push_str(if is_template { &line } else { line.trim_start() });
            kept.push('\n');
            is_template ^= line.matches('`').count() % 2 == 1;
        }
    }
    kept
}

fn without_types(line: &str) -> String {
    let mut kept = line.to_owned();
    while let Some(start) = kept.find("/** @type {") {
        let Some(length) = kept.get(start..).and_then(|it| it.find("*/ ")) else { break };
        kept.replace_range(start..start + length + "*/ ".len(), "");
    }
    kept
}

/// All files at or below `path`, each with its name inside the plugin.
fn collect(path: &Path, name: &Path, files: &mut Vec<(PathBuf, PathBuf)>) -> Result<()> {
    if !path.is_dir() {
        files.push((path.to_path_buf(), name.to_path_buf()));
        return Ok(());
    }
    for entry in std::fs::read_dir(path).with_context(|| format!("cannot list {}", name.display()))? {
        let entry = entry.context("cannot list a folder")?;
        collect(&entry.path(), &name.join(entry.file_name()), files)?;
    }
    Ok(())
}

/// Prints the table of sizes and compares it with the budgets.
fn sizes(plugin: &Path) -> Result<String> {
    let modules = MODULES
        .iter()
        .flat_map(|(name, when)| [(format!("{name}.js"), *when), (format!("{name}_bg.wasm"), *when)]);
    let texts = TEXTS.iter().map(|(name, when)| ((*name).to_owned(), *when));
    let (mut at_start, mut of_panel, mut of_playground, mut of_agents, mut of_actions) = (0, 0, 0, 0, 0);
    println!("{:18} {:>9} {:>9}", "file", "bytes", "gzip");
    for (file, when) in modules.chain(texts) {
        let bytes = std::fs::read(plugin.join(&file)).with_context(|| format!("{file} was not assembled"))?;
        let packed = gzip(&bytes)?;
        println!("{file:18} {:>9} {packed:>9}", bytes.len());
        match when {
            When::Start => at_start += packed,
            When::Panel => of_panel += packed,
            When::Playground => of_playground += packed,
            When::Agents => of_agents += packed,
            When::Action => of_actions += packed,
        }
    }
    let chinese =
        std::fs::read(plugin.join(CHINESE)).with_context(|| format!("{CHINESE} was not assembled"))?;
    println!("{CHINESE:16} {:>9} {:>9}, on Chinese pages only", chinese.len(), gzip(&chinese)?);
    let parts = [
        ("until the panel is opened", at_start, BUDGET_AT_START),
        ("added by the panel", of_panel, BUDGET_OF_PANEL),
        ("added by the playground", of_playground, BUDGET_OF_PLAYGROUND),
        ("added by the agents", of_agents, BUDGET_OF_AGENTS),
        ("added by the first action tried", of_actions, BUDGET_OF_ACTIONS),
    ];
    println!("wasm, glue, script and styles, gzip:");
    for (what, is, most) in parts {
        println!("  {what}: {is} of {most} bytes");
    }
    if parts.iter().any(|(_, is, most)| is > most) {
        bail!("the page's modules are over their size");
    }
    Ok(format!(
        "{at_start} bytes gzip at start, {of_panel} more with the panel, {of_playground} more with the playground, {of_agents} more with the runs, {of_actions} more with the actions"
    ))
}

/// Bytes after gzip at its default level, as a web server sends them.
fn gzip(bytes: &[u8]) -> Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_made_again_when_it_or_its_tools_change() {
        let first = fingerprint(b"module", b"lock");
        assert_eq!(first, fingerprint(b"module", b"lock"));
        assert_ne!(first, fingerprint(b"module 2", b"lock"));
        assert_ne!(first, fingerprint(b"module", b"lock2"));
    }

    /// A view that compiles in one way may not compile in the other.
    #[test]
    fn every_build_for_the_page_has_the_same_flags() {
        let shared = include_str!("../../.cargo/config.toml").replace("\\\"", "\"");
        assert!(shared.contains("[target.wasm32-unknown-unknown]"), "{shared}");
        assert!(SMALLER.iter().all(|flag| shared.contains(flag)), "{shared}");
    }

    #[test]
    fn lines_of_comments_are_left_out() {
        let text = "// a\nlet a = /** @type {A | B} */ (1); // stays\n  /** b */\n/* c\n * d\n */\n  /* e */ f()\n\nlet url = `https://x\n  y`;\n  g();\n";
        assert_eq!(
            without_comments(text),
            "let a = (1); // stays\n/* e */ f()\nlet url = `https://x\n  y`;\ng();\n"
        );
        for name in AT_START {
            let text = std::fs::read_to_string(format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            let short = without_comments(&text);
            assert!(short.len() < text.len() && short.contains("pup-mount"), "{name}");
        }
    }

    #[test]
    fn gzip_counts_what_travels() {
        assert!(gzip(&[b'a'; 10_000]).unwrap() < 100);
    }
}
