//! Documents as zips: one Markdown file each, together with the assets that it shows.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use regex::Regex;
use serde_json::json;

use super::markdown::{self, Files, MarkdownOptions, References};
use super::pack::{Pack, file_name, folder_name};
use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::asset;
use crate::kernel::Kernel;
use crate::markdown::Kind;
use crate::store::{Db, Tree};

/// The asset links of exported Markdown.
static ASSET: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:\]\(|src=")(assets/[^)"\s]+)"#).ok());

/// The attributes that every document has; one with any other attribute is not empty.
const OWN_ATTRS: [&str; 4] = ["id", "title", "type", "updated"];

/// The options of a caller, with defaults from the kernel's settings.
#[derive(Debug)]
struct ExportOptions {
    references: References,
    quote_embeds: bool,
    title: bool,
    front_matter: bool,
    below: bool,
    related: bool,
    remove_ids: bool,
}

impl ExportOptions {
    fn read(args: &Args) -> Result<ExportOptions, Refusal> {
        let flag = |name: &str, default: bool| match args.get(name) {
            None => Ok(default),
            Some(given) => given.as_bool().ok_or_else(Refusal::panicked),
        };
        let number = |name: &str, default: i64| match args.get(name) {
            None => Ok(default),
            Some(given) => given.as_f64().map(|n| n as i64).ok_or_else(Refusal::panicked),
        };
        let marks = ["blockRefTextLeft", "blockRefTextRight", "tagOpenMarker", "tagCloseMarker"];
        if marks.iter().any(|name| args.get(name).is_some()) {
            return Err(Refusal::not_here("marks around references and tags in exports"));
        }
        Ok(ExportOptions {
            references: References::of_mode(number("blockRefMode", 4)?),
            quote_embeds: number("blockEmbedMode", 1)? != 0,
            title: flag("addTitle", true)?,
            front_matter: flag("markdownYFM", false)?,
            below: flag("includeSubDocs", true)?,
            related: flag("includeRelatedDocs", false)?,
            remove_ids: flag("removeAssetsID", false)?,
        })
    }
}

pub(in crate::endpoints) fn many(kernel: &Kernel, args: &Args) -> Outcome {
    of_documents(kernel, &args.texts("ids")?, ".md", &ExportOptions::read(args)?)
}

/// The export to another format where Pandoc is not installed: folders and assets only.
pub(in crate::endpoints) fn converted(kernel: &Kernel, args: &Args, end: &str) -> Outcome {
    of_documents(kernel, &[args.field_filled("id")?], end, &ExportOptions::read(&Args::default())?)
}

/// The first of the documents, and all of them, on request with those below.
pub(super) fn gather(db: &Db<'_>, ids: &[&str], below: bool) -> Result<(Tree, Vec<Tree>), Refusal> {
    // The real handler uses the first without checking that it exists.
    let first = ids.first().map(|id| db.tree_of(id)).transpose()?.flatten();
    let first = first.ok_or_else(Refusal::panicked)?;
    let mut trees = Vec::new();
    for id in ids {
        let Some(tree) = db.tree_of(id)? else { continue };
        let below = match (below, tree.is_notebook()) {
            (false, _) => Vec::new(),
            (true, false) => db.trees_below(&tree)?,
            (true, true) => db.trees_in(&tree.notebook)?,
        };
        trees.push(tree);
        trees.extend(below);
    }
    Ok((first, trees))
}

fn of_documents(kernel: &Kernel, ids: &[&str], end: &str, export: &ExportOptions) -> Outcome {
    let (first, trees) = kernel.store.read(|db| {
        let (first, trees) = gather(db, ids, export.below)?;
        Ok((first, with_related(db, trees, export)?))
    })?;
    let zip = write(kernel, &trees, first.title(), end, export)?;
    Ok(json!({ "name": first.id(), "zip": zip }))
}

pub(in crate::endpoints) fn notebook(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.field_filled("notebook")?;
    let export = ExportOptions::read(args)?;
    let open = kernel.store.read(|db| {
        let Some(notebook) = db.notebook(id)?.filter(|notebook| !notebook.closed) else { return Ok(None) };
        Ok(Some((notebook.name, with_related(db, db.trees_in(id)?, &export)?)))
    })?;
    let Some((name, trees)) = open else { return Ok(json!({ "name": ".", "zip": "" })) };
    let zip = write(kernel, &trees, &name, ".md", &export)?;
    Ok(json!({ "name": zip.trim_start_matches("/export/"), "zip": zip }))
}

/// Each document once, and on request those that they refer to.
fn with_related(db: &Db<'_>, trees: Vec<Tree>, export: &ExportOptions) -> Result<Vec<Tree>, Refusal> {
    let mut seen = HashSet::new();
    let mut out: Vec<Tree> = trees.into_iter().filter(|tree| seen.insert(tree.id().to_owned())).collect();
    let mut at = 0;
    while let Some(tree) = out.get(at).filter(|_| export.related) {
        for id in markdown::targets_of(tree) {
            out.extend(db.tree_of(&id)?.filter(|tree| seen.insert(tree.id().to_owned())));
        }
        at += 1;
    }
    Ok(out)
}

/// The path of a document in the export: its titles as names, without an extension.
fn place(db: &Db<'_>, tree: &Tree) -> Result<String, Refusal> {
    let path = if tree.is_notebook() { format!("/{}", tree.title()) } else { db.hpath(&tree.path)? };
    Ok(path.split('/').map(file_name).collect::<Vec<_>>().join("/"))
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The targets of a document's references, relative to its file.
fn links(db: &Db<'_>, tree: &Tree, end: &str) -> Result<HashMap<String, String>, Refusal> {
    let own = place(db, tree)?;
    let from = folder_of(&own);
    let mut links = HashMap::new();
    for id in markdown::targets_of(tree) {
        let Some(target) = db.tree_of(&id)? else { continue };
        let path = place(db, &target)? + end;
        let at = if target.id() == id { String::new() } else { format!("#{id}") };
        links.insert(id, relative(from, &path) + &at);
    }
    Ok(links)
}

/// A path as seen from a folder. Beside a document at the top it stays as it is, as in the real kernel.
fn relative(from: &str, path: &str) -> String {
    if folder_of(path) == from {
        return if from.is_empty() { path } else { path.rsplit('/').next().unwrap_or(path) }.to_owned();
    }
    let split = |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (from, path) = (split(from), split(path));
    let same = from.iter().zip(&path).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - same);
    up.chain(path.into_iter().skip(same)).collect::<Vec<_>>().join("/")
}

/// Writes the zip and returns its path.
fn write(
    kernel: &Kernel,
    trees: &[Tree],
    name: &str,
    end: &str,
    export: &ExportOptions,
) -> Result<String, Refusal> {
    let targets: Vec<String> = trees.iter().flat_map(markdown::targets_of).collect();
    let mut pack = Pack::default();
    let mut assets = Assets { remove_ids: export.remove_ids, new_of: HashMap::new() };
    for tree in trees {
        let (place, links, is_empty) = kernel.store.read(|db| {
            Ok((place(db, tree)?, links(db, tree, end)?, is_empty(db, tree)? && !export.front_matter))
        })?;
        let options = MarkdownOptions {
            references: export.references,
            quote_embeds: export.quote_embeds,
            title: export.title,
            image_tags: false,
            lift_headings: false,
            files: Some(Files { links, targets: targets.clone() }),
        };
        let mut text = markdown::of(kernel, tree, tree.id(), &options)?;
        if export.front_matter {
            text = super::front_matter(tree) + &text;
        }
        let place = place.trim_start_matches('/');
        let short = place.rsplit('/').next().unwrap_or(place);
        let mut path = PathBuf::from(format!("{}{end}", if trees.len() == 1 { short } else { place }));
        if pack.get(&path).is_some_and(|other| other != text.as_bytes()) {
            path = PathBuf::from(format!("{place}-{}{end}", tree.id()));
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        pack.add_folder(&folder);
        if is_empty {
            continue;
        }
        let text = assets.take(kernel, text, &folder, &mut pack);
        if end == ".md" {
            pack.add(path, text.into_bytes());
        }
    }
    pack.publish(kernel, &format!("{}{end}.zip", folder_name(name)))
}

/// Whether a document only contains others.
fn is_empty(db: &Db<'_>, tree: &Tree) -> Result<bool, Refusal> {
    let bare = tree.root.attrs.iter().all(|(name, _)| OWN_ATTRS.contains(&name));
    let blank = tree.root.children.iter().all(|node| node.kind == Kind::Paragraph && node.spans.is_empty());
    Ok(bare
        && blank
        && db.count_below(&tree.notebook, &tree.folder())? > 0
        && db.references_to(tree.id(), true)?.is_empty())
}

/// The assets of an export by their old paths, with the new ones.
pub(super) struct Assets {
    remove_ids: bool,
    new_of: HashMap<String, String>,
}

impl Assets {
    /// Those whose names stay.
    pub(super) fn as_they_are() -> Assets {
        Assets { remove_ids: false, new_of: HashMap::new() }
    }

    /// Puts the assets that a text shows next to it, and their new paths into the text.
    pub(super) fn take(
        &mut self,
        kernel: &Kernel,
        mut text: String,
        folder: &Path,
        pack: &mut Pack,
    ) -> String {
        let found = ASSET.iter().flat_map(|asset| asset.captures_iter(&text));
        let old: HashSet<String> = found.filter_map(|c| Some(c.get(1)?.as_str().to_owned())).collect();
        for old in old {
            let new = self.new_path(&old);
            let plain = |path: &str| {
                percent_decode_str(asset::used::without_query(path)).decode_utf8_lossy().into_owned()
            };
            let file = asset::find(kernel, &plain(&old)).filter(|file| file.is_file());
            if let Some(bytes) = file.and_then(|file| std::fs::read(file).ok()) {
                pack.add(folder.join(plain(&new)), bytes);
            }
            text = text.replace(&old, &new);
        }
        text
    }

    fn new_path(&mut self, old: &str) -> String {
        if let Some(new) = self.new_of.get(old) {
            return new.clone();
        }
        let short = format!("assets/{}", asset::search::shown_name(old));
        let taken = self.new_of.values().any(|new| *new == short);
        let new = if self.remove_ids && !taken { short } else { old.to_owned() };
        self.new_of.insert(old.to_owned(), new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_links_point_between_files() {
        assert_eq!(relative("/Alpha", "/Alpha.md"), "../Alpha.md");
        assert_eq!(relative("", "/Alpha/Beta.md"), "Alpha/Beta.md");
        assert_eq!(relative("/a/b", "/a/c/d.md"), "../c/d.md");
        assert_eq!(relative("/a", "/a/c.md"), "c.md");
        assert_eq!(relative("", "/c.md"), "/c.md");
    }

    #[test]
    fn assets_with_the_same_name_keep_their_ids() {
        let mut assets = Assets { remove_ids: true, new_of: HashMap::new() };
        let [a, b] = ["assets/x-20261121154820-8all6d9.txt", "assets/x-20261121154821-8all6d9.txt"];
        assert_eq!(assets.new_path(a), "assets/x.txt");
        assert_eq!(assets.new_path(b), b);
        assert_eq!(assets.new_path(a), "assets/x.txt");
    }
}
