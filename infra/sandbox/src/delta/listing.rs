//! The finder `search` of accounts, groups and campaigns: criteria, order and page tokens.
//!
//! Marketing API: "Create and Manage Campaigns", "Search for Campaigns"; LinkedIn API guide:
//! "Pagination", cursor-based.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};

use super::error::param;
use super::restli::{Data, Query};
use super::schema::{self, STATUSES, TYPES, number};
use crate::http::{Reply, Request};
use crate::platform::RequestContext;

const PARAMETERS: &[&str] = &["q", "search", "sortOrder", "pageSize", "pageToken"];
const USUAL_PAGE: usize = 100;
const LARGEST_PAGE: usize = 1_000;

/// What a criterion compares.
#[derive(Debug, Clone, Copy)]
pub(crate) enum By {
    Text,
    Word(&'static [&'static str]),
    /// A URN with this beginning and the number that the field holds, or the URN itself.
    Urn(&'static str),
}

/// The criteria of a finder, by field.
pub(crate) type Criteria = &'static [(&'static str, By)];

pub(crate) const ACCOUNTS: Criteria = &[
    ("id", By::Urn(schema::ACCOUNT_URN)),
    ("name", By::Text),
    ("status", By::Word(&["ACTIVE", "CANCELED", "DRAFT", "PENDING_DELETION", "REMOVED"])),
    ("type", By::Word(&["BUSINESS", "ENTERPRISE"])),
];
pub(crate) const GROUPS: Criteria =
    &[("id", By::Urn(schema::GROUP_URN)), ("name", By::Text), ("status", By::Word(STATUSES))];
pub(crate) const CAMPAIGNS: Criteria = &[
    ("id", By::Urn(schema::CAMPAIGN_URN)),
    ("name", By::Text),
    ("status", By::Word(STATUSES)),
    ("type", By::Word(TYPES)),
    ("campaignGroup", By::Urn(schema::GROUP_URN)),
];

/// One page of the elements that are searched for; they come in the order of their ids.
pub(crate) fn search(
    request: &Request,
    moment: &RequestContext<'_>,
    criteria: Criteria,
    elements: Vec<Value>,
) -> Result<Reply, Reply> {
    let query = Query::read(request, PARAMETERS)?;
    query.finder("search")?;
    let wanted = query.data("search")?.map_or(Ok(Vec::new()), |search| read(&search, criteria))?;
    let mut found: Vec<Value> = elements.into_iter().filter(|one| wanted.iter().all(|want| want.meets(one))).collect();
    match query.raw("sortOrder") {
        None | Some("ASCENDING") => {}
        Some("DESCENDING") => found.reverse(),
        Some(_) => return Err(param("sortOrder", "Invalid value for parameter")),
    }
    let size = page_size(&query)?.min(moment.settings.page_size.unwrap_or(LARGEST_PAGE));
    let asked = format!("{}\n{}", query.raw("search").unwrap_or_default(), query.raw("sortOrder").unwrap_or_default());
    let mut rest = match query.text("pageToken")? {
        Some(token) => after(found, &token, &asked)?,
        None => found,
    };
    let more = rest.len() > size;
    rest.truncate(size);
    let mut metadata = Map::new();
    if let (true, Some(last)) = (more, rest.last().and_then(|last| last["id"].as_i64())) {
        let token = URL_SAFE_NO_PAD.encode(format!("{last}\n{asked}"));
        metadata.insert("nextPageToken".to_owned(), json!(token));
    }
    Ok(Reply::json(200, &json!({ "elements": rest, "metadata": metadata })))
}

fn page_size(query: &Query<'_>) -> Result<usize, Reply> {
    let Some(text) = query.text("pageSize")? else { return Ok(USUAL_PAGE) };
    let size = text.parse().ok().filter(|size| (1..=LARGEST_PAGE).contains(size));
    size.ok_or_else(|| param("pageSize", format!("The page size has to be from 1 to {LARGEST_PAGE}")))
}

/// What comes after the element that the token names. A token is good for its own search only.
fn after(found: Vec<Value>, token: &str, asked: &str) -> Result<Vec<Value>, Reply> {
    let wrong = || param("pageToken", "The page token is not one of this search");
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| wrong())?;
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    let (last, search) = text.split_once('\n').ok_or_else(wrong)?;
    let last: i64 = last.parse().map_err(|_| wrong())?;
    if search != asked {
        return Err(wrong());
    }
    let descending = asked.ends_with("\nDESCENDING");
    let behind = |id: i64| if descending { id < last } else { id > last };
    Ok(found.into_iter().filter(|one| one["id"].as_i64().is_some_and(behind)).collect())
}

/// One field that has to have one of the values.
struct Want {
    field: &'static str,
    by: By,
    values: Vec<String>,
}

impl Want {
    fn meets(&self, element: &Value) -> bool {
        let value = element.get(self.field).unwrap_or(&Value::Null);
        self.values.iter().any(|wanted| match (self.by, value) {
            (By::Urn(start), Value::Number(id)) => number(wanted, start) == id.as_i64(),
            (_, Value::String(text)) => text == wanted,
            _ => false,
        })
    }
}

fn read(search: &Data, criteria: Criteria) -> Result<Vec<Want>, Reply> {
    let wrong = |why: String| param("search", why);
    let Data::Record(fields) = search else {
        return Err(wrong("The search criteria have to be a record".to_owned()));
    };
    let mut wanted = Vec::new();
    for (name, given) in fields {
        let Some((field, by)) = criteria.iter().find(|(field, _)| field == name) else {
            return Err(wrong(format!("There is no criterion {name}")));
        };
        let Some(values) = given.get("values").and_then(Data::texts) else {
            return Err(wrong(format!("The criterion {name} has to have a list of values")));
        };
        let odd = values.iter().find(|value| match by {
            By::Text => false,
            By::Word(words) => !words.contains(value),
            By::Urn(start) => number(value, start).is_none(),
        });
        if let Some(odd) = odd {
            return Err(wrong(format!("{odd} is no value of the criterion {name}")));
        }
        let values = values.into_iter().map(str::to_owned).collect();
        wanted.push(Want { field, by: *by, values });
    }
    Ok(wanted)
}
