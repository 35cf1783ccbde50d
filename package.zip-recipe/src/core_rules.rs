//! The crates that a package may not depend on: core and the MCP client have rules and no I/O, which is handed in, and the
//! puppy loads with SiYuan, so it carries neither signals nor views.

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
    let tree = tree(house, "puppy-core", "all")?;
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

/// The dependencies of a package for a platform, one on a line: name, version, features.
fn tree(house: &House, package: &str, platform: &str) -> Result<String> {
    capture(
        house
            .cargo()
            .args(["tree", "--locked", "--package", package, "--target", platform])
            .args(["--edges", "normal", "--prefix", "none", "--format", "{p} {f}"]),
    )
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

    /// For wasm it has `fetch` and the page's timers; natively tests bring theirs.
    #[test]
    fn the_mcp_client_depends_on_no_runtime_clock_or_network_natively() {
        let house = House::find().unwrap();
        let tree = tree(&house, "puppy-mcp-client", "x86_64-unknown-linux-gnu").unwrap();
        assert!(tree.contains("sse-stream"), "{tree}");
        assert_eq!(forbidden(&tree, &names(&tree)), [""; 0]);
    }

    /// Both leave exports in the module, which nothing removes.
    #[test]
    fn the_puppy_depends_on_no_signals_and_no_views() {
        let house = House::find().unwrap();
        let tree = tree(&house, "puppy-ui-puppy", "wasm32-unknown-unknown").unwrap();
        let crates = names(&tree);
        assert!(crates.contains("web-sys"), "{tree}");
        for name in ["leptos", "reactive_graph", "puppy-mcp-client", "puppy-ui-parts"] {
            assert!(!crates.contains(name), "see `cargo tree -p puppy-ui-puppy -i {name}`");
        }
    }

    #[test]
    fn panel_and_playground_depend_on_views() {
        let house = House::find().unwrap();
        for package in ["puppy-ui-panel", "puppy-ui-playground", "puppy-ui-agents"] {
            let tree = tree(&house, package, "wasm32-unknown-unknown").unwrap();
            assert!(names(&tree).contains("leptos"), "{tree}");
        }
    }

    #[test]
    fn core_depends_on_no_runtime_clock_files_network_or_ui() {
        let house = House::find().unwrap();
        assert!(check(&house).unwrap() > 0);
    }
}
