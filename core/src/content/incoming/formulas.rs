//! Formulas that put markup together: the page shows the message of a formula that failed as HTML.
//!
//! Such a message repeats the argument of a command that takes a colour, a length or a name, without comments and after
//! macros have been filled in. So these arguments must be plain words in their place, and no formula defines a command.

/// Commands whose next argument is a colour or a name, and the number of such arguments.
const NAMES: [(&str, usize); 6] =
    [("begin", 1), ("end", 1), ("color", 1), ("textcolor", 1), ("colorbox", 1), ("fcolorbox", 2)];

/// Commands that may have lengths in brackets, and the number of such arguments.
const LENGTHS: [(&str, usize); 8] = [
    ("\\", 1),
    ("hskip", 1),
    ("hspace", 1),
    ("kern", 1),
    ("mkern", 1),
    ("mskip", 1),
    ("raisebox", 1),
    ("rule", 3),
];

/// Commands that define others or change their order, and such with a length behind other arguments.
const REFUSED: [&str; 14] = [
    "above",
    "def",
    "edef",
    "expandafter",
    "futurelet",
    "gdef",
    "genfrac",
    "global",
    "let",
    "newcommand",
    "noexpand",
    "providecommand",
    "renewcommand",
    "xdef",
];

/// The commands of a folded text that are refused or whose arguments are not plain, each with the text behind it.
pub(super) fn runs_in_error(text: &str) -> Vec<String> {
    let is_odd = |(name, rest): &(&str, &str)| {
        // Internal commands of KaTeX begin with this sign.
        (*name == "@" && rest.starts_with(|it: char| it.is_ascii_alphabetic()))
            || REFUSED.contains(name)
            || count(&NAMES, name).is_some_and(|count| has_odd(rest, count, true))
            || count(&LENGTHS, name).is_some_and(|count| has_odd(rest, count, false))
    };
    let excerpt = |(name, rest): (&str, &str)| {
        let behind: String = rest.chars().take_while(|it| *it != '\n').take(60).collect();
        format!("\\{name}{behind}")
    };
    commands(text).filter(is_odd).map(excerpt).collect()
}

/// The number of arguments of a command that is among these.
fn count(all: &[(&str, usize)], name: &str) -> Option<usize> {
    all.iter().find(|it| it.0 == name).map(|it| it.1)
}

/// The commands of a text, each with the text behind it. A backslash may be a sign of the one before it, or begin a
/// command: both are read.
fn commands(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices('\\').filter_map(|(at, _)| {
        let behind = text.get(at + 1..)?;
        let length = match behind.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(behind.len()) {
            0 => behind.chars().next()?.len_utf8(),
            letters => letters,
        };
        behind.split_at_checked(length)
    })
}

/// Whether one of the next arguments is not plain. The first one must be there if `is_due`.
fn has_odd(mut rest: &str, count: usize, is_due: bool) -> bool {
    for at in 0..count {
        rest = rest.trim_start().trim_start_matches('*').trim_start();
        let close = match rest.chars().next() {
            Some('{') => '}',
            Some('[') => ']',
            _ => return is_due && at == 0,
        };
        let is_plain = |it: char| it.is_alphanumeric() || " .,*+-_#".contains(it);
        let behind = rest.get(1..).unwrap_or_default().trim_start_matches(is_plain);
        let Some(behind) = behind.strip_prefix(close) else { return true };
        rest = behind;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formula_whose_error_would_be_markup_is_found() {
        for text in [
            r"\color{\lt img src=x onerror=x\gt}",
            r"\color {<img src=x onerro%",
            r"\begin{\lt img/src/onerror=x\gt}",
            r"\begin{a<b}",
            r"\end{\lt x}",
            r"\textcolor{\lt x}{y}",
            r"\fcolorbox{red}{\lt x}{y}",
            r"\def\x{\lt img}\color\x",
            r"\let\c\color \c{\lt img}",
            r"\def\x#1{\begin{#1}}\x{\lt img}",
            r"\newcommand{\a}[\lt img src=x onerror=x\gt]{}",
            r"\rule{\lt img src=x onerror=x\gt}{1em}",
            r"\rule[\lt x]{1em}{1em}",
            r"\hspace*{\lt x}",
            r"\@hspace{{<im%",
            r"\newcommand\a[\x]{}",
            r"\def\b{\\}\b[\x]",
            r"a \\[\lt x] b",
            r"\genfrac{(}{)}{\lt x}{}{a}{b}",
            r"\color{red",
        ] {
            assert!(!runs_in_error(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn ordinary_formulas_are_allowed() {
        for text in [
            r"\color{red} a < b, \textcolor{#ff0000}{x<y} \fcolorbox{red}{#fff}{a}",
            r"\begin{bmatrix} a & b \\ c & d \\[2pt] \end{bmatrix}",
            r"\begin{align*} x &\lt y \end{align*}",
            r"\begin{array}{c|c} a \end{array}",
            r"\kern1em \hspace{-1.5em} \rule{1em}{2pt} \raisebox{1ex}{a}",
            r"\defs \lets \ddef \left( x \right) 50\% of a@b \\@",
            r"C:\users\name and \\server\share, \colors \",
        ] {
            assert_eq!(runs_in_error(text), Vec::<String>::new(), "{text}");
        }
    }
}
