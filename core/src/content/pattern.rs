//! Regular expressions of callers, checked before the kernel sees them: it answers a broken one with no rows.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, RepetitionKind, RepetitionRange};

/// The longest repetition that the kernel's engine accepts.
const MAX_REPEAT: u32 = 1_000;
/// The maximum size of a pattern with its repetitions written out. The kernel's engine and ours take as many steps for
/// each letter of a text.
const MOST_STEPS: usize = 2_000;

/// The problem of a pattern, with the position; `None` if it may be sent.
///
/// Only the syntax is parsed, so no Unicode tables are linked. The kernel's engine is RE2: it has neither look-around
/// nor back references, and this grammar refuses both too.
pub fn problem(pattern: &str) -> Option<String> {
    match Parser::new().parse(pattern) {
        Ok(ast) if repeats_too_often(&ast) => Some(format!("a repetition above {MAX_REPEAT}")),
        Ok(ast) if steps(&ast) > MOST_STEPS => {
            Some(format!("repetitions that make more than {MOST_STEPS} steps of it"))
        }
        Ok(_) => None,
        Err(error) => {
            let at = pattern.get(..error.span().start.offset).map_or(0, |before| before.chars().count());
            Some(format!("{} at character {}", error.kind(), at + 1))
        }
    }
}

/// The size of a pattern with its repetitions written out, at least one; `None` if it is not understood.
pub fn size(pattern: &str) -> Option<usize> {
    Parser::new().parse(pattern).ok().map(|ast| steps(&ast).max(1))
}

/// The parts directly inside of a part. The parser bounds how deep they lie in each other.
fn inside(ast: &Ast) -> &[Ast] {
    match ast {
        Ast::Repetition(it) => std::slice::from_ref(&*it.ast),
        Ast::Group(it) => std::slice::from_ref(&*it.ast),
        Ast::Alternation(it) => &it.asts,
        Ast::Concat(it) => &it.asts,
        _ => &[],
    }
}

/// The number of copies into which a repetition is expanded.
fn times(kind: &RepetitionKind) -> u32 {
    match kind {
        RepetitionKind::Range(RepetitionRange::Exactly(n) | RepetitionRange::Bounded(_, n)) => *n,
        RepetitionKind::Range(RepetitionRange::AtLeast(n)) => n.saturating_add(1),
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
    }
}

fn steps(ast: &Ast) -> usize {
    let inner = inside(ast).iter().map(steps).fold(0, usize::saturating_add);
    match ast {
        Ast::Repetition(it) => {
            let times = usize::try_from(times(&it.op.kind)).unwrap_or(usize::MAX);
            inner.saturating_mul(times).saturating_add(1)
        }
        Ast::Group(_) | Ast::Concat(_) => inner,
        Ast::Alternation(it) => inner.saturating_add(it.asts.len()),
        _ => 1,
    }
}

fn repeats_too_often(ast: &Ast) -> bool {
    let own = |range: &RepetitionRange| match range {
        RepetitionRange::Exactly(n) | RepetitionRange::AtLeast(n) | RepetitionRange::Bounded(_, n) => *n,
    };
    let often = matches!(ast, Ast::Repetition(it)
        if matches!(&it.op.kind, RepetitionKind::Range(range) if own(range) > MAX_REPEAT));
    often || inside(ast).iter().any(repeats_too_often)
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn broken_pattern_error_names_fault_and_position() {
        assert_eq!(problem("a(b"), Some("unclosed group at character 2".to_owned()));
        assert_eq!(problem("梨["), Some("unclosed character class at character 2".to_owned()));
        assert_eq!(problem("a{1001}"), Some("a repetition above 1000".to_owned()));
        // F10: the kernel's engine and ours take so many steps for each letter.
        for costly in [
            format!("ZZ|{}b", "(?:a?){999}".repeat(10)),
            "((a{40}){40}){40}".to_owned(),
            "(?:a|bc){800}".to_owned(),
        ] {
            let expected = "repetitions that make more than 2000 steps of it";
            assert_eq!(problem(&costly).as_deref(), Some(expected), "{costly}");
        }
        for refused in ["*a", "(?=a)", r"(a)\1", "a{2,1}", "("] {
            assert!(problem(refused).is_some(), "{refused}");
        }
    }

    #[test]
    fn pattern_known_to_the_kernel_is_accepted() {
        for pattern in [
            "quince.*d",
            r"\d{4}-\d\d",
            r"\p{Han}+",
            "(?i)mint|tea",
            "[[:alpha:]]",
            "苹果?",
            "a{1000}",
            "[{1001}]",
            "",
        ] {
            assert_eq!(problem(pattern), None, "{pattern}");
        }
    }
}
