//! The command line: servers by name, and every action by its tool, with the same permissions as for agents.

mod actions;
mod arguments;
mod ask;
mod build;
mod call;
mod completions;
mod config;
mod confirm;
mod doctor;
mod environment;
mod exit;
mod health;
mod ids;
mod install;
mod kernels;
mod listening;
mod manual;
mod more;
mod pager;
mod pause;
mod people;
mod print;
mod progress;
mod run;
mod runtime;
mod screen;
mod serve;
mod short;
mod skills;
mod values;

pub use run::main;
