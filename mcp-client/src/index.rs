//! The tools of all servers under names of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::offer::Tool;

/// The number of a connection.
pub type ServerId = u64;

/// A tool under the name by which it is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedTool {
    /// The name that no other tool has.
    pub name: String,
    /// The connection.
    pub server: ServerId,
    /// The tool's name on its server.
    pub tool: String,
}

/// Indexes the tools of servers, given with their names, in their order: a name that several servers have becomes
/// `server__tool` for all of them.
pub(crate) fn index<'a>(servers: impl Iterator<Item = (ServerId, &'a str, &'a [Tool])>) -> Vec<IndexedTool> {
    let all: Vec<(ServerId, &str, &str)> = servers
        .flat_map(|(id, server, tools)| {
            // A call cannot distinguish two tools that one server lists under the same name.
            let mut seen = BTreeSet::new();
            let once = tools.iter().filter(move |tool| seen.insert(tool.name.as_str()));
            once.map(move |tool| (id, server, tool.name.as_str()))
        })
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, tool) in &all {
        *counts.entry(tool).or_default() += 1;
    }
    let is_alone = |tool: &str| counts.get(tool) == Some(&1);
    // Not `collect`, which sorts a list first: that would be the only sort in the playground's module, of 2 kB.
    let mut taken = BTreeSet::new();
    taken.extend(all.iter().filter(|(_, _, tool)| is_alone(tool)).map(|(_, _, tool)| (*tool).to_owned()));
    let named = all.iter().map(|(server, server_name, tool)| {
        let name = if is_alone(tool) {
            (*tool).to_owned()
        } else {
            free(&format!("{server_name}__{tool}"), &mut taken)
        };
        IndexedTool { name, server: *server, tool: (*tool).to_owned() }
    });
    named.collect()
}

/// The name, with a number where it is taken: by a tool of that very name, or by a server of the same name.
fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let name = names.find(|it| !taken.contains(it)).unwrap_or_default();
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(servers: &[(ServerId, &str, &[&str])]) -> Vec<String> {
        let tools = |names: &[&str]| -> Vec<Tool> {
            names.iter().map(|name| serde_json::from_value(json!({ "name": name })).unwrap()).collect()
        };
        let servers: Vec<_> = servers.iter().map(|(id, name, list)| (*id, *name, tools(list))).collect();
        let found = index(servers.iter().map(|(id, name, tools)| (*id, *name, &tools[..])));
        found.into_iter().map(|it| it.name).collect()
    }

    /// B-205: all clashing ones get the server's name.
    #[test]
    fn tools_that_clash_are_all_named_after_their_server() {
        let servers: [(ServerId, &str, &[&str]); 3] =
            [(1, "notes", &["search", "fs"]), (2, "web", &["search"]), (3, "files", &["read"])];
        assert_eq!(names(&servers), ["notes__search", "fs", "web__search", "read"]);
        assert_eq!(names(&servers[..1]), ["search", "fs"], "alone nothing clashes");
    }

    #[test]
    fn no_two_tools_have_one_name_whatever_servers_are_called() {
        let all = names(&[
            (1, "a", &["search", "search"]),
            (2, "a", &["search"]),
            (3, "b", &["a__search", "a__search_2"]),
        ]);
        assert_eq!(all, ["a__search_3", "a__search_4", "a__search", "a__search_2"]);
    }
}
