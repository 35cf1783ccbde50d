//! The names of types: each is declared once per crate, so that a search for it finds one thing.
//!
//! Tests may repeat names, and so may the types that a trait or an `impl` declares inside. The struct of an action is
//! named after its verb and private to its file, so those do not count either.

use crate::circles::imports::{Modules, attributes, is_for_tests};
use crate::circles::roots;
use crate::house::House;
use crate::tidy::none;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, ForeignItem, Item};

/// The names that a crate may repeat, each with its reason.
const EXCEPTIONS: &[(&str, &str)] = &[("Facts", "the facts of each action's plan, which `Change` names so")];

/// The declarations of a file, without those of tests.
#[derive(Default)]
struct Declarations {
    names: Vec<String>,
    /// The names that have one declaration for each target or feature, and count once.
    conditional: BTreeSet<String>,
}

impl Declarations {
    fn of(text: &str) -> syn::Result<Declarations> {
        let mut found = Declarations::default();
        found.visit_file(&syn::parse_file(text)?);
        Ok(found)
    }

    fn add(&mut self, name: &syn::Ident, attributes: &[Attribute]) {
        let name = name.to_string();
        let is_conditional = attributes.iter().any(|it| it.path().is_ident("cfg"));
        if !is_conditional || self.conditional.insert(name.clone()) {
            self.names.push(name);
        }
    }
}

impl<'ast> Visit<'ast> for Declarations {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = attributes(item);
        if is_for_tests(attributes) {
            return;
        }
        match item {
            Item::Struct(it) if !is_action(attributes) => self.add(&it.ident, attributes),
            Item::Enum(it) => self.add(&it.ident, attributes),
            Item::Union(it) => self.add(&it.ident, &it.attrs),
            Item::Trait(it) => self.add(&it.ident, attributes),
            Item::Type(it) => self.add(&it.ident, attributes),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_foreign_item(&mut self, item: &'ast ForeignItem) {
        if let ForeignItem::Type(it) = item {
            self.add(&it.ident, &it.attrs);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }
}

fn is_action(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| it.path().is_ident("action"))
}

/// The names that several declarations of these files share, with the files.
fn repeated(files: &[(String, String)]) -> Vec<String> {
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (file, text) in files {
        let found = Declarations::of(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        for name in found.names {
            all.entry(name).or_default().push(file);
        }
    }
    all.retain(|name, files| files.len() > 1 && !EXCEPTIONS.iter().any(|it| it.0 == name));
    all.iter().map(|(name, files)| format!("{name}: {}", files.join(", "))).collect()
}

#[test]
fn a_type_name_is_declared_once_per_crate() {
    let house = House::find().unwrap();
    let read = |path: &str| std::fs::read_to_string(house.at(path)).ok();
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, root) in roots(&house) {
        let folder = root.split("/src/").next().unwrap_or_default().to_owned();
        crates.entry(folder).or_default().extend(Modules::of(&name, &root, &read).files);
    }
    assert!(crates.len() > 8, "{} crates", crates.len());
    let found = crates.into_values().flat_map(|files| {
        let texts = files.into_iter().map(|file| (file.clone(), read(&file).unwrap_or_default()));
        repeated(&texts.collect::<Vec<_>>())
    });
    none("give these types names of their own", &found.collect::<Vec<_>>());
}

#[test]
fn repeated_names_are_found_wherever_they_are_declared() {
    let shared = |one: &str, other: &str| {
        let files = [("a.rs", one), ("b.rs", other)];
        repeated(&files.map(|(file, text)| (file.to_owned(), text.to_owned()))).join("\n")
    };
    for other in [
        "struct State;",
        "pub enum State {}",
        "trait State {}",
        "type State = u8;",
        "union State { a: u8 }",
        "mod inner { pub(super) struct State; }",
        "fn f() { struct State; }",
        "#[cfg(unix)]\nstruct State;",
        "extern \"C\" { type State; }",
    ] {
        assert_eq!(shared("pub struct State { at: u8 }", other), "State: a.rs, b.rs", "{other}");
    }
    assert_eq!(shared("struct State; mod inner { enum State {} }", ""), "State: a.rs, a.rs");
    for other in [
        "#[cfg(test)]\nmod tests { struct State; }",
        "#[cfg(test)]\nstruct State;",
        "#[action(state.show)]\nstruct State { at: u8 }",
        "trait Plan { type State; }",
        "impl Plan for u8 { type State = u8; }",
        "enum Load { State }",
        "fn f() { let state: State = g(); }",
    ] {
        assert_eq!(shared("struct State;", other), "", "{other}");
    }
    assert_eq!(shared("#[cfg(unix)]\ntype Handle = u8;\n#[cfg(not(unix))]\ntype Handle = u16;", ""), "");
    assert_eq!(shared("struct Facts;", "struct Facts;"), "");
}
