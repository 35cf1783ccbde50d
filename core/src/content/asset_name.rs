//! Names of assets as people know them: without the id that SiYuan puts into a file's name.

/// The length of an id.
const ID: usize = 22;

/// The file name without the id before its extension.
pub fn shown(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, end) = name.rfind('.').map_or((name, ""), |at| name.split_at(at));
    let cut = stem.len().checked_sub(ID).and_then(|at| stem.split_at_checked(at));
    match cut {
        Some((short, id)) if crate::id::is_node_id(id) => match short.strip_suffix('-') {
            Some(short) if !short.is_empty() => format!("{short}{end}"),
            _ => name.to_owned(),
        },
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn an_id_is_no_part_of_the_name() {
        assert_eq!(shown("assets/a/plan-20250601000000-asset00.pdf"), "plan.pdf");
        assert_eq!(shown("assets/plan.pdf"), "plan.pdf");
        assert_eq!(shown("assets/20250601000000-asset00.pdf"), "20250601000000-asset00.pdf");
        assert_eq!(shown("assets/叶子-20250601000000-asset00"), "叶子");
    }
}
