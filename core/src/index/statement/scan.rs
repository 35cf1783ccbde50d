//! A look at the words of a statement before it is parsed.
//!
//! The parser forgets which number of `LIMIT 2, 5` is the limit, and needs room for each open parenthesis.

use sqlite3_parser::dialect::TokenType;
use sqlite3_parser::lexer::Scanner;
use sqlite3_parser::lexer::sql::Tokenizer;

use super::cut;

/// The maximum number of parentheses inside each other.
const DEEPEST: usize = 64;

/// Refuses what the parsed statement would not show.
pub(super) fn check(sql: &str) -> Result<(), String> {
    let mut scanner = Scanner::new(Tokenizer::new());
    let (mut open, mut last_two) = (0_usize, [None, None]);
    loop {
        let (_, token, _) = scanner.scan(sql.as_bytes()).map_err(|error| cut(&error.to_string()))?;
        let Some((_, token)) = token else { return Ok(()) };
        match token {
            TokenType::TK_LP => open += 1,
            TokenType::TK_RP => open = open.saturating_sub(1),
            TokenType::TK_COMMA if last_two[0] == Some(TokenType::TK_LIMIT) => {
                return Err("write LIMIT n OFFSET m instead of LIMIT m, n".to_owned());
            }
            TokenType::TK_VARIABLE => return Err("parameters are not available".to_owned()),
            _ => {}
        }
        if open > DEEPEST {
            return Err(format!("more than {DEEPEST} nested parentheses"));
        }
        last_two = [last_two[1], Some(token)];
    }
}
