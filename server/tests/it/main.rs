//! Tests of the sidecar against the demo kernel: library and program, calls and faults, files and processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests stop at the first surprise, and print what `cargo verify` shows"
)]

mod approval;
mod channel;
mod chinese;
mod client;
mod command_line;
mod contract;
mod desk;
mod discovery;
mod errands;
mod faults;
mod fixture;
mod gate;
mod https;
mod lifecycle;
mod panel_client;
mod partly;
mod pipe;
mod policy;
mod printed;
mod process;
mod prompts;
#[cfg(unix)]
mod pty;
mod relay;
mod resources;
mod rules;
mod screen;
mod security;
mod setup;
mod skills;
mod stack;
mod terminal;
mod world;
mod writers;
