//! Regular expressions of callers, checked before the kernel sees them: it answers a broken one with no rows.

use regex_syntax::ast::parse::Parser;

/// The longest repetition that the kernel's engine accepts.
const MAX_REPEAT: u32 = 1_000;

/// The problem of a pattern, with the position; `None` if it may be sent.
///
/// Only the syntax is parsed, so no Unicode tables are linked. The kernel's engine is RE2: it has neither look-around
/// nor back references, and this grammar refuses both too.
pub fn problem(pattern: &str) -> Option<String> {
    let Err(error) = Parser::new().parse(pattern) else { return too_often(pattern) };
    let at = pattern.get(..error.span().start.offset).map_or(0, |before| before.chars().count());
    Some(format!("{} at character {}", error.kind(), at + 1))
}

fn too_often(pattern: &str) -> Option<String> {
    let counts = pattern.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(counts, _)| counts);
    let mut numbers = counts.flat_map(|it| it.split(',')).filter_map(|it| it.trim().parse::<u32>().ok());
    numbers.any(|it| it > MAX_REPEAT).then(|| format!("a repetition above {MAX_REPEAT}"))
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn broken_pattern_error_names_fault_and_position() {
        assert_eq!(problem("a(b"), Some("unclosed group at character 2".to_owned()));
        assert_eq!(problem("梨["), Some("unclosed character class at character 2".to_owned()));
        assert_eq!(problem("a{1001}"), Some("a repetition above 1000".to_owned()));
        for refused in ["*a", "(?=a)", r"(a)\1", "a{2,1}", "("] {
            assert!(problem(refused).is_some(), "{refused}");
        }
    }

    #[test]
    fn pattern_known_to_the_kernel_is_accepted() {
        for pattern in
            ["quince.*d", r"\d{4}-\d\d", r"\p{Han}+", "(?i)mint|tea", "[[:alpha:]]", "苹果?", "a{1000}", ""]
        {
            assert_eq!(problem(pattern), None, "{pattern}");
        }
    }
}
