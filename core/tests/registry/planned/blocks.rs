//! The plan of `block` and `av`: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 2] = [(Tool::Block, BLOCK), (Tool::Av, AV)];

const BLOCK: &str = "\
count_refs bool Whether references to it are counted.
limit int:1..500 Most items.
tail int:1..100 The last n blocks instead.
types [text] Only these types of blocks, such as h, t or av.
notebook notebook Only in this notebook, by id or exact name.
since text Only what changed since this date.
target id The block beside or into which it goes.
position before|after|first|last Beside the target, or as its first or last child.
inserts [{target:id,position?:before|after|first|last,markdown:text}] Several places, each with its text.
edits [{old:text,new:text,all?:bool}] Replacements, made in this order.
after id The heading to follow, with its section.
into id The heading to become the first subsection of.
level int:1..6 The new level.
state done|open Whether the task is done.
marker text One ASCII character in the box instead.
folded bool Whether it is to be folded.
names [text] Only these attributes.
attrs object Attribute names with their values; null removes.
attr_updates [{id:id,attrs:object}] Several blocks, each with its attributes.
each bool Whether each block is counted by itself.
from id The block that references point to now.
to id The block they shall point to.
refs [id] Only references in these blocks.
ref id The block that holds the reference.
at_start bool Whether it goes to the start of the note.
info(id,count_refs?) Where a block stands: type, document, notebook, ancestors, neighbours, how deep, how often referenced.
list(id,limit?,cursor?,tail?,types?) List the child blocks of a document, heading, list, quote or super block.
recent(notebook?,since?,limit?) Blocks changed last, grouped by document.
insert(target+position?+markdown|inserts) Insert Markdown before or after a block, or as the first or last child of a container.
prepend(id,markdown) Add Markdown at the start of a document or container.
edit(id,edits,expect?) Replace exact strings inside one block.
move(ids,target,position?) Move blocks, in the given order, before or after a block or into a container.
move_section(id,after?,into?) Move a heading with its whole section behind or into another section, adapting levels.
set_heading_level(id,level) Change the level of a heading, its subheadings follow.
set_task(ids,state|marker) Tick, untick or mark task list items.
fold(id,folded) Fold or unfold a heading, list, item, quote or super block.
get_attrs(ids,names?) Read the attributes of blocks or documents.
set_attrs(id+attrs|attr_updates) Set or remove attributes: name, alias, memo, bookmark, style and your own (custom-...).
word_count(ids,each?) Count words, characters, links, images and references of blocks or documents.
transfer_refs(from,to,refs?) Make references to one block point to another.
swap_ref(ref,id,section?) Put a block in the place of a reference to it, and leave a reference where it was.
add_to_daily_note(notebook,markdown,at_start?) Add Markdown to today's daily note, creating the note if needed.
";

const AV: &str = "\
query text Only what contains this.
notebook notebook Only in this notebook, by id or exact name.
limit int:1..200 Most items.
cursor text The `next` of an earlier answer, to go on there.
only_columns [text] Only these columns, by name or id.
row_ids [id] Only these rows.
budget int:100..32000 About how many tokens of text.
blocks [id] Ids of blocks or documents.
parent id The document at whose end it goes.
after id The block behind which it goes.
name text The name.
columns [{name:text,type:text,options?:[text]}] Columns after the primary one.
rows [{block?:id,title?:text,cells?:object}] Rows: a block to bind or a title, with cells by column.
layout table|gallery|kanban How rows are shown.
in_group text The group they go into.
after_row id The row behind which they go.
column text Name or id of the column.
type text|number|date|select|mSelect|url|email|phone|mAsset|template|created|updated|checkbox|relation|rollup|lineNumber The type.
after_column text The column behind which it goes.
icon text An emoji, its code points in hex (1f331), or emojis/<file>.
options [{name:text,color?:int:1..14,description?:text}] Options of a select; the whole list.
format text How numbers are shown.
template text Template of a computed column.
relation {id:id,two_way?:bool,back_name?:text} The database that cells link to.
rollup {relation:text,column:text,calc?:text} What is computed over a relation.
description text A sentence about the column.
remove_back_column bool Whether the other side of a two-way relation goes too.
filters object Conditions {and|or: [{column, is, value}]}; [] clears.
sorts [{column:text,order:asc|desc}] Columns to sort by, in this order.
group object Column and how it groups; null ungroups.
hidden [text] Columns that are not shown.
order [text] Columns from first to last; others follow.
calc object Operator by column.
page_size int:1..500 Rows a page.
show bool Whether the block shows this view from now on.
with_rows bool Whether rows are copied too.
search(query?,notebook?,limit?,cursor?) Find databases by name.
list_rows(id,view?,query?,only_columns?,row_ids?,limit?,cursor?,budget?) List rows with their cells, filtered and sorted as the view says.
find_rows(blocks) Tell which databases a block is a row of, and with which cells.
create(parent|after,name,columns?,rows?,layout?) Create a database in a document, with columns, and optionally rows.
rename(id,name) Rename a database.
add_rows(id,rows,view?,in_group?,after_row?) Add rows: existing blocks, or detached rows with a title; cells can be given at once.
remove_rows(id,row_ids) Remove rows; the blocks of bound rows stay, the cells are lost.
add_column(id,name,type,after_column?,icon?,options?,format?,template?,relation?,rollup?) Add a column of any type but `block`.
update_column(id,column,name?,description?,icon?,type?,options?,format?,template?,relation?,rollup?,after_column?) Change a column: name, description, icon, type, options, format, template, relation, rollup, position.
remove_column(id,column,remove_back_column?) Remove a column with all its values.
add_view(id,layout,name,filters?,sorts?,group?,hidden?,order?,calc?,page_size?,show?) Add a view (table, board, gallery).
update_view(id,view?,name?,layout?,filters?,sorts?,group?,hidden?,order?,calc?,page_size?,show?) Change a view: name, layout, filters, sorting, grouping, columns shown and their order, calculations, page size.
remove_view(id,view) Remove a view; rows and columns stay.
duplicate(id,after?,with_rows?) Copy a database as a new one, after a block.
";
