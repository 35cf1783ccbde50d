//! Whole calls over a kernel in memory: the order of their steps, and that hidden content never shows.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy's freedoms of tests do not reach the functions beside them"
)]

mod agents;
mod agents_apart;
mod daily_notes;
mod errands;
mod question_sheet;
// The databases of the tests beside the actions.
mod broken_links;
#[path = "../../src/testing/databases.rs"]
mod databases;
mod examples;
mod ids;
mod interpreters;
mod kernel;
mod key;
mod large;
mod ledger;
mod meeting;
mod mistakes;
mod names;
mod newer;
mod order;
mod paths;
mod privacy;
mod query;
mod questions;
mod resources;
mod row_text;
mod rules;
#[path = "../../src/testing/slow.rs"]
mod slow;
mod sql;
#[path = "../../src/testing/statements.rs"]
mod statements;
mod strict;
mod time;
mod twins;
// The test bed of the actions themselves, which the tests of this crate also use.
#[allow(dead_code, reason = "unit tests beside the actions use the rest")]
#[path = "../../src/testing/world.rs"]
mod world;
mod writers;
