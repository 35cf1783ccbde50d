//! The imports of every crate as a graph, and a test that fails when a new circle appears in it.
//!
//! A node is a file. An arrow leads from a file to the file that defines a name it uses: in a `use`, in a path of the
//! code or in the arguments of a macro, so `registry!` counts. Re-exports are followed to the definition and are not
//! arrows themselves. Unit tests and the output of derives are left out.
//!
//! The rule: a module and its submodules count as one as long as the submodules name only items that the module's own
//! file defines. Arrows into the top of such a family are therefore dropped, and the rest of the family must be free of
//! circles by the same rule. The crate root is the top of its crate. A circle that passes through a file outside the
//! family has no top, and fails.
//!
//! The same rule one floor up: the top-level modules of a crate in [`LAYERED`] lie in layers, so no two of them reach
//! each other. A module is a folder with its file, whatever its files name, and the crate root is none of them.
//!
//! [`ALLOWED`] lists the arrows that may close a circle for a while, each with its reason; there are none today. An
//! entry that closes none fails as well. `cargo test -p package-zip-recipe circles -- --nocapture` prints the graph
//! by top-level modules, and the modules that reach each other.

pub(crate) mod imports;

use crate::house::House;
use imports::{Arrows, Modules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// An arrow that closes a circle: its start, its end, and the reason why it exists.
type AllowedArrow<'a> = (&'a str, &'a str, &'a str);

/// The arrows that close a circle.
const ALLOWED: &[AllowedArrow<'_>] = &[];

/// The roots of the crates whose top-level modules lie in layers.
const LAYERED: &[&str] = &["core/src/lib.rs"];

/// Groups of files, or of modules, that can all reach each other.
fn knots(arrows: &Arrows) -> Vec<BTreeSet<String>> {
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows.keys() {
        named.entry(from).or_default().push(to);
    }
    let reached = |from| {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = vec![from];
        while let Some(at) = open.pop() {
            open.extend(named.get(at).into_iter().flatten().copied().filter(|to| seen.insert(*to)));
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> = named.keys().map(|file| (*file, reached(file))).collect();
    let knot = |(file, reached): (&&str, &BTreeSet<&str>)| -> BTreeSet<String> {
        let is_back = |other: &&&str| reach.get(**other).is_some_and(|it| it.contains(file));
        reached.iter().filter(is_back).map(|it| (*it).to_owned()).collect()
    };
    let knots: BTreeSet<BTreeSet<String>> = reach.iter().map(knot).filter(|it| !it.is_empty()).collect();
    knots.into_iter().collect()
}

fn within(arrows: &Arrows, files: &BTreeSet<String>) -> Arrows {
    let is_inside = |(from, to): &(String, String)| files.contains(from) && files.contains(to);
    arrows
        .iter()
        .filter(|(arrow, _)| is_inside(arrow))
        .map(|(arrow, path)| (arrow.clone(), path.clone()))
        .collect()
}

/// Whether the module of one file is a descendant of another's.
fn is_below(file: &str, top: &str) -> bool {
    let (folder, leaf) =
        top.rsplit_once('/').map_or(("", top), |(folder, leaf)| (&top[..=folder.len()], leaf));
    let folder = match leaf {
        "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
        _ => format!("{}/", top.trim_end_matches(".rs")),
    };
    file != top && file.starts_with(&folder)
}

/// The circles that the rule of families does not permit, each with its arrows.
fn circles(arrows: &Arrows) -> Vec<Arrows> {
    let mut found = Vec::new();
    for knot in knots(arrows) {
        let mut inside = within(arrows, &knot);
        let is_top = |top: &&String| knot.iter().all(|file| file == *top || is_below(file, top));
        if let Some(top) = knot.iter().find(is_top) {
            inside.retain(|(_, to), _| to != top);
            found.extend(circles(&inside));
        } else {
            found.push(inside);
        }
    }
    found
}

/// The faults of a crate: circles that are not listed, and entries of the list that close none.
fn complaints(arrows: &Arrows, allowed: &[AllowedArrow<'_>]) -> String {
    let is = |(from, to, _): &AllowedArrow<'_>, arrow: &(String, String)| *from == arrow.0 && *to == arrow.1;
    let without = |kept: Option<&AllowedArrow<'_>>| {
        let is_drawn = |arrow: &(String, String)| {
            kept.is_some_and(|it| is(it, arrow)) || !allowed.iter().any(|it| is(it, arrow))
        };
        let mut drawn = arrows.clone();
        drawn.retain(|arrow, _| is_drawn(arrow));
        circles(&drawn)
    };
    let mut text = String::new();
    for circle in without(None) {
        let _ = writeln!(text, "a circle:");
        for ((from, to), path) in circle {
            let _ = writeln!(text, "  {from} -> {to} by `{path}`");
        }
    }
    for entry in allowed {
        let closes = |circle: &Arrows| circle.keys().any(|arrow| is(entry, arrow));
        if !without(Some(entry)).iter().any(closes) {
            let _ = writeln!(text, "take it out of ALLOWED, it closes no circle: {} -> {}", entry.0, entry.1);
        }
    }
    text
}

/// The arrows between the top-level modules of a crate, each with the files of one import. The root is no module.
fn between_modules(root: &str, arrows: &Arrows) -> Arrows {
    let folder = root.rsplit_once('/').map_or("", |it| it.0);
    let top = |file: &str| -> Option<String> {
        let inside = file.strip_prefix(folder)?.trim_start_matches('/');
        let module = inside.split('/').next()?.trim_end_matches(".rs");
        (file != root).then(|| module.to_owned())
    };
    let mut between = Arrows::new();
    for ((from, to), path) in arrows {
        let (Some(start), Some(end)) = (top(from), top(to)) else { continue };
        if start != end {
            between.entry((start, end)).or_insert_with(|| format!("{path}` in `{from}"));
        }
    }
    between
}

/// Prints the arrows between the top-level modules of a crate, and the groups of modules that reach each other.
fn draw(root: &str, arrows: &Arrows, between: &Arrows) {
    println!("{root}: {} arrows", arrows.len());
    let mut drawn: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in between.keys() {
        drawn.entry(from).or_default().push(to);
    }
    for (from, to) in drawn {
        println!("  {from} -> {}", to.join(", "));
    }
    for knot in knots(between) {
        println!("  {} modules reach each other: {knot:?}", knot.len());
    }
}

/// The groups of modules that reach each other, each with its arrows; empty if the modules lie in layers.
fn climbs(between: &Arrows) -> String {
    let mut text = String::new();
    for knot in knots(between) {
        let _ = writeln!(text, "{} modules reach each other:", knot.len());
        for ((from, to), path) in within(between, &knot) {
            let _ = writeln!(text, "  {from} -> {to} by `{path}`");
        }
    }
    text
}

/// The roots of all crates of the workspace, each with the name it has in its own paths.
pub(crate) fn roots(house: &House) -> Vec<(String, String)> {
    let read = |path: &str| std::fs::read_to_string(house.at(path)).unwrap_or_default();
    let manifest = read("Cargo.toml");
    let members = manifest.split("members = [").nth(1).and_then(|it| it.split(']').next()).unwrap();
    let mut roots = Vec::new();
    for member in members.split('"').skip(1).step_by(2) {
        let manifest = read(&format!("{member}/Cargo.toml"));
        let name = manifest.split("name = \"").nth(1).and_then(|it| it.split('"').next()).unwrap();
        let named = manifest.split("path = \"src/").skip(1).filter_map(|it| it.split('"').next());
        for file in ["lib.rs", "main.rs"].into_iter().chain(named) {
            let path = format!("{member}/src/{file}");
            let is_new = !roots.iter().any(|root: &(String, String)| root.1 == path);
            if is_new && house.at(&path).is_file() {
                roots.push((if file == "lib.rs" { name.replace('-', "_") } else { String::new() }, path));
            }
        }
    }
    roots
}

#[test]
fn no_file_names_one_that_names_it_back() {
    let house = House::find().unwrap();
    let read = |path: &str| std::fs::read_to_string(house.at(path)).ok();
    let mut found = String::new();
    let mut unknown = ALLOWED.to_vec();
    for (name, root) in roots(&house) {
        let modules = Modules::of(&name, &root, &read);
        assert!(!modules.files.is_empty(), "{root} cannot be read");
        let (own, others) = unknown.into_iter().partition(|it| modules.files.iter().any(|file| file == it.0));
        unknown = others;
        let arrows = modules.arrows();
        let between = between_modules(&root, &arrows);
        draw(&root, &arrows, &between);
        found += &complaints(&arrows, &own);
        if LAYERED.contains(&root.as_str()) {
            assert!(!between.is_empty(), "{root} has no modules");
            found += &climbs(&between);
        }
    }
    found.extend(
        unknown.iter().map(|it| format!("take it out of ALLOWED, there is no such file: {}\n", it.0)),
    );
    assert!(found.is_empty(), "\n{found}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a made-up crate, as text; empty if there are none.
    fn drawn(files: &[(&str, &str)]) -> String {
        complaints(&arrows(files), &[])
    }

    fn arrows(files: &[(&str, &str)]) -> Arrows {
        let read = |path: &str| files.iter().find(|it| it.0 == path).map(|it| it.1.to_owned());
        Modules::of("own_name", "lib.rs", &read).arrows()
    }

    const ROOT: (&str, &str) = ("lib.rs", "mod a; mod b; mod list;");
    const LEAF: (&str, &str) = ("list.rs", "");

    #[test]
    fn two_files_that_name_each_other_are_a_circle_however_they_do_it() {
        for way in [
            "use crate::b::B;",
            "use super::b;\nfn f() { b::make(); }",
            "use super::{b::{self, B}};",
            "use crate::b::*;",
            "fn f(b: crate::b::B) {}",
            "fn f() -> Option<super::b::B> { None }",
            "list! { crate::b::B, }",
            "macro_rules! list { ($it:path) => { $crate::b::B::new($it) }; }",
            "#[with(crate::b::make)]\nstruct A;",
            "mod inner { use super::super::b::B; }",
            "use own_name::b::B as Other;",
        ] {
            let text = drawn(&[ROOT, LEAF, ("a.rs", way), ("b.rs", "use crate::a::A; pub struct B;")]);
            assert!(text.contains("a.rs -> b.rs") && text.contains("b.rs -> a.rs"), "{way}: {text}");
            assert_eq!(drawn(&[ROOT, LEAF, ("a.rs", way), ("b.rs", "pub struct B;")]), "", "{way}");
        }
    }

    #[test]
    fn a_re_export_is_followed_and_names_nothing_itself() {
        let user = ("a.rs", "use crate::list::B;");
        let list = ("list.rs", "pub use crate::b::B;");
        let text = drawn(&[ROOT, list, user, ("b.rs", "use crate::a::A;")]);
        assert!(text.contains("a.rs -> b.rs") && !text.contains("list.rs"), "{text}");
        assert_eq!(drawn(&[ROOT, list, ("a.rs", ""), ("b.rs", "use crate::list::Leaf;")]), "");
        let needed = ("list.rs", "pub use crate::b::B; fn f(b: B) {}");
        let text = drawn(&[ROOT, needed, ("a.rs", ""), ("b.rs", "use crate::list::Leaf;")]);
        assert!(text.contains("list.rs -> b.rs"), "{text}");
    }

    #[test]
    fn what_is_for_tests_or_from_outside_is_no_arrow() {
        let text = "#[cfg(test)]\nuse crate::b::B;\n#[cfg(test)]\nmod tests { use crate::b::B; }\n\
            use b2::b::B; use std::fmt::b; pub(super) fn f(b: &str) { b.len(); }";
        assert_eq!(drawn(&[ROOT, LEAF, ("a.rs", text), ("b.rs", "use crate::a::f;")]), "");
    }

    #[test]
    fn a_module_and_its_own_submodules_count_as_one_and_nobody_else_does() {
        let root = ("lib.rs", "mod a; mod b; pub struct Root; fn f() { a::start(); b::start(); }");
        let parent = ("a.rs", "mod one; mod two; pub struct A; fn f() { one::g(); two::g(); }");
        let (one, two) = (("a/one.rs", "use super::A; use crate::Root;"), ("a/two.rs", "use super::A;"));
        let other = ("b.rs", "");
        assert_eq!(drawn(&[root, parent, one, two, other]), "");
        let sister = ("a/one.rs", "use super::A; use super::two::h;");
        assert_eq!(drawn(&[root, parent, sister, two, other]), "", "one of them is below the other");
        let text = drawn(&[root, parent, sister, ("a/two.rs", "use super::A; use super::one::g;"), other]);
        assert!(text.contains("a/one.rs -> a/two.rs") && !text.contains("a.rs by"), "{text}");
        let text =
            drawn(&[root, parent, ("a/one.rs", "use crate::b::B;"), two, ("b.rs", "use crate::a::A;")]);
        assert!(text.contains("b.rs -> a.rs"), "a stranger in between: {text}");
    }

    #[test]
    fn an_entry_of_the_list_holds_for_its_circle_and_no_longer() {
        let circle = [ROOT, LEAF, ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::A;")];
        let entry = ("a.rs", "b.rs", "why");
        assert_eq!(complaints(&arrows(&circle), &[entry]), "");
        for gone in ["", "fn f() {}"] {
            let text = complaints(&arrows(&[ROOT, LEAF, ("a.rs", gone), circle[3]]), &[entry]);
            assert!(text.contains("take it out of ALLOWED") && text.contains("a.rs -> b.rs"), "{text}");
        }
        let text = complaints(&arrows(&[ROOT, LEAF, circle[2], ("b.rs", "")]), &[entry]);
        assert!(text.contains("take it out"), "the arrow is there, the circle is not: {text}");
    }

    /// No circle of files, yet one of modules: each of the two folders has a file that names the other folder.
    #[test]
    fn modules_that_reach_each_other_are_found_though_their_files_do_not() {
        let root = ("lib.rs", "mod a; mod b; pub struct Root; fn f() { a::start(); }");
        let (a, b) =
            (("a.rs", "mod low; mod high; use crate::Root;"), ("b.rs", "mod inner; use crate::Root;"));
        let (low, high) = (("a/low.rs", "pub struct Low;"), ("a/high.rs", "use crate::b::inner::B;"));
        let inner = ("b/inner.rs", "use crate::a::low::Low; pub struct B;");
        let tied = arrows(&[root, a, low, high, b, inner]);
        assert_eq!(complaints(&tied, &[]), "");
        let text = climbs(&between_modules("lib.rs", &tied));
        assert!(text.contains("a -> b by `crate::b::inner::B` in `a/high.rs`"), "{text}");
        assert!(text.contains("b -> a by `crate::a::low::Low` in `b/inner.rs`"), "{text}");
        let untied = arrows(&[root, a, low, high, b, ("b/inner.rs", "pub struct B;")]);
        assert_eq!(climbs(&between_modules("lib.rs", &untied)), "");
    }

    #[test]
    fn a_raw_name_and_a_folder_with_mod_rs_are_found() {
        let files = [
            ("lib.rs", "mod a; mod r#move;"),
            ("a.rs", "use crate::r#move::Move;"),
            ("move/mod.rs", "mod inner; pub struct Move;"),
            ("move/inner.rs", "use crate::a::A;"),
        ];
        let arrows = arrows(&files);
        let files: Vec<_> = arrows.keys().map(|(from, to)| format!("{from} {to}")).collect();
        assert_eq!(files, ["a.rs move/mod.rs", "move/inner.rs a.rs"]);
    }
}
