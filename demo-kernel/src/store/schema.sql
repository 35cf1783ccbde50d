-- The tables of both databases: notes.db holds the truth, index.db (main) what callers query.
CREATE TABLE notes.notebook (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, icon TEXT NOT NULL, sort INTEGER NOT NULL,
    sort_mode INTEGER NOT NULL, closed INTEGER NOT NULL, extra TEXT NOT NULL
) STRICT;
CREATE TABLE notes.tree (
    id TEXT PRIMARY KEY, box TEXT NOT NULL, folder TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL,
    sort INTEGER NOT NULL, updated TEXT NOT NULL, root TEXT NOT NULL
) STRICT;
CREATE INDEX notes.tree_path ON tree (box, path);
CREATE INDEX notes.tree_folder ON tree (box, folder);
CREATE INDEX notes.tree_title ON tree (box, title);
-- Which tree a block stands in, and a print of its rows in the index, so that only changed rows are written.
CREATE TABLE notes.node (id TEXT PRIMARY KEY, root TEXT NOT NULL, print INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX notes.node_root ON node (root);
-- Databases, the blocks that show them, and decks of flashcards, as JSON; `changed` grows with every change.
CREATE TABLE notes.document (
    kind TEXT NOT NULL, id TEXT NOT NULL, changed INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Documents whose new title is not yet in the references to them.
CREATE TABLE notes.renamed (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
    id, parent_id, root_id, hash, box, path, hpath, name, alias, memo, tag, content, fcontent, markdown,
    length, type, subtype, ial, sort, created, updated
);
CREATE INDEX blocks_id ON blocks (id);
CREATE INDEX blocks_parent ON blocks (parent_id);
CREATE INDEX blocks_root ON blocks (root_id);
CREATE TABLE spans (id, block_id, root_id, box, path, content, markdown, type, ial);
CREATE INDEX spans_block ON spans (block_id);
CREATE INDEX spans_root ON spans (root_id);
CREATE TABLE refs (
    id, def_block_id, def_block_parent_id, def_block_root_id, def_block_path, block_id, root_id, box, path,
    content, markdown, type
);
CREATE INDEX refs_block ON refs (block_id);
CREATE INDEX refs_def ON refs (def_block_id);
CREATE INDEX refs_def_root ON refs (def_block_root_id);
CREATE TABLE attributes (id, name, value, type, block_id, root_id, box, path);
CREATE INDEX attributes_block ON attributes (block_id);
CREATE TABLE assets (id, block_id, root_id, box, docpath, path, name, title, hash);
CREATE INDEX assets_block ON assets (block_id);
CREATE TABLE file_annotation_refs (
    id, file_path, annotation_id, block_id, root_id, box, path, content, type
);
CREATE TABLE block_embeddings (id, block_id, root_id, box, path, content);
CREATE TABLE stat (key, value);
-- Finds any part of a word, as the real kernel's index does; what is indexed has passed `wide` (see select.rs).
CREATE VIRTUAL TABLE blocks_fts USING fts5 (
    id UNINDEXED, parent_id UNINDEXED, root_id UNINDEXED, hash UNINDEXED, box UNINDEXED, path UNINDEXED,
    hpath UNINDEXED, name, alias, memo, tag, content, fcontent UNINDEXED, markdown UNINDEXED, length UNINDEXED,
    type UNINDEXED, subtype UNINDEXED, ial UNINDEXED, sort UNINDEXED, created UNINDEXED, updated UNINDEXED,
    content = 'blocks', tokenize = 'trigram'
);
-- Whether rows are written twice, as the real kernel does it at times.
CREATE TABLE notes.twice (on_ INTEGER NOT NULL) STRICT;
INSERT INTO notes.twice VALUES (0);
