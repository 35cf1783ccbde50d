//! The plan of `av`: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 1] = [(Tool::Av, AV)];

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
