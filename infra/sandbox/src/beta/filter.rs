//! The parameters `effective_status` and `filtering` of the lists of campaigns and of insights.
//!
//! Marketing API: Filtering; Manage Your Ad Object's Status.

use serde::Deserialize;
use serde_json::Value;

use super::campaign::Campaign;
use super::error::GraphError;
use super::params::Params;

const EFFECTIVE: &[&str] = &["ACTIVE", "ARCHIVED", "DELETED", "IN_PROCESS", "PAUSED", "WITH_ISSUES"];

#[derive(Deserialize)]
struct Raw {
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

/// Which campaigns are wanted.
pub(crate) struct Filter {
    conditions: Vec<Condition>,
    /// A status was asked for, so that nothing is hidden.
    by_status: bool,
}

impl Filter {
    /// `effective_status` and `filtering`, all of whose conditions have to hold.
    pub(crate) fn read(params: &Params) -> Result<Self, GraphError> {
        let mut conditions = Vec::new();
        if let Some(text) = params.text("filtering") {
            let raw: Vec<Raw> = serde_json::from_str(text)
                .map_err(|_| GraphError::parameter("Param filtering must be an array of field, operator and value"))?;
            conditions = raw.iter().map(condition).collect::<Result<_, _>>()?;
        }
        if let Some(wanted) = params.choices("effective_status", EFFECTIVE)? {
            let values = wanted.into_iter().map(str::to_owned).collect();
            conditions.push(Condition { field: Field::Status, operator: Operator::In, values });
        }
        let by_status = conditions.iter().any(|condition| condition.field == Field::Status);
        Ok(Self { conditions, by_status })
    }

    /// For lists of campaigns: those that are archived or deleted only when asked for.
    pub(crate) fn lists(&self, campaign: &Campaign) -> bool {
        (self.by_status || campaign.status.is_listed()) && self.keeps(campaign)
    }

    /// Whether every condition holds.
    pub(crate) fn keeps(&self, campaign: &Campaign) -> bool {
        self.conditions.iter().all(|condition| condition.holds(campaign))
    }
}

impl Condition {
    fn holds(&self, campaign: &Campaign) -> bool {
        match self.field {
            Field::Id => self.matches(&campaign.id.to_string()),
            Field::Name => self.matches(&campaign.name),
            Field::Status => self.matches(campaign.status.name()),
            Field::Created => self.is_when(campaign.created.as_second()),
            Field::Updated => self.is_when(campaign.updated.as_second()),
        }
    }

    fn matches(&self, text: &str) -> bool {
        let same = |value: &String| value == text;
        let contained = |value: &String| text.to_lowercase().contains(&value.to_lowercase());
        match self.operator {
            Operator::In => self.values.iter().any(same),
            Operator::NotIn => !self.values.iter().any(same),
            Operator::Contain => self.values.iter().any(contained),
            Operator::NotContain => !self.values.iter().any(contained),
            _ => false,
        }
    }

    fn is_when(&self, second: i64) -> bool {
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

fn condition(raw: &Raw) -> Result<Condition, GraphError> {
    let name = raw.field.strip_prefix("campaign.").unwrap_or(&raw.field);
    let field = match name {
        "id" => Field::Id,
        "name" => Field::Name,
        "effective_status" => Field::Status,
        "created_time" => Field::Created,
        "updated_time" => Field::Updated,
        _ => return Err(GraphError::parameter(format!("Filtering field '{}' is invalid", raw.field))),
    };
    let values = texts(&raw.value);
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
    let status_is_known = |value: &String| EFFECTIVE.contains(&value.as_str());
    if values.is_empty() || (field == Field::Status && !values.iter().all(status_is_known)) {
        return Err(GraphError::parameter(format!("Filtering value of field '{name}' is invalid")));
    }
    Ok(Condition { field, operator, values })
}

/// A text, a number or a list of them.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
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
    fn what_the_platform_does_not_filter_by_is_refused() {
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
