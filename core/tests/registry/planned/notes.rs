//! The plan of `fs`, `notebook` and `document`: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 3] =
    [(Tool::Fs, FS), (Tool::Notebook, NOTEBOOK), (Tool::Document, DOCUMENT)];

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

const DOCUMENT: &str = "\
titles [text] Titles, each by the rules of create.
create bool Whether missing ones are created.
id id The document.
start int:0..1000000 Number of the first top-level block.
limit int:1..1000 Most items.
cursor text The `next` of an earlier answer, to go on there.
tail int:1..100 The last n blocks instead.
section text Only the section under this heading (its text or id), or `first`.
budget int:100..32000 Approximate most tokens of text.
with_ids bool Whether each block's id stands before it.
depth int:1..6 How many levels are shown.
sort user|title|updated|created|relevance The order.
query text Words in title, name, alias or memo.
under id Only documents below this one.
since text Only what changed since this date.
order [id] Documents from first to last; others follow.
cover text A picture: assets/... or https://...; empty clears.
add_tags [text] Tags to add.
remove_tags [text] Tags to remove.
name text Its name, for references; empty clears.
alias text Other names, separated by commas; empty clears.
memo text A note about it; empty clears.
bookmark text Label of a bookmark; empty clears.
block id A heading or list item.
after id The sibling behind which it goes.
leave_link bool Whether a reference stays where the section was.
target id The block beside which it goes.
position after|before On which side of the target.
version text A token from history.
op all|update|delete|format|sync|replace|outline|clean Only versions saved by this.
ensure(parent|notebook,titles,create?,markdown?) For a list of titles below one place: give the ids of those that exist and create those that do not.
read(id|ids,start?,limit?,cursor?,tail?,section?,budget?,with_ids?) Read a document by id as Markdown, or several at once.
outline(id,depth?,limit?,cursor?) The headings of a document with their levels, ids and block numbers.
list(id|notebook,sort?,depth?,limit?,cursor?) List the documents below a document or at the top of a notebook.
search(query?,notebook?,under?,sort?,since?,limit?,cursor?) Find documents by title, name, alias or memo, or list those changed last.
rename(id,title,allow_duplicate?) Change a document's title.
reorder(parent|notebook,order) Set the order of the documents below one document or notebook.
duplicate(id,title?) Copy one document (not what lies below it) beside itself.
set_properties(id,icon?,cover?,tags?,add_tags?,remove_tags?,name?,alias?,memo?,bookmark?) Set a document's icon, cover, tags, name, alias, memo and bookmark.
daily_note(notebook) Open today's daily note of a notebook, creating it from the notebook's template if it is missing.
from_block(block,parent?,notebook?,after?,leave_link?) Turn a heading with its section, or a list item with what is in it, into a document of its own.
to_heading(id,target,position?) Merge a document into another one as a heading with its content.
history(id|notebook,version?,op?,query?,limit?,cursor?,budget?) List the saved versions of a document, or of what was deleted in a notebook; with `version` read one.
restore(id,version) Bring back a saved version of a document, deleted ones too.
";
