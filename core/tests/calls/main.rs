//! Whole calls over a kernel in memory: the order of their steps, and that hidden content never shows.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy's freedoms of tests do not reach the functions beside them"
)]

mod asked;
mod assets;
mod cards;
mod cells;
mod columns;
mod databases;
mod examples;
mod exports;
mod files;
mod going;
mod ids;
mod interpreters;
mod kernel;
mod key;
mod labels;
mod large;
mod making;
mod meeting;
mod mistakes;
mod newer;
mod order;
mod paths;
mod pictures;
mod privacy;
mod query;
mod questions;
mod relations;
mod resources;
mod row_text;
mod rows;
mod rules;
mod slow;
mod sql;
#[path = "../../src/testing/statements.rs"]
mod statements;
mod strict;
mod tags;
mod templates;
mod time;
mod twins;
mod unused;
mod uses;
mod views;
// The test bed of the actions themselves, which the tests of this crate also use.
#[allow(dead_code, reason = "unit tests beside the actions use the rest")]
#[path = "../../src/testing/world.rs"]
mod world;
mod writers;
