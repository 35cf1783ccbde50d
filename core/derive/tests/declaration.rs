//! The language of declarations: the forms that compile, and the errors for a forgotten word (B-062).

#[path = "declaration/pass/change.rs"]
mod change;
#[path = "declaration/pass/read.rs"]
mod read;
#[path = "declaration/pass/shared.rs"]
mod shared;

/// Rewrite the expected texts with `TRYBUILD=overwrite cargo test -p puppy-core-derive`.
///
/// Only what must fail stands here: then all cases are checked by one call of cargo, and nothing is linked.
#[test]
fn incomplete_declarations_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/declaration/fail/*.rs");
}
