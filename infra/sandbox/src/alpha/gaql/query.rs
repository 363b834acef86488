//! A parsed query.
//!
//! Google Ads API: Query structure.

/// A syntactically valid query. Its field names are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query {
    /// Snake-case field names, in the order of the SELECT clause.
    pub(crate) select: Vec<String>,
    pub(crate) from: String,
    /// All conditions have to match: the language has no OR.
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
    /// No value for IS NULL, two for BETWEEN, any number for IN, otherwise one.
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
    During,
    IsNull,
    IsNotNull,
}

/// A literal as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    /// Quoted.
    Text(String),
    /// Digits with an optional sign and decimal point.
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

/// A value of `queryError` with its message.
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

impl Query {
    /// Whether a condition restricts the query to one campaign.
    pub(crate) fn is_of_one_campaign(&self) -> bool {
        self.conditions.iter().any(|condition| {
            let has_one_value = condition.operator == Operator::Equal
                || (condition.operator == Operator::In && condition.values.len() == 1);
            has_one_value && matches!(condition.field.as_str(), "campaign.id" | "campaign.resource_name")
        })
    }
}
