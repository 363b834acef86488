//! Parses the tokens of a query.

use super::lexer::{Token, tokens};
use super::query::{Condition, Literal, Operator, Order, Query, QueryError};
use std::iter::Peekable;
use std::vec::IntoIter;

type Parsed<T> = Result<T, QueryError>;

/// Parses a whole query.
pub(crate) fn parse(text: &str) -> Parsed<Query> {
    let mut parser = Parser { tokens: tokens(text)?.into_iter().peekable() };
    let query = parser.query()?;
    match parser.tokens.next() {
        None => Ok(query),
        Some(extra) => Err(unexpected(&extra)),
    }
}

struct Parser {
    tokens: Peekable<IntoIter<Token>>,
}

fn unexpected(token: &Token) -> QueryError {
    let message = format!("Error in query: unexpected input {}.", token.text());
    QueryError::new("UNEXPECTED_INPUT", message)
}

fn unexpected_end() -> QueryError {
    QueryError::new("UNEXPECTED_END_OF_QUERY", "Error in query: unexpected end of query.")
}

impl Parser {
    fn query(&mut self) -> Parsed<Query> {
        if !self.keyword("SELECT") {
            let why = "Error in query: SELECT is expected at the start.";
            return Err(QueryError::new("EXPECTED_SELECT", why));
        }
        let select = self.fields()?;
        if !self.keyword("FROM") {
            return Err(match self.tokens.next() {
                Some(token @ (Token::Symbol(_) | Token::Text(_) | Token::Number(_))) => unexpected(&token),
                _ => QueryError::new("EXPECTED_FROM", "Error in query: FROM is expected."),
            });
        }
        Ok(Query {
            select,
            from: self.word()?,
            conditions: self.conditions()?,
            order: self.order()?,
            limit: self.limit()?,
            parameters: self.parameters()?,
        })
    }

    /// Consumes the next token if it is this keyword, ignoring case.
    fn keyword(&mut self, word: &str) -> bool {
        let is = |token: &Token| matches!(token, Token::Word(next) if next.eq_ignore_ascii_case(word));
        self.tokens.next_if(is).is_some()
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        let is = |token: &Token| matches!(token, Token::Symbol(next) if *next == symbol);
        self.tokens.next_if(is).is_some()
    }

    fn next(&mut self) -> Parsed<Token> {
        self.tokens.next().ok_or_else(unexpected_end)
    }

    fn word(&mut self) -> Parsed<String> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            other => Err(unexpected(&other)),
        }
    }

    fn fields(&mut self) -> Parsed<Vec<String>> {
        let mut fields = vec![self.word()?];
        while self.symbol(",") {
            fields.push(self.word()?);
        }
        Ok(fields)
    }

    fn conditions(&mut self) -> Parsed<Vec<Condition>> {
        let mut conditions = Vec::new();
        if self.keyword("WHERE") {
            conditions.push(self.condition()?);
            while self.keyword("AND") {
                conditions.push(self.condition()?);
            }
        }
        Ok(conditions)
    }

    fn condition(&mut self) -> Parsed<Condition> {
        let field = self.word()?;
        let operator = self.operator()?;
        let values = match operator {
            Operator::IsNull | Operator::IsNotNull => Vec::new(),
            Operator::In | Operator::NotIn => self.list()?,
            Operator::Between => self.range()?,
            _ => vec![self.single()?],
        };
        Ok(Condition { field, operator, values })
    }

    fn operator(&mut self) -> Parsed<Operator> {
        let token = self.next()?;
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
            (Token::Word(_), "NOT") if self.keyword("IN") => Operator::NotIn,
            (Token::Word(_), "NOT") if self.keyword("LIKE") => Operator::NotLike,
            (Token::Word(_), "IS") if self.keyword("NULL") => Operator::IsNull,
            (Token::Word(_), "IS") if self.keyword("NOT") && self.keyword("NULL") => Operator::IsNotNull,
            _ => return Err(bad_operator(&token)),
        };
        Ok(operator)
    }

    fn value(&mut self) -> Parsed<Literal> {
        match self.next()? {
            Token::Text(text) => Ok(Literal::Text(text)),
            Token::Number(number) => Ok(Literal::Number(number)),
            Token::Word(word) => Ok(Literal::Word(word)),
            symbol @ Token::Symbol(_) => Err(unexpected(&symbol)),
        }
    }

    fn single(&mut self) -> Parsed<Literal> {
        if self.symbol("(") {
            let why = "Error in query: a single value is expected, not a list.";
            return Err(QueryError::new("EXPECTED_SINGLE_VALUE", why));
        }
        self.value()
    }

    fn list(&mut self) -> Parsed<Vec<Literal>> {
        if !self.symbol("(") {
            let why = "Error in query: a list in brackets is expected.";
            return Err(QueryError::new("EXPECTED_LIST", why));
        }
        if self.symbol(")") {
            let why = "Error in query: a list may not be empty.";
            return Err(QueryError::new("PROHIBITED_EMPTY_LIST_IN_CONDITION", why));
        }
        let mut values = vec![self.value()?];
        while self.symbol(",") {
            values.push(self.value()?);
        }
        if self.symbol(")") {
            return Ok(values);
        }
        Err(unexpected(&self.next()?))
    }

    fn range(&mut self) -> Parsed<Vec<Literal>> {
        let low = self.value()?;
        if !self.keyword("AND") {
            let why = "Error in query: AND is expected between the values of BETWEEN.";
            return Err(QueryError::new("EXPECTED_AND", why));
        }
        Ok(vec![low, self.value()?])
    }

    fn order(&mut self) -> Parsed<Vec<Order>> {
        if !self.keyword("ORDER") {
            return Ok(Vec::new());
        }
        if !self.keyword("BY") {
            let why = "Error in query: BY is expected after ORDER.";
            return Err(QueryError::new("EXPECTED_BY", why));
        }
        let mut order = vec![self.ordering()?];
        while self.symbol(",") {
            order.push(self.ordering()?);
        }
        Ok(order)
    }

    fn ordering(&mut self) -> Parsed<Order> {
        let field = self.word()?;
        let descending = self.keyword("DESC");
        if !descending {
            self.keyword("ASC");
        }
        Ok(Order { field, descending })
    }

    fn limit(&mut self) -> Parsed<Option<usize>> {
        if !self.keyword("LIMIT") {
            return Ok(None);
        }
        let token = self.next()?;
        match token.text().parse::<usize>() {
            Ok(0) => Err(QueryError::new("LIMIT_VALUE_TOO_LOW", "Error in query: LIMIT has to be positive.")),
            Ok(limit) if matches!(token, Token::Number(_)) => Ok(Some(limit)),
            _ => {
                let why = format!("Error in query: invalid limit {}.", token.text());
                Err(QueryError::new("BAD_LIMIT_VALUE", why))
            }
        }
    }

    fn parameters(&mut self) -> Parsed<Vec<(String, bool)>> {
        let mut parameters = Vec::new();
        if !self.keyword("PARAMETERS") {
            return Ok(parameters);
        }
        loop {
            parameters.push(self.parameter()?);
            if !self.symbol(",") {
                return Ok(parameters);
            }
        }
    }

    fn parameter(&mut self) -> Parsed<(String, bool)> {
        let name = self.word()?;
        if !matches!(name.as_str(), "include_drafts" | "omit_unselected_resource_names") {
            let why = format!("Error in query: unknown parameter {name}.");
            return Err(QueryError::new("BAD_PARAMETER_NAME", why));
        }
        if !self.symbol("=") {
            return Err(unexpected(&self.next()?));
        }
        let value = self.next()?;
        match value.text() {
            "true" | "TRUE" => Ok((name, true)),
            "false" | "FALSE" => Ok((name, false)),
            other => {
                let why = format!("Error in query: invalid value {other} of {name}.");
                Err(QueryError::new("BAD_PARAMETER_VALUE", why))
            }
        }
    }
}

fn bad_operator(token: &Token) -> QueryError {
    QueryError::new("BAD_OPERATOR", format!("Error in query: invalid operator {}.", token.text()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(query: &str) -> &'static str {
        parse(query).unwrap_err().code
    }

    #[test]
    fn a_query_is_parsed_clause_by_clause() {
        let query = parse(
            "select campaign.id, campaign.name FROM campaign WHERE campaign.status != 'REMOVED' \
             AND campaign.id IN (1, 2) AND metrics.cost_micros BETWEEN 1 AND 5 \
             AND campaign.end_date_time IS NOT NULL AND campaign.name NOT LIKE '%x%' \
             ORDER BY campaign.id DESC, campaign.name LIMIT 7 PARAMETERS include_drafts = true",
        )
        .unwrap();
        assert_eq!(query.select, ["campaign.id", "campaign.name"]);
        assert_eq!(query.from, "campaign");
        let operators: Vec<_> = query.conditions.iter().map(|c| c.operator).collect();
        let expected = [Operator::NotEqual, Operator::In, Operator::Between, Operator::IsNotNull, Operator::NotLike];
        assert_eq!(operators, expected);
        assert_eq!(query.conditions[1].values.len(), 2);
        let first = Order { field: "campaign.id".to_owned(), descending: true };
        assert_eq!(query.order[0], first);
        assert!(!query.order[1].descending);
        assert_eq!(query.limit, Some(7));
        assert_eq!(query.parameters, [("include_drafts".to_owned(), true)]);
    }

    #[test]
    fn every_clause_error_has_its_code() {
        assert_eq!(code("FROM campaign"), "EXPECTED_SELECT");
        assert_eq!(code("SELECT campaign.id"), "EXPECTED_FROM");
        assert_eq!(code("SELECT * FROM campaign"), "UNEXPECTED_INPUT");
        assert_eq!(code("SELECT campaign.id,, x FROM campaign"), "UNEXPECTED_INPUT");
        assert_eq!(code("SELECT campaign.id FROM"), "UNEXPECTED_END_OF_QUERY");
        assert_eq!(code("SELECT a FROM b LIMIT 1 WHERE a = 1"), "UNEXPECTED_INPUT");
        assert_eq!(code("SELECT a FROM b ORDER a"), "EXPECTED_BY");
    }

    #[test]
    fn every_condition_error_has_its_code() {
        assert_eq!(code("SELECT a FROM b WHERE a = 1 OR a = 2"), "UNEXPECTED_INPUT");
        assert_eq!(code("SELECT a FROM b WHERE a == 1"), "UNEXPECTED_INPUT");
        assert_eq!(code("SELECT a FROM b WHERE a IN 1"), "EXPECTED_LIST");
        assert_eq!(code("SELECT a FROM b WHERE a IN ()"), "PROHIBITED_EMPTY_LIST_IN_CONDITION");
        assert_eq!(code("SELECT a FROM b WHERE a = (1)"), "EXPECTED_SINGLE_VALUE");
        assert_eq!(code("SELECT a FROM b WHERE a BETWEEN 1"), "EXPECTED_AND");
        assert_eq!(code("SELECT a FROM b WHERE a ~ 1"), "UNEXPECTED_INPUT");
        assert_eq!(code("SELECT a FROM b WHERE a IS 1"), "BAD_OPERATOR");
    }

    #[test]
    fn every_limit_and_parameter_error_has_its_code() {
        assert_eq!(code("SELECT a FROM b LIMIT 0"), "LIMIT_VALUE_TOO_LOW");
        assert_eq!(code("SELECT a FROM b LIMIT x"), "BAD_LIMIT_VALUE");
        assert_eq!(code("SELECT a FROM b LIMIT -1"), "BAD_LIMIT_VALUE");
        assert_eq!(code("SELECT a FROM b PARAMETERS x=true"), "BAD_PARAMETER_NAME");
        assert_eq!(code("SELECT a FROM b PARAMETERS include_drafts=1"), "BAD_PARAMETER_VALUE");
    }
}
