//! The finder `search` of accounts, groups and campaigns.
//!
//! Marketing API: "Create and Manage Campaigns", "Search for Campaigns".

use super::error::invalid_param;
use super::pages::{self, Page};
use super::restli::{Query, RestliValue};
use super::schema::{self, STATUSES, TYPES, urn_id};
use crate::http::{Request, Response};
use crate::service::RequestContext;
use serde_json::Value;

const MAX_PAGE_SIZE: usize = 1_000;

/// The comparison of a criterion.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MatchKind {
    Text,
    Enum(&'static [&'static str]),
    /// A URN with this prefix. The field holds its number or the URN itself.
    Urn(&'static str),
}

/// The supported criteria of a finder, by field.
pub(crate) type Criteria = &'static [(&'static str, MatchKind)];

pub(crate) const ACCOUNTS: Criteria = &[
    ("id", MatchKind::Urn(schema::ACCOUNT_URN)),
    ("name", MatchKind::Text),
    ("status", MatchKind::Enum(&["ACTIVE", "CANCELED", "DRAFT", "PENDING_DELETION", "REMOVED"])),
    ("type", MatchKind::Enum(&["BUSINESS", "ENTERPRISE"])),
];
pub(crate) const GROUPS: Criteria =
    &[("id", MatchKind::Urn(schema::GROUP_URN)), ("name", MatchKind::Text), ("status", MatchKind::Enum(STATUSES))];
pub(crate) const CAMPAIGNS: Criteria = &[
    ("id", MatchKind::Urn(schema::CAMPAIGN_URN)),
    ("name", MatchKind::Text),
    ("status", MatchKind::Enum(STATUSES)),
    ("type", MatchKind::Enum(TYPES)),
    ("campaignGroup", MatchKind::Urn(schema::GROUP_URN)),
];

/// One page of the matching elements, ordered by id.
pub(super) fn search(
    request: &Request,
    context: &RequestContext<'_>,
    criteria: Criteria,
    elements: Vec<Value>,
) -> Result<Page, Response> {
    let query = Query::read(request, &[pages::PARAMETERS, &["search"]].concat())?;
    query.check_finder("search")?;
    let wanted = match query.data("search")? {
        Some(search) => read(&search, criteria)?,
        None => Vec::new(),
    };
    let found = elements.into_iter().filter(|one| wanted.iter().all(|criterion| criterion.matches(one)));
    let found = found.map(|one| (one["id"].as_i64().unwrap_or_default(), one)).collect();
    pages::page(&query, context, query.raw("search").unwrap_or_default(), MAX_PAGE_SIZE, found)
}

/// A field and its accepted values.
struct Criterion {
    field: &'static str,
    kind: MatchKind,
    values: Vec<String>,
}

impl Criterion {
    fn matches(&self, element: &Value) -> bool {
        let value = element.get(self.field).unwrap_or(&Value::Null);
        self.values.iter().any(|wanted| match (self.kind, value) {
            (MatchKind::Urn(prefix), Value::Number(id)) => urn_id(wanted, prefix) == id.as_i64(),
            (_, Value::String(text)) => text == wanted,
            _ => false,
        })
    }
}

fn read(search: &RestliValue, criteria: Criteria) -> Result<Vec<Criterion>, Response> {
    let invalid_search = |why: String| invalid_param("search", why);
    let RestliValue::Record(fields) = search else {
        return Err(invalid_search("The search criteria must be a record".to_owned()));
    };
    let mut wanted = Vec::new();
    for (name, given) in fields {
        let Some((field, kind)) = criteria.iter().find(|(field, _)| field == name) else {
            return Err(invalid_search(format!("There is no criterion {name}")));
        };
        let Some(values) = given.get("values").and_then(RestliValue::texts) else {
            return Err(invalid_search(format!("The criterion {name} must have a list of values")));
        };
        let invalid = values.iter().find(|value| match kind {
            MatchKind::Text => false,
            MatchKind::Enum(words) => !words.contains(value),
            MatchKind::Urn(prefix) => urn_id(value, prefix).is_none(),
        });
        if let Some(invalid) = invalid {
            return Err(invalid_search(format!("{invalid} is not a value of the criterion {name}")));
        }
        let values = values.into_iter().map(str::to_owned).collect();
        wanted.push(Criterion { field, kind: *kind, values });
    }
    Ok(wanted)
}
