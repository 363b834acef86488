//! A stream of tokens.

use super::lexer::{Token, tokens};
use super::query::QueryError;
use std::iter::Peekable;
use std::vec::IntoIter;

pub(super) type Parsed<T> = Result<T, QueryError>;

/// The tokens that are not parsed yet.
pub(super) struct TokenStream(Peekable<IntoIter<Token>>);

/// The error for a token out of place.
pub(super) fn unexpected(token: &Token) -> QueryError {
    let message = format!("Error in query: unexpected input {}.", token.text());
    QueryError::new("UNEXPECTED_INPUT", message)
}

fn unexpected_end() -> QueryError {
    QueryError::new("UNEXPECTED_END_OF_QUERY", "Error in query: unexpected end of query.")
}

impl TokenStream {
    pub(super) fn new(query: &str) -> Parsed<Self> {
        Ok(Self(tokens(query)?.into_iter().peekable()))
    }

    /// The next token; `None` at the end.
    pub(super) fn next_if_any(&mut self) -> Option<Token> {
        self.0.next()
    }

    /// Consumes the next token if it is this keyword, ignoring case.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        let is = |token: &Token| matches!(token, Token::Word(next) if next.eq_ignore_ascii_case(word));
        self.0.next_if(is).is_some()
    }

    /// Consumes the next token if it is this symbol.
    pub(super) fn symbol(&mut self, symbol: &str) -> bool {
        let is = |token: &Token| matches!(token, Token::Symbol(next) if *next == symbol);
        self.0.next_if(is).is_some()
    }

    /// The next token, which is required.
    pub(super) fn advance(&mut self) -> Parsed<Token> {
        self.0.next().ok_or_else(unexpected_end)
    }

    /// The next token, which has to be a word.
    pub(super) fn word(&mut self) -> Parsed<String> {
        match self.advance()? {
            Token::Word(word) => Ok(word),
            other => Err(unexpected(&other)),
        }
    }
}
