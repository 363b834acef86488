//! The Google Ads Query Language, as far as reading campaigns needs it.
//!
//! Google Ads API: Query language, Grammar and Query structure pages.

mod lexer;
mod parser;

pub(crate) use parser::parse;

/// A query whose words are in place; whether its fields exist is not looked at here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query {
    /// Snake-case field names, in the order of the SELECT clause.
    pub(crate) select: Vec<String>,
    pub(crate) from: String,
    /// All of them have to hold: the language has no OR.
    pub(crate) conditions: Vec<Condition>,
    pub(crate) order: Vec<Order>,
    pub(crate) limit: Option<usize>,
    /// Name and value of the PARAMETERS clause.
    pub(crate) parameters: Vec<(String, bool)>,
}

/// One comparison of the WHERE clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) field: String,
    pub(crate) operator: Operator,
    /// None for IS NULL, two for BETWEEN, any number for IN, else one.
    pub(crate) values: Vec<Literal>,
}

/// One field of the ORDER BY clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) field: String,
    pub(crate) descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    Like,
    NotLike,
    Between,
    IsNull,
    IsNotNull,
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    /// In quotes.
    Text(String),
    /// Digits, with a sign or a point perhaps.
    Number(String),
    /// A bare word: an enum constant, TRUE or FALSE.
    Word(String),
}

impl Literal {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Word(text) => text,
        }
    }
}

/// Why a query is refused: a value of `queryError`, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl QueryError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// The campaign that a query is restricted to by its id or resource name, if it is.
pub(crate) fn single_campaign(query: &Query) -> bool {
    query.conditions.iter().any(|condition| {
        let one = condition.operator == Operator::Equal
            || (condition.operator == Operator::In && condition.values.len() == 1);
        one && matches!(condition.field.as_str(), "campaign.id" | "campaign.resource_name")
    })
}
