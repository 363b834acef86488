//! The parameters `effective_status` and `filtering` of campaign lists and insights.
//!
//! Marketing API: Filtering; Manage Your Ad Object's Status.

use super::campaign::Campaign;
use super::error::GraphError;
use super::params::Params;
use serde::Deserialize;
use serde_json::Value;

const EFFECTIVE_STATUSES: &[&str] = &["ACTIVE", "ARCHIVED", "DELETED", "IN_PROCESS", "PAUSED", "WITH_ISSUES"];

/// One condition as sent.
#[derive(Deserialize)]
struct RawCondition {
    field: String,
    operator: String,
    value: Value,
}

/// One condition.
struct Condition {
    field: Field,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Id,
    Name,
    Status,
    Created,
    Updated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Contain,
    NotContain,
    After,
    NotBefore,
    Before,
    NotAfter,
}

/// A filter over campaigns. All conditions have to match.
pub(crate) struct Filter {
    conditions: Vec<Condition>,
    /// Whether a condition is on the status, so that the default status filter does not apply.
    filters_status: bool,
}

impl Filter {
    /// Reads `effective_status` and `filtering`.
    pub(crate) fn read(params: &Params) -> Result<Self, GraphError> {
        let mut conditions = Vec::new();
        if let Some(text) = params.string("filtering") {
            let raw: Vec<RawCondition> = serde_json::from_str(text)
                .map_err(|_| GraphError::parameter("Param filtering must be an array of field, operator and value"))?;
            conditions = raw.iter().map(condition).collect::<Result<_, _>>()?;
        }
        if let Some(statuses) = params.choices("effective_status", EFFECTIVE_STATUSES)? {
            let values = statuses.into_iter().map(str::to_owned).collect();
            conditions.push(Condition { field: Field::Status, operator: Operator::In, values });
        }
        let filters_status = conditions.iter().any(|condition| condition.field == Field::Status);
        Ok(Self { conditions, filters_status })
    }

    /// Whether a campaign list includes the campaign. Archived and deleted ones need a status filter.
    pub(crate) fn lists(&self, campaign: &Campaign) -> bool {
        (self.filters_status || campaign.status.is_listed_by_default()) && self.matches(campaign)
    }

    /// Whether every condition matches.
    pub(crate) fn matches(&self, campaign: &Campaign) -> bool {
        self.conditions.iter().all(|condition| condition.matches(campaign))
    }
}

impl Condition {
    fn matches(&self, campaign: &Campaign) -> bool {
        match self.field {
            Field::Id => self.matches_text(&campaign.id.to_string()),
            Field::Name => self.matches_text(&campaign.name),
            Field::Status => self.matches_text(campaign.status.as_str()),
            Field::Created => self.matches_time(campaign.created.as_second()),
            Field::Updated => self.matches_time(campaign.updated.as_second()),
        }
    }

    fn matches_text(&self, text: &str) -> bool {
        let equals = |value: &String| value == text;
        let is_part = |value: &String| text.to_lowercase().contains(&value.to_lowercase());
        match self.operator {
            Operator::In => self.values.iter().any(equals),
            Operator::NotIn => !self.values.iter().any(equals),
            Operator::Contain => self.values.iter().any(is_part),
            Operator::NotContain => !self.values.iter().any(is_part),
            _ => false,
        }
    }

    fn matches_time(&self, second: i64) -> bool {
        let Some(limit) = self.values.first().and_then(|value| value.parse::<i64>().ok()) else { return false };
        match self.operator {
            Operator::After => second > limit,
            Operator::NotBefore => second >= limit,
            Operator::Before => second < limit,
            Operator::NotAfter => second <= limit,
            _ => false,
        }
    }
}

fn condition(raw: &RawCondition) -> Result<Condition, GraphError> {
    let name = raw.field.strip_prefix("campaign.").unwrap_or(&raw.field);
    let field = match name {
        "id" => Field::Id,
        "name" => Field::Name,
        "effective_status" => Field::Status,
        "created_time" => Field::Created,
        "updated_time" => Field::Updated,
        _ => return Err(GraphError::parameter(format!("Filtering field '{}' is invalid", raw.field))),
    };
    let values = strings(&raw.value);
    let operator = match (field, raw.operator.as_str()) {
        (Field::Id | Field::Name | Field::Status, "IN" | "EQUAL") => Operator::In,
        (Field::Id | Field::Name | Field::Status, "NOT_IN" | "NOT_EQUAL") => Operator::NotIn,
        (Field::Name, "CONTAIN") => Operator::Contain,
        (Field::Name, "NOT_CONTAIN") => Operator::NotContain,
        (Field::Created | Field::Updated, "GREATER_THAN") => Operator::After,
        (Field::Created | Field::Updated, "GREATER_THAN_OR_EQUAL") => Operator::NotBefore,
        (Field::Created | Field::Updated, "LESS_THAN") => Operator::Before,
        (Field::Created | Field::Updated, "LESS_THAN_OR_EQUAL") => Operator::NotAfter,
        _ => {
            let why = format!("Filtering operator '{}' is invalid for field '{name}'", raw.operator);
            return Err(GraphError::parameter(why));
        }
    };
    let status_is_known = |value: &String| EFFECTIVE_STATUSES.contains(&value.as_str());
    if values.is_empty() || (field == Field::Status && !values.iter().all(status_is_known)) {
        return Err(GraphError::parameter(format!("Filtering value of field '{name}' is invalid")));
    }
    Ok(Condition { field, operator, values })
}

/// The values of a string, a number or a list of them.
pub(super) fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(list) => list.iter().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Request;

    fn filter(query: &str) -> Result<Filter, GraphError> {
        let request = Request { query: query.to_owned(), ..Request::default() };
        Filter::read(&Params::read(&request).unwrap())
    }

    #[test]
    fn an_unsupported_filter_is_rejected() {
        for bad in [
            "effective_status=ACTIVE",
            "effective_status=[\"ENABLED\"]",
            "filtering={}",
            "filtering=[{\"field\":\"colour\",\"operator\":\"IN\",\"value\":[\"x\"]}]",
            "filtering=[{\"field\":\"name\",\"operator\":\"LIKE\",\"value\":\"x\"}]",
            "filtering=[{\"field\":\"effective_status\",\"operator\":\"IN\",\"value\":[\"GONE\"]}]",
            "filtering=[{\"field\":\"created_time\",\"operator\":\"CONTAIN\",\"value\":1}]",
        ] {
            assert!(filter(bad).is_err(), "{bad}");
        }
        assert!(filter("effective_status=[\"WITH_ISSUES\"]").is_ok());
    }
}
