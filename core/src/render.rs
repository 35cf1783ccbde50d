//! What declarations and answers look like: to a model, in help, in a page of the reference.

mod draft;
pub mod example;
pub mod help;
mod ladder;
pub mod result;
pub mod schema;
mod shape;
mod signature;
pub mod visible;

pub use signature::{constraints, signature};
