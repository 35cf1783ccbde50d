//! The rule that the tests of an action are beside it, held by a test.

use crate::tidy::{files, none};

/// Whether an action has a test that names it, in its own file or in one beside it, such as `remove_tests.rs`.
fn is_tested(name: &str, text: &str, beside: Option<&str>) -> bool {
    let leaf = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
    let is_declared = text.contains(&format!("#[path = \"{leaf}_tests.rs\"]"));
    let own = text.split_once("#[cfg(test)]").map(|it| it.1);
    let has_test = |tests: &str| {
        tests.contains(concat!("#[", "test]"))
            && ["\"", "."].iter().any(|before| tests.contains(&format!("{before}{leaf}\"")))
    };
    own.is_some_and(has_test) || (is_declared && beside.is_some_and(has_test))
}

#[test]
fn the_tests_of_an_action_are_beside_it() {
    let files = files(&[".rs"]);
    let beside = |name: &str| {
        let tests = name.replace(".rs", "_tests.rs");
        files.iter().find(|it| it.name == tests).map(|it| it.text.as_str())
    };
    let actions =
        files.iter().filter(|it| it.name.starts_with("core/src/tools/") && it.text.contains("#[action("));
    let found = actions.filter(|it| !is_tested(&it.name, &it.text, beside(&it.name)));
    none(
        "test these actions by name, in their own file or in `<action>_tests.rs` beside it",
        &found.map(|it| it.name.clone()).collect::<Vec<_>>(),
    );
}

#[test]
fn a_test_that_names_its_action_is_found() {
    let tests = concat!("#[", "test]\ncheck(\"fs.list\")");
    let declares = "#[cfg(test)]\n#[path = \"list_tests.rs\"]\nmod tests;";
    assert!(is_tested("fs/list.rs", declares, Some(tests)) && !is_tested("fs/list.rs", "", Some(tests)));
    assert!(is_tested("fs/list.rs", &format!("#[cfg(test)]\n{tests}"), None));
    assert!(!is_tested("fs/read.rs", &format!("#[cfg(test)]\n{tests}"), None));
}
