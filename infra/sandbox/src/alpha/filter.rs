//! Conditions of a query: whether they fit their field, and whether a row meets them.

use super::accounts::Cell;
use super::catalogue::{self, Kind};
use super::gaql::{Condition, Literal, Operator, QueryError};

/// A condition whose values are of its field's kind.
pub(crate) struct Filter<'q> {
    pub(crate) field: &'q str,
    operator: Operator,
    values: Vec<Cell>,
}

impl<'q> Filter<'q> {
    /// Checks a condition; that its field exists was seen to before.
    pub(crate) fn new(condition: &'q Condition) -> Result<Self, QueryError> {
        let field = condition.field.as_str();
        let Some(kind) = catalogue::kind(field) else {
            return Err(QueryError::new("UNRECOGNIZED_FIELD", format!("Unrecognized field '{field}'.")));
        };
        if !fits(kind, condition.operator) {
            let why = format!("The operator cannot be used with the field '{field}'.");
            return Err(QueryError::new("OPERATOR_FIELD_MISMATCH", why));
        }
        let values: Result<_, _> = condition.values.iter().map(|literal| value(kind, literal, field)).collect();
        Ok(Self { field, operator: condition.operator, values: values? })
    }

    /// Whether a row with this value in the field stays.
    pub(crate) fn keeps(&self, cell: Option<&Cell>) -> bool {
        let Some(cell) = cell else {
            let without = [Operator::IsNull, Operator::NotEqual, Operator::NotIn, Operator::NotLike];
            return without.contains(&self.operator);
        };
        match (self.operator, self.values.as_slice()) {
            (Operator::IsNotNull, _) => true,
            (Operator::In, values) => values.contains(cell),
            (Operator::NotIn, values) => !values.contains(cell),
            (Operator::Between, [low, high]) => low <= cell && cell <= high,
            (Operator::Equal, [value]) => cell == value,
            (Operator::NotEqual, [value]) => cell != value,
            (Operator::Less, [value]) => cell < value,
            (Operator::LessOrEqual, [value]) => cell <= value,
            (Operator::Greater, [value]) => cell > value,
            (Operator::GreaterOrEqual, [value]) => cell >= value,
            (Operator::Like, [Cell::Text(pattern)]) => is_like(cell, pattern),
            (Operator::NotLike, [Cell::Text(pattern)]) => !is_like(cell, pattern),
            _ => false,
        }
    }
}

fn fits(kind: Kind, operator: Operator) -> bool {
    let equality = matches!(operator, Operator::Equal | Operator::NotEqual | Operator::IsNull | Operator::IsNotNull);
    let listed = matches!(operator, Operator::In | Operator::NotIn);
    let alike = matches!(operator, Operator::Like | Operator::NotLike);
    match kind {
        Kind::Int | Kind::DateTime => !alike,
        Kind::Text => equality || listed || alike,
        Kind::Enum(_) => equality || listed,
        Kind::Bool => equality,
    }
}

fn value(kind: Kind, literal: &Literal, field: &str) -> Result<Cell, QueryError> {
    let text = literal.text();
    let quoted = matches!(literal, Literal::Text(_));
    let refuse =
        |code, what: &str| Err(QueryError::new(code, format!("Error in query: {what} '{text}' for '{field}'.")));
    match kind {
        Kind::Int => match text.parse() {
            Ok(number) => Ok(Cell::Int(number)),
            Err(_) => refuse("BAD_VALUE", "invalid value"),
        },
        Kind::Bool => match text.to_ascii_uppercase().as_str() {
            "TRUE" => Ok(Cell::Bool(true)),
            "FALSE" => Ok(Cell::Bool(false)),
            _ => refuse("BAD_VALUE", "invalid value"),
        },
        Kind::Enum(choice) if choice.values.contains(&text) => Ok(Cell::text(text)),
        Kind::Enum(_) => refuse("BAD_ENUM_CONSTANT", "invalid enum constant"),
        Kind::Text | Kind::DateTime if !quoted => refuse("INVALID_STRING_VALUE", "unquoted text"),
        Kind::DateTime if text.len() == 10 => Ok(Cell::Text(format!("{text} 00:00:00"))),
        Kind::Text | Kind::DateTime => Ok(Cell::text(text)),
    }
}

fn is_like(cell: &Cell, pattern: &str) -> bool {
    let Cell::Text(text) = cell else { return false };
    let text: Vec<char> = text.chars().collect();
    let pattern = pattern_of(pattern);
    matches(&text, &pattern)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Any,
    One,
    Exactly(char),
}

/// `%` is any text, `_` any character; either stands for itself in square brackets.
fn pattern_of(pattern: &str) -> Vec<Piece> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = characters.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        pieces.push(match (first, after) {
            ('[', [escaped, ']', beyond @ ..]) => {
                rest = beyond;
                Piece::Exactly(*escaped)
            }
            ('%', _) => Piece::Any,
            ('_', _) => Piece::One,
            (other, _) => Piece::Exactly(*other),
        });
    }
    pieces
}

/// Row by row over the pattern, so that no pattern takes more than its length times the text's.
fn matches(text: &[char], pattern: &[Piece]) -> bool {
    let mut reachable = vec![false; text.len() + 1];
    reachable[0] = true;
    for piece in pattern {
        let mut next = vec![false; text.len() + 1];
        let mut seen = false;
        for at in 0..=text.len() {
            seen |= reachable[at];
            next[at] = match piece {
                Piece::Any => seen,
                Piece::One => at > 0 && reachable[at - 1],
                Piece::Exactly(character) => at > 0 && reachable[at - 1] && text[at - 1] == *character,
            };
        }
        reachable = next;
    }
    reachable[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps(condition: &str, cell: Option<&Cell>) -> Result<bool, &'static str> {
        let query = format!("SELECT campaign.id FROM campaign WHERE {condition}");
        let query = crate::alpha::gaql::parse(&query).map_err(|error| error.code)?;
        let filter = Filter::new(&query.conditions[0]).map_err(|error| error.code)?;
        Ok(filter.keeps(cell))
    }

    #[test]
    fn values_are_compared_by_the_kind_of_the_field() {
        let number = Cell::Int(10);
        assert_eq!(keeps("campaign.id > 9", Some(&number)), Ok(true));
        assert_eq!(keeps("campaign.id IN ('10', 11)", Some(&number)), Ok(true));
        assert_eq!(keeps("campaign.id BETWEEN 11 AND 12", Some(&number)), Ok(false));
        let status = Cell::text("PAUSED");
        assert_eq!(keeps("campaign.status != 'REMOVED'", Some(&status)), Ok(true));
        assert_eq!(keeps("campaign.status = PAUSED", Some(&status)), Ok(true));
        assert_eq!(keeps("campaign.end_date_time IS NULL", None), Ok(true));
        assert_eq!(keeps("campaign.end_date_time < '2030-01-01'", None), Ok(false));
    }

    #[test]
    fn like_knows_wildcards_and_brackets() {
        let like =
            |pattern: &str, text: &str| keeps(&format!("campaign.name LIKE '{pattern}'"), Some(&Cell::text(text)));
        assert_eq!(like("%sale%", "Winter sale 5"), Ok(true));
        assert_eq!(like("sale", "Winter sale"), Ok(false));
        assert_eq!(like("50[%]_", "50%!"), Ok(true));
        assert_eq!(like("50[%]", "500"), Ok(false));
        assert_eq!(like("%%%%%%%%%%%%%%%%%%%%b", &"a".repeat(5000)), Ok(false));
    }

    #[test]
    fn a_value_or_operator_of_the_wrong_kind_has_its_code() {
        assert_eq!(keeps("campaign.status = 'SLEEPING'", None), Err("BAD_ENUM_CONSTANT"));
        assert_eq!(keeps("campaign.id = 'x'", None), Err("BAD_VALUE"));
        assert_eq!(keeps("campaign.name = sale", None), Err("INVALID_STRING_VALUE"));
        assert_eq!(keeps("campaign.status > 'PAUSED'", None), Err("OPERATOR_FIELD_MISMATCH"));
        assert_eq!(keeps("campaign.id LIKE '1%'", None), Err("OPERATOR_FIELD_MISMATCH"));
        assert_eq!(keeps("campaign.odd = 1", None), Err("UNRECOGNIZED_FIELD"));
    }
}
