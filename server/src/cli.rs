//! The command line: servers by name, and every action by its tool.

mod build;
mod environment;
mod run;
mod serve;

pub use run::main;
