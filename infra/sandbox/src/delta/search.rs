//! The finder `search` of accounts, groups and campaigns: criteria, sort order and page tokens.
//!
//! Marketing API: "Create and Manage Campaigns", "Search for Campaigns"; LinkedIn API guide: "Pagination",
//! cursor-based.

use super::error::invalid_param;
use super::restli::{Query, RestliValue};
use super::schema::{self, STATUSES, TYPES, urn_id};
use crate::http::{Request, Response};
use crate::service::RequestContext;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};

const PARAMETERS: &[&str] = &["q", "search", "sortOrder", "pageSize", "pageToken"];
const DEFAULT_PAGE_SIZE: usize = 100;
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
pub(crate) fn search(
    request: &Request,
    context: &RequestContext<'_>,
    criteria: Criteria,
    elements: Vec<Value>,
) -> Result<Response, Response> {
    let query = Query::read(request, PARAMETERS)?;
    query.check_finder("search")?;
    let wanted = match query.data("search")? {
        Some(search) => read(&search, criteria)?,
        None => Vec::new(),
    };
    let mut found: Vec<Value> =
        elements.into_iter().filter(|one| wanted.iter().all(|criterion| criterion.matches(one))).collect();
    match query.raw("sortOrder") {
        None | Some("ASCENDING") => {}
        Some("DESCENDING") => found.reverse(),
        Some(_) => return Err(invalid_param("sortOrder", "Invalid value for parameter")),
    }
    let size = page_size(&query)?.min(context.settings.page_size.unwrap_or(MAX_PAGE_SIZE));
    let search_key =
        format!("{}\n{}", query.raw("search").unwrap_or_default(), query.raw("sortOrder").unwrap_or_default());
    let mut rest = match query.text("pageToken")? {
        Some(token) => after(found, &token, &search_key)?,
        None => found,
    };
    let more = rest.len() > size;
    rest.truncate(size);
    let mut metadata = Map::new();
    if let (true, Some(last)) = (more, rest.last().and_then(|last| last["id"].as_i64())) {
        let token = URL_SAFE_NO_PAD.encode(format!("{last}\n{search_key}"));
        metadata.insert("nextPageToken".to_owned(), json!(token));
    }
    Ok(Response::json(200, &json!({ "elements": rest, "metadata": metadata })))
}

fn page_size(query: &Query<'_>) -> Result<usize, Response> {
    let Some(text) = query.text("pageSize")? else { return Ok(DEFAULT_PAGE_SIZE) };
    let size = text.parse().ok().filter(|size| (1..=MAX_PAGE_SIZE).contains(size));
    size.ok_or_else(|| invalid_param("pageSize", format!("The page size must be from 1 to {MAX_PAGE_SIZE}")))
}

/// The elements after the one in the token. A token is valid for its own search only.
fn after(found: Vec<Value>, token: &str, search_key: &str) -> Result<Vec<Value>, Response> {
    let invalid = || invalid_param("pageToken", "The page token belongs to another search");
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| invalid())?;
    let text = String::from_utf8(bytes).map_err(|_| invalid())?;
    let (last, search) = text.split_once('\n').ok_or_else(invalid)?;
    let last: i64 = last.parse().map_err(|_| invalid())?;
    if search != search_key {
        return Err(invalid());
    }
    let descending = search_key.ends_with("\nDESCENDING");
    let is_after = |id: i64| if descending { id < last } else { id > last };
    Ok(found.into_iter().filter(|one| one["id"].as_i64().is_some_and(is_after)).collect())
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
