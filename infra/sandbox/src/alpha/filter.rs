//! Type-checks and evaluates the conditions of a query.

use super::field_catalog::{self, ValueType};
use super::field_value::FieldValue;
use super::gaql::{Condition, Literal, Operator, QueryError};
use crate::money::micros;
use jiff::civil::Date;

/// A condition whose values have the type of its field.
pub(crate) struct Filter<'q> {
    pub(crate) field: &'q str,
    operator: Operator,
    values: Vec<FieldValue>,
}

impl<'q> Filter<'q> {
    /// Type-checks a condition.
    pub(crate) fn new(condition: &'q Condition) -> Result<Self, QueryError> {
        let field = condition.field.as_str();
        let Some(value_type) = field_catalog::value_type(field) else {
            return Err(QueryError::new("UNRECOGNIZED_FIELD", format!("Unrecognized field '{field}'.")));
        };
        if !supports(value_type, condition.operator) {
            let why = format!("The operator cannot be used with the field '{field}'.");
            return Err(QueryError::new("OPERATOR_FIELD_MISMATCH", why));
        }
        // The name of a range of dates is no value.
        let literals: &[_] = if condition.operator == Operator::During { &[] } else { &condition.values };
        let values: Result<_, _> = literals.iter().map(|literal| value(value_type, literal, field)).collect();
        Ok(Self { field, operator: condition.operator, values: values? })
    }

    /// Whether a row with this value of the field matches.
    pub(crate) fn matches(&self, value: Option<&FieldValue>) -> bool {
        let Some(value) = value else {
            let match_null = [Operator::IsNull, Operator::NotEqual, Operator::NotIn, Operator::NotLike];
            return match_null.contains(&self.operator);
        };
        match (self.operator, self.values.as_slice()) {
            (Operator::IsNotNull, _) => true,
            (Operator::In, operands) => operands.contains(value),
            (Operator::NotIn, operands) => !operands.contains(value),
            (Operator::Between, [low, high]) => low <= value && value <= high,
            (Operator::Equal, [operand]) => value == operand,
            (Operator::NotEqual, [operand]) => value != operand,
            (Operator::Less, [operand]) => value < operand,
            (Operator::LessOrEqual, [operand]) => value <= operand,
            (Operator::Greater, [operand]) => value > operand,
            (Operator::GreaterOrEqual, [operand]) => value >= operand,
            (Operator::Like, [FieldValue::Text(pattern)]) => is_like(value, pattern),
            (Operator::NotLike, [FieldValue::Text(pattern)]) => !is_like(value, pattern),
            _ => false,
        }
    }
}

fn supports(value_type: ValueType, operator: Operator) -> bool {
    let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual | Operator::IsNull | Operator::IsNotNull);
    let is_list = matches!(operator, Operator::In | Operator::NotIn);
    let is_like = matches!(operator, Operator::Like | Operator::NotLike);
    match value_type {
        ValueType::Int | ValueType::Double | ValueType::DateTime => !is_like && operator != Operator::During,
        ValueType::Date => {
            let is_order = matches!(operator, Operator::Less | Operator::LessOrEqual | Operator::Greater);
            let is_range = matches!(operator, Operator::GreaterOrEqual | Operator::Between | Operator::During);
            is_order || is_range || operator == Operator::Equal
        }
        ValueType::Text => is_equality || is_list || is_like,
        ValueType::Enum(_) => is_equality || is_list,
        ValueType::Bool => is_equality,
        // CONTAINS, which the sandbox does not support.
        ValueType::Repeated => matches!(operator, Operator::IsNull | Operator::IsNotNull),
    }
}

fn value(value_type: ValueType, literal: &Literal, field: &str) -> Result<FieldValue, QueryError> {
    let text = literal.text();
    let is_quoted = matches!(literal, Literal::Text(_));
    let reject =
        |code, what: &str| Err(QueryError::new(code, format!("Error in query: {what} '{text}' for '{field}'.")));
    match value_type {
        ValueType::Int => match text.parse() {
            Ok(number) => Ok(FieldValue::Int(number)),
            Err(_) => reject("BAD_VALUE", "invalid value"),
        },
        ValueType::Double => match micros(text) {
            Some(number) => Ok(FieldValue::Double(number)),
            None => reject("BAD_VALUE", "invalid value"),
        },
        ValueType::Bool => match text.to_ascii_uppercase().as_str() {
            "TRUE" => Ok(FieldValue::Bool(true)),
            "FALSE" => Ok(FieldValue::Bool(false)),
            _ => reject("BAD_VALUE", "invalid value"),
        },
        ValueType::Enum(enum_type) if enum_type.contains(text) => Ok(FieldValue::text(text)),
        ValueType::Enum(_) => reject("BAD_ENUM_CONSTANT", "invalid enum constant"),
        ValueType::Repeated => reject("BAD_VALUE", "invalid value"),
        ValueType::Text | ValueType::DateTime | ValueType::Date if !is_quoted => {
            reject("INVALID_STRING_VALUE", "unquoted text")
        }
        ValueType::Date => match date(text) {
            Some(date) => Ok(FieldValue::text(date.to_string())),
            None => reject("INVALID_DATE_FORMAT", "invalid date"),
        },
        ValueType::DateTime if text.len() == 10 => Ok(FieldValue::Text(format!("{text} 00:00:00"))),
        ValueType::Text | ValueType::DateTime => Ok(FieldValue::text(text)),
    }
}

/// A date of a condition: `2026-01-31` or `20260131`.
pub(crate) fn date(text: &str) -> Option<Date> {
    let (format, length) = if text.contains('-') { ("%Y-%m-%d", 10) } else { ("%Y%m%d", 8) };
    if text.len() == length { Date::strptime(format, text).ok() } else { None }
}

fn is_like(value: &FieldValue, pattern: &str) -> bool {
    let FieldValue::Text(text) = value else { return false };
    let text: Vec<char> = text.chars().collect();
    matches(&text, &parse_pattern(pattern))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wildcard {
    AnyText,
    AnyChar,
    Char(char),
}

/// `%` matches any text and `_` any character. In square brackets both are literal.
fn parse_pattern(pattern: &str) -> Vec<Wildcard> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut wildcards = Vec::new();
    let mut rest = characters.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        wildcards.push(match (first, after) {
            ('[', [escaped, ']', beyond @ ..]) => {
                rest = beyond;
                Wildcard::Char(*escaped)
            }
            ('%', _) => Wildcard::AnyText,
            ('_', _) => Wildcard::AnyChar,
            (other, _) => Wildcard::Char(*other),
        });
    }
    wildcards
}

/// Dynamic programming: the time is bounded by the pattern's length times the text's.
fn matches(text: &[char], pattern: &[Wildcard]) -> bool {
    let mut reachable = vec![false; text.len() + 1];
    reachable[0] = true;
    for wildcard in pattern {
        let mut next = vec![false; text.len() + 1];
        let mut seen = false;
        for at in 0..=text.len() {
            seen |= reachable[at];
            next[at] = match wildcard {
                Wildcard::AnyText => seen,
                Wildcard::AnyChar => at > 0 && reachable[at - 1],
                Wildcard::Char(character) => at > 0 && reachable[at - 1] && text[at - 1] == *character,
            };
        }
        reachable = next;
    }
    reachable[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(condition: &str, value: Option<&FieldValue>) -> Result<bool, &'static str> {
        let query = format!("SELECT campaign.id FROM campaign WHERE {condition}");
        let query = crate::alpha::gaql::parse(&query).map_err(|error| error.code)?;
        let filter = Filter::new(&query.conditions[0]).map_err(|error| error.code)?;
        Ok(filter.matches(value))
    }

    #[test]
    fn values_are_compared_by_the_type_of_the_field() {
        let number = FieldValue::Int(10);
        assert_eq!(matches("campaign.id > 9", Some(&number)), Ok(true));
        assert_eq!(matches("campaign.id IN ('10', 11)", Some(&number)), Ok(true));
        assert_eq!(matches("campaign.id BETWEEN 11 AND 12", Some(&number)), Ok(false));
        let status = FieldValue::text("PAUSED");
        assert_eq!(matches("campaign.status != 'REMOVED'", Some(&status)), Ok(true));
        assert_eq!(matches("campaign.status = PAUSED", Some(&status)), Ok(true));
        assert_eq!(matches("campaign.end_date_time IS NULL", None), Ok(true));
        assert_eq!(matches("campaign.end_date_time < '2030-01-01'", None), Ok(false));
    }

    #[test]
    fn like_supports_wildcards_and_brackets() {
        let like = |pattern: &str, text: &str| {
            matches(&format!("campaign.name LIKE '{pattern}'"), Some(&FieldValue::text(text)))
        };
        assert_eq!(like("%sale%", "Winter sale 5"), Ok(true));
        assert_eq!(like("sale", "Winter sale"), Ok(false));
        assert_eq!(like("50[%]_", "50%!"), Ok(true));
        assert_eq!(like("50[%]", "500"), Ok(false));
        assert_eq!(like("%%%%%%%%%%%%%%%%%%%%b", &"a".repeat(5000)), Ok(false));
    }

    #[test]
    fn every_type_error_has_its_code() {
        assert_eq!(matches("campaign.status = 'SLEEPING'", None), Err("BAD_ENUM_CONSTANT"));
        assert_eq!(matches("campaign.id = 'x'", None), Err("BAD_VALUE"));
        assert_eq!(matches("campaign.name = sale", None), Err("INVALID_STRING_VALUE"));
        assert_eq!(matches("campaign.status > 'PAUSED'", None), Err("OPERATOR_FIELD_MISMATCH"));
        assert_eq!(matches("campaign.id LIKE '1%'", None), Err("OPERATOR_FIELD_MISMATCH"));
        assert_eq!(matches("campaign.odd = 1", None), Err("UNRECOGNIZED_FIELD"));
    }
}
