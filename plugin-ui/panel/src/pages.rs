//! The pages without a draft: the connection, the puppy, help, and the usage report on the page Advanced.

pub(crate) mod connection;
pub(crate) mod help;
pub(crate) mod puppy;
pub(crate) mod report;
