//! Splits a query into tokens.

use super::query::QueryError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A keyword, a field name or an enum constant.
    Word(String),
    Number(String),
    Text(String),
    Symbol(&'static str),
}

impl Token {
    /// The token's text without quotes.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Number(text) | Self::Text(text) => text,
            Self::Symbol(symbol) => symbol,
        }
    }
}

/// Longer symbols come first, so that `<=` is not lexed as `<`.
const SYMBOLS: &[&str] = &["!=", "<=", ">=", "=", "<", ">", ",", "(", ")"];

pub(super) fn tokens(query: &str) -> Result<Vec<Token>, QueryError> {
    let mut rest = query.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (token, after) = next(rest, first)?;
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

fn next(rest: &str, first: char) -> Result<(Token, &str), QueryError> {
    if first == '\'' || first == '"' {
        return quoted(rest, first);
    }
    if first.is_ascii_alphabetic() {
        let is_word_char = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let (word, after) = split_while(rest, is_word_char);
        return Ok((Token::Word(word.to_owned()), after));
    }
    if first.is_ascii_digit() || first == '-' {
        let (number, after) = split_while(rest, |c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
        return number_token(number).map(|token| (token, after));
    }
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return Ok((Token::Symbol(symbol), rest.split_at(symbol.len()).1));
    }
    let (code, what) = match first {
        '!' => ("BAD_OPERATOR", "invalid operator"),
        c if c.is_ascii() => ("UNEXPECTED_INPUT", "unexpected input"),
        _ => ("BAD_SYMBOL", "invalid symbol"),
    };
    Err(QueryError::new(code, format!("Error in query: {what} {first}.")))
}

fn split_while(text: &str, matches: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !matches(c)).unwrap_or(text.len()))
}

fn number_token(number: &str) -> Result<Token, QueryError> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if all_digits(whole) && all_digits(fraction) {
        return Ok(Token::Number(number.to_owned()));
    }
    Err(QueryError::new("BAD_NUMBER", format!("Error in query: invalid number {number}.")))
}

/// A quoted string. A backslash escapes a quote or a backslash.
fn quoted(rest: &str, quote: char) -> Result<(Token, &str), QueryError> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            c if c == quote => {
                return Ok((Token::Text(text), rest.split_at(at + c.len_utf8()).1));
            }
            '\n' | '\r' => {
                let why = "Error in query: a text may not hold a line break.";
                return Err(QueryError::new("PROHIBITED_NEWLINE_IN_STRING", why));
            }
            '\\' => match characters.next() {
                Some((_, escaped @ ('\\' | '\'' | '"'))) => text.push(escaped),
                _ => {
                    let why = "Error in query: invalid escape sequence.";
                    return Err(QueryError::new("BAD_ESCAPE_SEQUENCE", why));
                }
            },
            other => text.push(other),
        }
    }
    Err(QueryError::new("STRING_NOT_TERMINATED", "Error in query: a text is not terminated."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(query: &str) -> &'static str {
        tokens(query).unwrap_err().code
    }

    #[test]
    fn quotes_and_escapes_are_lexed() {
        let tokens = tokens(r#"name = 'it''s' "a\"b\\c\'d""#).unwrap();
        let texts: Vec<_> = tokens.iter().map(Token::text).collect();
        assert_eq!(texts, ["name", "=", "it", "s", "a\"b\\c'd"]);
    }

    #[test]
    fn every_lexical_error_has_its_code() {
        assert_eq!(code("'open"), "STRING_NOT_TERMINATED");
        assert_eq!(code("'a\nb'"), "PROHIBITED_NEWLINE_IN_STRING");
        assert_eq!(code(r"'a\n'"), "BAD_ESCAPE_SEQUENCE");
        assert_eq!(code("12x"), "BAD_NUMBER");
        assert_eq!(code("a ! b"), "BAD_OPERATOR");
        assert_eq!(code("a § b"), "BAD_SYMBOL");
        assert_eq!(code("a; b"), "UNEXPECTED_INPUT");
    }
}
