//! The three older shapes of the switches, read once and written in the present shape (B-231).

use serde_json::{Map, Value};

use super::Switches;
use crate::registry::ACTIONS;
use crate::spec::Tool;

/// Old names and their present `tool.action`; the only list of old names.
const OLD_NAMES: &[(&str, Tool, &str)] = &[
    ("list_notebooks", Tool::Notebook, "list"),
    ("create_notebook", Tool::Notebook, "create"),
    ("remove_notebook", Tool::Notebook, "remove"),
    ("rename_notebook", Tool::Notebook, "rename"),
    ("open_notebook", Tool::Notebook, "set_open_state"),
    ("close_notebook", Tool::Notebook, "set_open_state"),
    ("open", Tool::Notebook, "set_open_state"),
    ("close", Tool::Notebook, "set_open_state"),
    ("get_notebook_conf", Tool::Notebook, "info"),
    ("set_notebook_conf", Tool::Notebook, "set_conf"),
    ("get_conf", Tool::Notebook, "info"),
    ("create_document", Tool::Document, "create"),
    ("rename_document", Tool::Document, "rename"),
    ("rename_document_by_id", Tool::Document, "rename"),
    ("remove_document", Tool::Document, "remove"),
    ("remove_document_by_id", Tool::Document, "remove"),
    ("move_documents", Tool::Document, "move"),
    ("move_documents_by_id", Tool::Document, "move"),
    ("get_document_path", Tool::Document, "info"),
    ("get_hpath_by_path", Tool::Document, "info"),
    ("get_hpath_by_id", Tool::Document, "info"),
    ("get_ids_by_hpath", Tool::Document, "info"),
    ("get_path", Tool::Document, "info"),
    ("get_hpath", Tool::Document, "info"),
    ("get_ids", Tool::Document, "info"),
    ("set_cover", Tool::Document, "set_properties"),
    ("clear_cover", Tool::Document, "set_properties"),
    ("set_attr", Tool::Document, "set_properties"),
    ("insert_block", Tool::Block, "insert"),
    ("prepend_block", Tool::Block, "prepend"),
    ("append_block", Tool::Block, "append"),
    ("update_block", Tool::Block, "update"),
    ("delete_block", Tool::Block, "delete"),
    ("move_block", Tool::Block, "move"),
    ("fold_block", Tool::Block, "fold"),
    ("unfold_block", Tool::Block, "fold"),
    ("set_fold_state", Tool::Block, "fold"),
    ("get_block_kramdown", Tool::Block, "get"),
    ("get_child_blocks", Tool::Block, "list"),
    ("transfer_block_ref", Tool::Block, "transfer_refs"),
    ("set_block_attrs", Tool::Block, "set_attrs"),
    ("get_block_attrs", Tool::Block, "get_attrs"),
    ("upload_asset", Tool::File, "upload_asset"),
    ("render_template", Tool::File, "render_template"),
    ("render_sprig", Tool::File, "render_template"),
    ("export_md_content", Tool::File, "export"),
    ("export_md", Tool::File, "export"),
    ("export_resources", Tool::File, "export"),
    ("push_msg", Tool::System, "notify"),
    ("push_err_msg", Tool::System, "notify"),
    ("get_version", Tool::System, "get_info"),
    ("get_current_time", Tool::System, "get_info"),
];

/// Whether a file has the present shape: some tool's value is an object.
pub(super) fn is_present_shape(file: &Map<String, Value>) -> bool {
    Tool::ALL.iter().any(|tool| file.get(tool.name()).is_some_and(Value::is_object))
}

/// Reads a file of an older shape.
pub(super) fn migrate(old: Map<String, Value>) -> Switches {
    let mut switches = Switches::default();
    let mut flat: Vec<(Tool, &'static str, bool)> = Vec::new();
    for (key, value) in old {
        match (Tool::named(&key), &value) {
            (Some(tool), Value::Bool(on)) => switches.set_tool(tool, *on),
            (Some(tool), Value::Array(names)) => {
                let named: Vec<&str> =
                    names.iter().filter_map(Value::as_str).map(|it| present(tool, it)).collect();
                switch_only(&mut switches, tool, &named);
            }
            // The value is neither on nor off.
            (Some(tool), _) => switches.set_tool(tool, false),
            (None, value) => match OLD_NAMES.iter().find(|(name, ..)| *name == key) {
                Some((_, tool, action)) => flat.push((*tool, action, *value == Value::Bool(true))),
                None => switches.keep(key, value.clone()),
            },
        }
    }
    for tool in Tool::ALL {
        if flat.iter().any(|(named, ..)| *named == tool) {
            let on: Vec<&str> =
                flat.iter().filter(|(it, _, on)| *it == tool && *on).map(|(_, name, _)| *name).collect();
            for (_, name, _) in flat.iter().filter(|(it, ..)| *it == tool) {
                switches.set(tool, name, false);
            }
            switch_only(&mut switches, tool, &on);
        }
    }
    switches
}

/// These switches with what an older plugin's file says laid over them: only what it names, in any of its shapes.
pub(super) fn laid_over(own: &Switches, older: Map<String, Value>) -> Switches {
    let mut laid = own.clone();
    if !is_present_shape(&older) {
        // A switch that equals its default says nothing about a person's wish.
        let (shipped, migrated) = (Switches::default(), migrate(older));
        for spec in ACTIONS.iter().filter(|it| migrated.action_switch(it) != shipped.action_switch(it)) {
            laid.set(spec.tool, spec.name, migrated.action_switch(spec));
        }
        for tool in Tool::ALL.into_iter().filter(|it| migrated.tool_switch(*it) != shipped.tool_switch(*it)) {
            laid.set_tool(tool, migrated.tool_switch(tool));
        }
        return laid;
    }
    for tool in Tool::ALL {
        let Some(entry) = older.get(tool.name()).and_then(Value::as_object) else { continue };
        if let Some(Value::Bool(on)) = entry.get("enabled") {
            laid.set_tool(tool, *on);
        }
        let Some(actions) = entry.get("actions").and_then(Value::as_object) else { continue };
        for spec in ACTIONS.iter().filter(|it| it.tool == tool) {
            let mut named = actions.iter().filter(|(name, _)| present(tool, name) == spec.name).peekable();
            if named.peek().is_some() {
                laid.set(tool, spec.name, named.any(|(_, on)| *on == Value::Bool(true)));
            }
        }
    }
    laid
}

/// The present action of an old name; the name itself if it is not an old one.
fn present(tool: Tool, name: &str) -> &str {
    OLD_NAMES.iter().find(|(old, it, _)| *it == tool && *old == name).map_or(name, |(_, _, action)| *action)
}

/// Switches off all actions of a tool but these; the tool is on if any of them is.
fn switch_only(switches: &mut Switches, tool: Tool, on: &[&str]) {
    for spec in ACTIONS.iter().filter(|spec| spec.tool == tool) {
        switches.set(tool, spec.name, false);
    }
    for name in on {
        switches.set(tool, name, true);
    }
    switches.set_tool(tool, !on.is_empty());
}
