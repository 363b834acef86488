//! Parses the WHERE clause.

use super::lexer::Token;
use super::query::{Condition, Literal, Operator, QueryError};
use super::token_stream::{Parsed, TokenStream, unexpected};

/// Parses an optional WHERE clause.
pub(super) fn conditions(tokens: &mut TokenStream) -> Parsed<Vec<Condition>> {
    let mut conditions = Vec::new();
    if tokens.keyword("WHERE") {
        conditions.push(condition(tokens)?);
        while tokens.keyword("AND") {
            conditions.push(condition(tokens)?);
        }
    }
    Ok(conditions)
}

fn condition(tokens: &mut TokenStream) -> Parsed<Condition> {
    let field = tokens.word()?;
    let operator = operator(tokens)?;
    let values = match operator {
        Operator::IsNull | Operator::IsNotNull => Vec::new(),
        Operator::In | Operator::NotIn => list(tokens)?,
        Operator::Between => range(tokens)?,
        _ => vec![single(tokens)?],
    };
    Ok(Condition { field, operator, values })
}

fn operator(tokens: &mut TokenStream) -> Parsed<Operator> {
    let token = tokens.advance()?;
    let name = token.text().to_ascii_uppercase();
    let operator = match (&token, name.as_str()) {
        (Token::Symbol(symbol), _) => match *symbol {
            "=" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            _ => return Err(bad_operator(&token)),
        },
        (Token::Word(_), "IN") => Operator::In,
        (Token::Word(_), "LIKE") => Operator::Like,
        (Token::Word(_), "BETWEEN") => Operator::Between,
        (Token::Word(_), "DURING") => Operator::During,
        (Token::Word(_), "NOT") if tokens.keyword("IN") => Operator::NotIn,
        (Token::Word(_), "NOT") if tokens.keyword("LIKE") => Operator::NotLike,
        (Token::Word(_), "IS") if tokens.keyword("NULL") => Operator::IsNull,
        (Token::Word(_), "IS") if tokens.keyword("NOT") && tokens.keyword("NULL") => Operator::IsNotNull,
        _ => return Err(bad_operator(&token)),
    };
    Ok(operator)
}

fn value(tokens: &mut TokenStream) -> Parsed<Literal> {
    match tokens.advance()? {
        Token::Text(text) => Ok(Literal::Text(text)),
        Token::Number(number) => Ok(Literal::Number(number)),
        Token::Word(word) => Ok(Literal::Word(word)),
        symbol @ Token::Symbol(_) => Err(unexpected(&symbol)),
    }
}

fn single(tokens: &mut TokenStream) -> Parsed<Literal> {
    if tokens.symbol("(") {
        let why = "Error in query: a single value is expected, not a list.";
        return Err(QueryError::new("EXPECTED_SINGLE_VALUE", why));
    }
    value(tokens)
}

fn list(tokens: &mut TokenStream) -> Parsed<Vec<Literal>> {
    if !tokens.symbol("(") {
        let why = "Error in query: a list in brackets is expected.";
        return Err(QueryError::new("EXPECTED_LIST", why));
    }
    if tokens.symbol(")") {
        let why = "Error in query: a list may not be empty.";
        return Err(QueryError::new("PROHIBITED_EMPTY_LIST_IN_CONDITION", why));
    }
    let mut values = vec![value(tokens)?];
    while tokens.symbol(",") {
        values.push(value(tokens)?);
    }
    if tokens.symbol(")") {
        return Ok(values);
    }
    Err(unexpected(&tokens.advance()?))
}

fn range(tokens: &mut TokenStream) -> Parsed<Vec<Literal>> {
    let low = value(tokens)?;
    if !tokens.keyword("AND") {
        let why = "Error in query: AND is expected between the values of BETWEEN.";
        return Err(QueryError::new("EXPECTED_AND", why));
    }
    Ok(vec![low, value(tokens)?])
}

fn bad_operator(token: &Token) -> QueryError {
    QueryError::new("BAD_OPERATOR", format!("Error in query: invalid operator {}.", token.text()))
}
