//! The playground in plain Rust, without a page: its forms, answers and saved servers.

pub mod answer;
pub mod connection_text;
pub mod form;
pub mod resource_groups;
pub mod servers;
