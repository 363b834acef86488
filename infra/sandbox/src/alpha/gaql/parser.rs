//! Parses the clauses of a query.

use super::conditions::conditions;
use super::lexer::Token;
use super::query::{Order, Query, QueryError};
use super::token_stream::{Parsed, TokenStream, unexpected};

/// Parses a whole query.
pub(crate) fn parse(text: &str) -> Parsed<Query> {
    let mut tokens = TokenStream::new(text)?;
    let query = parse_query(&mut tokens)?;
    match tokens.next_if_any() {
        None => Ok(query),
        Some(extra) => Err(unexpected(&extra)),
    }
}

fn parse_query(tokens: &mut TokenStream) -> Parsed<Query> {
    if !tokens.keyword("SELECT") {
        let why = "Error in query: SELECT is expected at the start.";
        return Err(QueryError::new("EXPECTED_SELECT", why));
    }
    let select = fields(tokens)?;
    if !tokens.keyword("FROM") {
        return Err(match tokens.next_if_any() {
            Some(token @ (Token::Symbol(_) | Token::Text(_) | Token::Number(_))) => unexpected(&token),
            _ => QueryError::new("EXPECTED_FROM", "Error in query: FROM is expected."),
        });
    }
    Ok(Query {
        select,
        from: tokens.word()?,
        conditions: conditions(tokens)?,
        order: order(tokens)?,
        limit: limit(tokens)?,
        parameters: parameters(tokens)?,
    })
}

fn fields(tokens: &mut TokenStream) -> Parsed<Vec<String>> {
    let mut fields = vec![tokens.word()?];
    while tokens.symbol(",") {
        fields.push(tokens.word()?);
    }
    Ok(fields)
}

fn order(tokens: &mut TokenStream) -> Parsed<Vec<Order>> {
    if !tokens.keyword("ORDER") {
        return Ok(Vec::new());
    }
    if !tokens.keyword("BY") {
        let why = "Error in query: BY is expected after ORDER.";
        return Err(QueryError::new("EXPECTED_BY", why));
    }
    let mut order = vec![ordering(tokens)?];
    while tokens.symbol(",") {
        order.push(ordering(tokens)?);
    }
    Ok(order)
}

fn ordering(tokens: &mut TokenStream) -> Parsed<Order> {
    let field = tokens.word()?;
    let descending = tokens.keyword("DESC");
    if !descending {
        tokens.keyword("ASC");
    }
    Ok(Order { field, descending })
}

fn limit(tokens: &mut TokenStream) -> Parsed<Option<usize>> {
    if !tokens.keyword("LIMIT") {
        return Ok(None);
    }
    let token = tokens.advance()?;
    match token.text().parse::<usize>() {
        Ok(0) => Err(QueryError::new("LIMIT_VALUE_TOO_LOW", "Error in query: LIMIT has to be positive.")),
        Ok(limit) if matches!(token, Token::Number(_)) => Ok(Some(limit)),
        _ => {
            let why = format!("Error in query: invalid limit {}.", token.text());
            Err(QueryError::new("BAD_LIMIT_VALUE", why))
        }
    }
}

fn parameters(tokens: &mut TokenStream) -> Parsed<Vec<(String, bool)>> {
    let mut parameters = Vec::new();
    if !tokens.keyword("PARAMETERS") {
        return Ok(parameters);
    }
    loop {
        parameters.push(parameter(tokens)?);
        if !tokens.symbol(",") {
            return Ok(parameters);
        }
    }
}

fn parameter(tokens: &mut TokenStream) -> Parsed<(String, bool)> {
    let name = tokens.word()?;
    if !matches!(name.as_str(), "include_drafts" | "omit_unselected_resource_names") {
        let why = format!("Error in query: unknown parameter {name}.");
        return Err(QueryError::new("BAD_PARAMETER_NAME", why));
    }
    if !tokens.symbol("=") {
        return Err(unexpected(&tokens.advance()?));
    }
    let value = tokens.advance()?;
    match value.text() {
        "true" | "TRUE" => Ok((name, true)),
        "false" | "FALSE" => Ok((name, false)),
        other => {
            let why = format!("Error in query: invalid value {other} of {name}.");
            Err(QueryError::new("BAD_PARAMETER_VALUE", why))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::Operator;
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
