//! The language of declarations: what compiles, and what a forgotten word says (B-062).

/// Rewrite the expected texts with `TRYBUILD=overwrite cargo test -p puppy-core-derive`.
#[test]
fn declarations_compile_only_when_everything_is_said() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/declaration/pass/*.rs");
    cases.compile_fail("tests/declaration/fail/*.rs");
}
