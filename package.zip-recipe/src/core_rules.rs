//! The crates that core may not depend on: core has rules and no I/O, so that page and sidecar can share it.

use crate::house::House;
use crate::process::capture;
use anyhow::{Result, bail};
use std::collections::BTreeSet;

/// Crates whose presence below core would mean a runtime, a clock, files, a network, a database or a UI.
const FORBIDDEN: &[&str] = &[
    "async-io",
    "async-std",
    "axum",
    "chrono",
    "clap",
    "crossterm",
    "dirs",
    "gloo-timers",
    "h2",
    "hyper",
    "isahc",
    "js-sys",
    "jiff",
    "leptos",
    "reactive_graph",
    "mio",
    "notify",
    "quinn",
    "rand",
    "reqwest",
    "ring",
    "rmcp",
    "rusqlite",
    "rustls",
    "schemars",
    "smol",
    "socket2",
    "sqlx",
    "tempfile",
    "tokio",
    "tower",
    "ureq",
    "wasm-bindgen",
    "wasm-bindgen-futures",
    "web-sys",
    "web-time",
];

/// Checks core's dependency tree for every platform; returns the number of crates in it.
pub(crate) fn check(house: &House) -> Result<usize> {
    let tree = capture(
        house
            .cargo()
            .args(["tree", "--locked", "--package", "puppy-core"])
            .args(["--edges", "normal", "--target", "all", "--prefix", "none", "--format", "{p} {f}"]),
    )?;
    let crates = names(&tree);
    let found = forbidden(&tree, &crates);
    if !found.is_empty() {
        bail!(
            "core depends on {}; core holds rules only, hand the I/O in through a trait (see `cargo tree -p puppy-core -i NAME`)",
            found.join(", ")
        );
    }
    Ok(crates.len())
}

fn names(tree: &str) -> BTreeSet<&str> {
    let ours = ["puppy-core", "puppy-core-derive"];
    tree.lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|n| !n.is_empty() && !ours.contains(n))
        .collect()
}

fn forbidden(tree: &str, crates: &BTreeSet<&str>) -> Vec<String> {
    let mut found: Vec<String> =
        FORBIDDEN.iter().filter(|name| crates.contains(*name)).map(|&name| name.to_owned()).collect();
    // `time` is here for formatting; with these features it reads the clock.
    for line in tree.lines().filter(|line| line.starts_with("time v")) {
        let features: Vec<&str> = line.rsplit(' ').next().unwrap_or_default().split(',').collect();
        if features.iter().any(|f| ["local-offset", "wasm-bindgen"].contains(f)) {
            found.push("time's clock".to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_a_clock_and_nothing_else_is_found() {
        let tree = "puppy-core v0.1.0 (/x) \nserde v1.0.2 alloc,std\ntokio v1.5.0 rt\ntime v0.3.4 alloc,local-offset\n";
        assert_eq!(forbidden(tree, &names(tree)), ["tokio", "time's clock"]);
        assert_eq!(names(tree).len(), 3);
    }

    #[test]
    fn core_depends_on_no_runtime_clock_files_network_or_ui() {
        let house = House::find().unwrap();
        assert!(check(&house).unwrap() > 0);
    }
}
