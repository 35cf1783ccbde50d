//! The playground in plain Rust, without a page: its forms, answers and saved servers.

pub mod answer;
pub mod form;
pub mod servers;
pub mod shown;
