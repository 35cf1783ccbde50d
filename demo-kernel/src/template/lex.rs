//! The words and characters inside of actions.

use super::value::Any;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Word(String),
    Field(String),
    Variable(String),
    Text(Any, String),
    Sign(char),
    Declare,
    Space,
}

/// The token at the start of a text and its length in bytes; the message if there is none.
pub(super) fn next(rest: &str) -> Result<Option<(Token, usize)>, String> {
    let Some(first) = rest.chars().next() else { return Ok(None) };
    let word =
        |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let after = rest.get(first.len_utf8()..).unwrap_or_default();
    let is_number = first.is_ascii_digit()
        || (matches!(first, '-' | '+' | '.') && after.starts_with(|c: char| c.is_ascii_digit()));
    let (token, length) = match first {
        c if c.is_whitespace() => (Token::Space, c.len_utf8()),
        '"' | '`' | '\'' => {
            let (value, length) = literal(rest).ok_or_else(|| {
                let what = match first {
                    '"' => "unterminated quoted string",
                    '`' => "unterminated raw quoted string",
                    _ => "unterminated character constant",
                };
                what.to_owned()
            })?;
            (Token::Text(value, rest.get(..length).unwrap_or_default().to_owned()), length)
        }
        _ if is_number => {
            let text: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || "+-._".contains(*c)).collect();
            let int = || text.parse().ok().map(Any::Int);
            let value = int().or_else(|| text.parse().ok().map(Any::Float));
            let value = value.ok_or_else(|| format!("bad number syntax: \"{text}\""))?;
            let length = text.len();
            (Token::Text(value, text), length)
        }
        '.' => {
            let name = word(after);
            let length = name.len() + 1;
            (Token::Field(name), length)
        }
        '$' => {
            let name = format!("${}", word(after));
            let length = name.len();
            (Token::Variable(name), length)
        }
        ':' if after.starts_with('=') => (Token::Declare, 2),
        c if c.is_alphabetic() || c == '_' => {
            let name = word(rest);
            let length = name.len();
            (Token::Word(name), length)
        }
        c => (Token::Sign(c), c.len_utf8()),
    };
    Ok(Some((token, length)))
}

/// A quoted text or character at the start: its value, and its length in bytes.
fn literal(text: &str) -> Option<(Any, usize)> {
    let quote = text.chars().next()?;
    if quote == '`' {
        let end = text.get(1..)?.find('`')?;
        return Some((Any::text(text.get(1..=end)?), end + 2));
    }
    let mut out = String::new();
    let mut signs = text.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\n' => return None,
            '\\' => out.push(match signs.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            }),
            _ if sign == quote => {
                let value = match (quote, out.chars().next()) {
                    ('\'', Some(only)) => Any::Int(i64::from(u32::from(only))),
                    _ => Any::Text(out),
                };
                return Some((value, at + 1));
            }
            _ => out.push(sign),
        }
    }
    None
}
