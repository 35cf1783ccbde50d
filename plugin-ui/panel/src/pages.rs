//! The pages that load when they are opened: the connection, calls, the puppy, help, and the usage report.

pub mod activity;
pub mod connection;
pub mod copying;
pub mod help;
pub mod puppy;
pub mod purse;
mod record;
pub mod report;
pub mod visit;
