//! The plan of `fs` and `notebook`: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 2] = [(Tool::Fs, FS), (Tool::Notebook, NOTEBOOK)];

const FS: &str = "\
pattern text What to look for.
regex bool Whether the pattern is a regular expression (RE2).
ignore_case bool Whether upper and lower case are the same.
context int:0..3 Lines of the same block before and after a hit.
from path Path or id of the document.
to path The new path, or with a trailing / the document or notebook to move it into.
recursive bool Must be true when documents lie below.
grep(path?,pattern,regex?,ignore_case?,context?,limit?,cursor?) Find lines by literal text or regular expression below a path.
info(path) What a path or id is: id, notebook, level, title, times, children, size.
move(from,to) Move or rename a document, with everything below it.
remove(path,recursive?) Delete a document and all documents below it.
";

const NOTEBOOK: &str = "\
open bool Whether it is to be open.
notebooks [text] Ids or names, in the new order.
conf object The settings to change, by the keys that info shows.
confirm_name text The notebook's exact name, as a guard.
level none|r|rw|rwd The new level.
rename(notebook,name) Rename a notebook.
set_icon(notebook,icon) Set or clear a notebook's icon.
set_open_state(notebook,open) Open or close a notebook.
reorder(notebooks) Set the order of the notebooks in the tree.
set_conf(notebook,conf) Change some of a notebook's settings.
remove(notebook,confirm_name) Delete a notebook with all its documents.
get_permissions(notebook?) Show the level you have in each notebook.
set_permission(notebook,level) Change the level of one notebook.
";
