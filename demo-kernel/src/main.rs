//! Starts here.

fn main() {}
