//! The command line: servers by name, and every action by its tool, with the same permissions as for agents.

mod actions;
mod arguments;
mod ask;
mod build;
mod call;
mod completions;
mod confirm;
mod environment;
mod exit;
mod listening;
mod manual;
mod print;
mod run;
mod runtime;
mod serve;
mod skills;
mod table;
mod values;

pub use run::main;
