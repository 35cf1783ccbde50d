//! What declarations and answers look like: to a model, in help, in a page of the reference.

pub mod example;
pub mod help;
pub mod result;
pub mod schema;
mod signature;
pub mod visible;

pub use signature::{constraints, signature};
