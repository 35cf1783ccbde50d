//! Renders declarations and answers: for a model, for help, and for the pages of the reference.

pub mod capability;
mod descriptor;
mod draft;
pub mod example;
pub mod help;
mod ladder;
pub(crate) mod mended;
pub mod result;
pub mod schema;
mod shape;
mod signature;

pub use signature::{constraints, signature};
