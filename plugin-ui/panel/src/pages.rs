//! The pages without a draft: the connection, calls, the puppy, help, and the usage report on the page Advanced.

pub(crate) mod activity;
pub(crate) mod connection;
pub(crate) mod help;
pub(crate) mod puppy;
mod record;
pub(crate) mod report;
