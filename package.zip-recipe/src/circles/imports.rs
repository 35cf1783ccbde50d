//! The reader of imports: the modules of a crate, and the arrows between their files.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, UseTree};

/// Pairs of files, each with one path that connects them.
pub(super) type Arrows = BTreeMap<(String, String), String>;

/// The segments of a path: `crate`, `registry`, `ACTIONS`.
type Segments = Vec<String>;

/// The index of a module in [`Modules`].
type ModuleId = usize;

/// A module: a file, or a part of a file.
#[derive(Default)]
struct Module {
    file: usize,
    parent: Option<ModuleId>,
    children: BTreeMap<String, ModuleId>,
    /// The names that `use` imports, with their paths.
    imports: BTreeMap<String, Segments>,
    /// The imported names that are re-exported.
    re_exports: BTreeSet<String>,
    /// The identifiers used on their own: a re-export among them is one that the module itself needs.
    words: BTreeSet<String>,
    /// The modules from which `use` imports everything.
    globs: Vec<Segments>,
    /// Every other path.
    paths: Vec<Segments>,
}

impl Module {
    fn import(&mut self, tree: &UseTree, prefix: &mut Segments) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.unraw().to_string());
                self.import(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, prefix)),
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
            UseTree::Name(name) if name.ident == "self" => {
                self.imports.extend(prefix.last().cloned().map(|alias| (alias, prefix.clone())));
            }
            UseTree::Name(name) => {
                let name = name.ident.unraw().to_string();
                self.imports.insert(name.clone(), [&prefix[..], &[name]].concat());
            }
            UseTree::Rename(rename) => {
                let path = [&prefix[..], &[rename.ident.unraw().to_string()]].concat();
                // Several imports may be named `_`.
                self.paths.push(path.clone());
                self.imports.insert(rename.rename.unraw().to_string(), path);
            }
        }
    }

    /// Collects the paths in tokens that syn does not parse: the arguments of macros and attributes.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path = Segments::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.keep(std::mem::take(&mut path));
                    }
                    path.push(word.unraw().to_string());
                }
                TokenTree::Group(group) => {
                    self.keep(std::mem::take(&mut path));
                    self.scan(group.stream());
                }
                _ => self.keep(std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.keep(path);
    }

    fn keep(&mut self, mut path: Segments) {
        match path.len() {
            0 => {}
            1 => self.words.extend(path.pop()),
            _ => self.paths.push(path),
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    /// Skipped: [`Modules::fill`] reads modules.
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    /// Skipped: `pub(super)` is not a dependency.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let before: BTreeSet<String> = self.imports.keys().cloned().collect();
        self.import(&item.tree, &mut Segments::new());
        if !matches!(item.vis, syn::Visibility::Inherited) {
            self.re_exports.extend(self.imports.keys().filter(|it| !before.contains(*it)).cloned());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.keep(path.segments.iter().map(|it| it.ident.unraw().to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.scan(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.scan(list.tokens.clone());
        }
    }
}

/// The attributes of an item.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

/// Whether an item is compiled for tests only.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|it| it.path().is_ident("cfg")).any(|cfg| {
        let Meta::List(list) = &cfg.meta else { return false };
        let text = list.tokens.to_string();
        text == "test" || text.starts_with("all") && text.contains("test")
    })
}

/// The end of a path: a module, or an item that a module defines.
#[derive(Clone, Copy)]
enum Target {
    Module(ModuleId),
    Item(ModuleId),
}

/// The modules of one crate, starting at its root.
pub(crate) struct Modules<'a> {
    /// The crate's name in its own paths; empty for a binary.
    own_name: &'a str,
    read: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) files: Vec<String>,
    all: Vec<Module>,
}

impl<'a> Modules<'a> {
    /// Reads a crate, starting at its root file.
    pub(crate) fn of(own_name: &'a str, root: &str, read: &'a dyn Fn(&str) -> Option<String>) -> Modules<'a> {
        let mut modules = Modules { own_name, read, files: Vec::new(), all: Vec::new() };
        let folder = root.rsplit_once('/').map_or("", |it| it.0);
        modules.add_file(root, folder, None);
        modules
    }

    /// Adds the module of a file whose own modules are in `folder`.
    fn add_file(&mut self, path: &str, folder: &str, parent: Option<ModuleId>) -> Option<ModuleId> {
        let parsed = syn::parse_file(&(self.read)(path)?).unwrap_or_else(|error| panic!("{path}: {error}"));
        self.files.push(path.to_owned());
        let id = self.all.len();
        self.all.push(Module { file: self.files.len() - 1, parent, ..Module::default() });
        self.fill(id, &parsed.items, folder);
        Some(id)
    }

    fn fill(&mut self, id: ModuleId, items: &[Item], folder: &str) {
        for item in items {
            let Item::Mod(module) = item else {
                self.all[id].visit_item(item);
                continue;
            };
            if is_for_tests(&module.attrs) {
                continue;
            }
            let name = module.ident.unraw().to_string();
            let below = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let child = if let Some((_, items)) = &module.content {
                let child = self.all.len();
                self.all.push(Module { file: self.all[id].file, parent: Some(id), ..Module::default() });
                self.fill(child, items, &below);
                child
            } else {
                self.add_file(&format!("{below}.rs"), &below, Some(id))
                    .or_else(|| self.add_file(&format!("{below}/mod.rs"), &below, Some(id)))
                    .unwrap_or_else(|| panic!("there is no file for module {below}"))
            };
            self.all[id].children.insert(name, child);
        }
    }

    /// Follows a path to its end; `None` outside this crate. `hops` bounds imports that refer to each other.
    fn target(&self, from: ModuleId, path: &[String], hops: usize) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.all[from].parent?,
            name if name == self.own_name => 0,
            _ => {
                rest = path;
                from
            }
        };
        while let Some((name, behind)) = rest.split_first() {
            if name == "super" {
                at = self.all[at].parent?;
            } else if let Some(child) = self.all[at].children.get(name) {
                at = *child;
            } else if let Some(import) = self.all[at].imports.get(name).filter(|it| it.as_slice() != path) {
                match self.target(at, import, hops.checked_sub(1)?)? {
                    Target::Module(module) => at = module,
                    item @ Target::Item(_) => return Some(item),
                }
            } else {
                // A first segment that is neither an import nor a module comes from another crate.
                return (rest.len() < path.len() || at != from).then_some(Target::Item(at));
            }
            rest = behind;
        }
        Some(Target::Module(at))
    }

    /// Every arrow between two files.
    pub(super) fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (id, module) in self.all.iter().enumerate() {
            let mut draw = |target: ModuleId, path: &Segments| {
                let (from, to) = (&self.files[module.file], &self.files[self.all[target].file]);
                if from != to {
                    arrows.entry((from.clone(), to.clone())).or_insert_with(|| path.join("::"));
                }
            };
            let is_needed = |name: &String| !module.re_exports.contains(name) || module.words.contains(name);
            let imports = module.imports.iter().filter(|it| is_needed(it.0)).map(|it| it.1);
            for path in imports.chain(&module.paths) {
                // An imported module counts through the paths that pass it.
                if let Some(Target::Item(target)) = self.target(id, path, 16) {
                    draw(target, path);
                }
            }
            for path in &module.globs {
                let Some(Target::Module(target) | Target::Item(target)) = self.target(id, path, 16) else {
                    continue;
                };
                draw(target, path);
                for import in self.all[target].imports.values() {
                    if let Some(Target::Item(source)) = self.target(target, import, 16) {
                        draw(source, import);
                    }
                }
            }
        }
        arrows
    }
}
