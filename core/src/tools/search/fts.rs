//! FTS5 query syntax, parsed to its end and printed again.
//!
//! The kernel pastes a query behind `{content name ...}:(`, so a surplus parenthesis leaves its filter of columns,
//! and `fcontent` of a quote whose first block is a database contains the rows of that database, from any notebook.
//! So the caller's text itself is never sent: each word becomes a string, only operators known here are printed, and
//! a filter of columns encloses it all. FTS5 narrows nested filters to the columns that both allow.

use std::collections::BTreeSet;

/// The columns that a query may search; the person's own settings of SiYuan may name fewer.
const COLUMNS: &str = "{content name alias memo tag}";
/// The maximum depth of parentheses.
const DEEPEST: usize = 16;
/// The greatest distance of NEAR, in words.
const FARTHEST: u32 = 1_000;

/// The description of the syntax, for errors.
const HOW: &str = "FTS5 syntax: words, \"several words\", prefix*, AND, OR, NOT, NEAR(a b, 5) and ( )";

/// A printed query with the words that its hits hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FtsQuery {
    pub(super) text: String,
    pub(super) words: Vec<String>,
}

/// A query as FTS5 parses it, limited to the columns; the error is the description of a valid one.
pub(super) fn within_columns(query: &str) -> Result<FtsQuery, String> {
    let tokens = tokens(query)?;
    let out = format!("{COLUMNS}:(");
    let mut printer = FtsPrinter { tokens: &tokens, out, words: Vec::new(), depth: 0 };
    printer.either()?;
    match printer.tokens.first() {
        None => Ok(FtsQuery { text: printer.out + ")", words: each_once(printer.words) }),
        Some(Token::Close) => Err(wrong("a ) has no matching (")),
        Some(Token::Star) => Err(wrong("* must directly follow a word")),
        Some(Token::Comma) => Err(wrong("a comma is allowed in NEAR(a b, 5) only")),
        Some(_) => Err(wrong("write AND, OR or NOT before and after ( )")),
    }
}

/// Words that must all occur in a block, limited to the columns.
pub(super) fn all_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let strings: Vec<String> = words.into_iter().map(string).collect();
    format!("{COLUMNS}:({})", strings.join(" AND "))
}

/// Words of which at least one must occur in a block, limited to the columns.
pub(super) fn any_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let strings: Vec<String> = words.into_iter().map(string).collect();
    format!("{COLUMNS}:({})", strings.join(" OR "))
}

/// The words without those that occur before them, in whatever case.
pub(super) fn each_once(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    words.into_iter().filter(|it| known.insert(it.to_lowercase())).collect()
}

fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn wrong(what: &str) -> String {
    format!("{HOW}; {what}")
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A plain word.
    Word(String),
    /// The text between double quotes.
    Quoted(String),
    Open,
    Close,
    Comma,
    Star,
}

fn tokens(query: &str) -> Result<Vec<Token>, String> {
    // SQLite's text ends there, also within a string, and the rest of the filter would be lost.
    if query.contains('\0') {
        return Err(wrong("no word contains a NUL character"));
    }
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            ' ' | '\t' | '\n' | '\r' => {}
            '(' => tokens.push(Token::Open),
            ')' => tokens.push(Token::Close),
            ',' => tokens.push(Token::Comma),
            '*' => tokens.push(Token::Star),
            '"' => {
                let (text, taken) = quoted(rest).ok_or_else(|| wrong("here a \" is missing"))?;
                tokens.push(Token::Quoted(text));
                length = taken;
            }
            _ if is_of_a_word(first) => {
                length = rest.find(|it| !is_of_a_word(it)).unwrap_or(rest.len());
                tokens.push(Token::Word(rest.get(..length).unwrap_or_default().to_owned()));
            }
            ':' | '{' | '}' | '^' => {
                return Err(wrong("columns cannot be chosen: put what contains : { } ^ in \" \""));
            }
            other => {
                return Err(wrong(
                    &format!("put what contains {other} in \" \"").replace(char::is_control, "?"),
                ));
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(tokens)
}

/// The text of a string, and its length with the quotes; a doubled quote is part of the text.
fn quoted(rest: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, it)) = chars.next() {
        if it != '"' {
            text.push(it);
        } else if chars.next_if(|(_, next)| *next == '"').is_some() {
            text.push('"');
        } else {
            return Some((text, at + 1));
        }
    }
    None
}

/// FTS5's definition: letters, digits and `_`, and everything that is not ASCII.
fn is_of_a_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || !it.is_ascii()
}

/// Prints what it parses. `OR` binds weakest, then `AND`, `NOT`, and adjacent words strongest.
struct FtsPrinter<'a> {
    tokens: &'a [Token],
    out: String,
    words: Vec<String>,
    depth: usize,
}

impl FtsPrinter<'_> {
    fn either(&mut self) -> Result<(), String> {
        self.chain("OR", |it| it.chain("AND", |it| it.chain("NOT", Self::operand)))
    }

    /// Operands with an operator between each two. No hit holds the words behind a NOT.
    fn chain(
        &mut self,
        operator: &str,
        operand: impl Fn(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        operand(self)?;
        let held = self.words.len();
        while self.is_word(operator) {
            self.skip();
            self.out.push_str(&format!(" {operator} "));
            operand(self)?;
            if operator == "NOT" {
                self.words.truncate(held);
            }
        }
        Ok(())
    }

    /// Something in parentheses, or adjacent words and NEARs.
    fn operand(&mut self) -> Result<(), String> {
        if self.tokens.first() == Some(&Token::Open) {
            return self.grouped();
        }
        let mut any = false;
        loop {
            let is_near = self.is_word("NEAR") && self.tokens.get(1) == Some(&Token::Open);
            if !is_near && !self.at_phrase() {
                break;
            }
            if any {
                self.out.push(' ');
            }
            if is_near {
                self.near()?;
            } else {
                self.phrase();
            }
            any = true;
        }
        if any { Ok(()) } else { Err(self.missing()) }
    }

    fn missing(&self) -> String {
        match self.tokens.first() {
            Some(Token::Word(operator)) => wrong(&format!("{operator} must be between two words")),
            _ => wrong("a word is missing"),
        }
    }

    fn grouped(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(wrong(&format!("at most {DEEPEST} nested parentheses")));
        }
        self.skip();
        self.out.push('(');
        self.either()?;
        self.close()?;
        self.depth -= 1;
        Ok(())
    }

    fn near(&mut self) -> Result<(), String> {
        self.skip();
        self.skip();
        self.out.push_str("NEAR(");
        while self.at_phrase() {
            self.phrase();
            if self.at_phrase() {
                self.out.push(' ');
            }
        }
        if self.out.ends_with('(') {
            return Err(wrong("a word is missing"));
        }
        if self.tokens.first() == Some(&Token::Comma) {
            self.skip();
            let distance = match self.tokens.first() {
                Some(Token::Word(digits)) => digits.parse().ok().filter(|it: &u32| *it <= FARTHEST),
                _ => None,
            };
            let distance =
                distance.ok_or_else(|| wrong(&format!("NEAR must end in a number up to {FARTHEST}")))?;
            self.skip();
            self.out.push_str(&format!(", {distance}"));
        }
        self.close()
    }

    fn close(&mut self) -> Result<(), String> {
        if self.tokens.first() != Some(&Token::Close) {
            let what = if self.tokens.is_empty() {
                "here a ) is missing"
            } else {
                "write AND, OR or NOT before and after ( )"
            };
            return Err(wrong(what));
        }
        self.skip();
        self.out.push(')');
        Ok(())
    }

    /// A word or string; with a star, the prefix of a word.
    fn phrase(&mut self) {
        if let Some(Token::Word(text) | Token::Quoted(text)) = self.tokens.first() {
            self.out.push_str(&string(text));
            self.words.push(text.clone());
            self.skip();
        }
        if self.tokens.first() == Some(&Token::Star) {
            self.out.push('*');
            self.skip();
        }
    }

    fn at_phrase(&self) -> bool {
        match self.tokens.first() {
            Some(Token::Word(word)) => !matches!(word.as_str(), "AND" | "OR" | "NOT"),
            Some(Token::Quoted(_)) => true,
            _ => false,
        }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.tokens.first(), Some(Token::Word(it)) if it == word)
    }

    fn skip(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(query: &str) -> String {
        let FtsQuery { text, .. } =
            within_columns(query).unwrap_or_else(|problem| panic!("{query}: {problem}"));
        text.strip_prefix("{content name alias memo tag}:(").unwrap().strip_suffix(')').unwrap().to_owned()
    }

    #[test]
    fn fts5_syntax_is_reprinted() {
        for (query, expected) in [
            ("apple", "\"apple\""),
            ("apple pear", "\"apple\" \"pear\""),
            ("app* OR \"red pear\"", "\"app\"* OR \"red pear\""),
            ("a AND b NOT c", "\"a\" AND \"b\" NOT \"c\""),
            ("((a OR b) AND c)", "((\"a\" OR \"b\") AND \"c\")"),
            ("NEAR(a \"b c\" d*, 12) e", "NEAR(\"a\" \"b c\" \"d\"*, 12) \"e\""),
            ("NEAR near or", "\"NEAR\" \"near\" \"or\""),
            ("\"say \"\"so\"\"\"", "\"say \"\"so\"\"\""),
            ("苹果 OR naïve_2", "\"苹果\" OR \"naïve_2\""),
        ] {
            assert_eq!(printed(query), expected, "{query}");
        }
        assert_eq!(all_of(["a", "b\""]), "{content name alias memo tag}:(\"a\" AND \"b\"\"\")");
    }

    #[test]
    fn words_that_hits_hold_are_told_once() {
        for (query, words) in [
            ("(\"it's \"\"x\"\"\" OR app*) AND b", &["it's \"x\"", "app", "b"][..]),
            ("mint NOT tea", &["mint"]),
            ("mint NOT (tea OR NEAR(a b)) AND sage", &["mint", "sage"]),
            ("(mint NOT tea) OR tea", &["mint", "tea"]),
            ("a a A b a", &["a", "b"]),
        ] {
            assert_eq!(within_columns(query).unwrap().words, words, "{query}");
        }
    }

    /// F6: no query selects columns or leaves the kernel's parenthesis, and the error shows valid syntax.
    #[test]
    fn query_that_selects_columns_is_refused() {
        let deep = format!("{}a{}", "(".repeat(17), ")".repeat(17));
        for query in [
            "zz) OR fcontent:(secr*",
            "fcontent:secret",
            "{fcontent ial} : x",
            "- fcontent : x",
            "^a",
            "a)",
            "(a",
            "()",
            "\"a",
            "a OR",
            "AND a",
            "NOT a",
            "a AND OR b",
            "(a) b",
            "a (b)",
            "*",
            "a * *",
            "a, b",
            "NEAR()",
            "NEAR(a, b)",
            "NEAR(a b, 99999)",
            "NEAR(a OR b)",
            "a + b",
            "it's",
            "\"a\0b\"",
            deep.as_str(),
        ] {
            let problem = within_columns(query).unwrap_err();
            assert!(problem.starts_with(HOW), "{query}: {problem}");
        }
    }
}
