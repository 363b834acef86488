//! `googleAds:search` and `googleAds:searchStream`.
//!
//! Google Ads API reference v26: `GoogleAdsService.Search`; Google Ads API: Paging.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::civil::DateTime;
use ring::digest;
use serde_json::{Map, Value, json};

use super::accounts::{Account, Cell};
use super::error::{AdsError, Failure, Status};
use super::filter::Filter;
use super::gaql::{self, Query, QueryError};
use super::given::{boolean, text};
use super::rows::{Row, rows};
use super::{catalogue, proto, schema};

/// Rows of a page.
const PAGE: usize = 10_000;

/// What a search looks at.
pub(crate) struct Scene<'a> {
    /// The account that is asked.
    pub(crate) account: &'a Account,
    /// Every account of the platform.
    pub(crate) all: &'a [Account],
    /// The account's clock.
    pub(crate) now: DateTime,
    /// Rows of a page when it was set from outside.
    pub(crate) page_size: Option<usize>,
    /// Whether managers read as closed.
    pub(crate) closed_managers: bool,
}

/// One page of a query's rows.
pub(crate) fn search(scene: &Scene<'_>, body: &str) -> Result<Value, Failure> {
    let request = proto::parse(body, &schema::SEARCH)?;
    if request.get("page_size").is_some() {
        let why = "Setting the page size is not supported.";
        let error = AdsError::new(("requestError", "PAGE_SIZE_NOT_SUPPORTED"), why).at("page_size");
        return Err(Failure::one(Status::InvalidArgument, error));
    }
    let asked = asked(&request)?;
    let query = checked(asked, scene)?;
    let from = match text(&request, "page_token").filter(|token| !token.is_empty()) {
        Some(token) => offset(token, scene.account.id, asked)?,
        None => 0,
    };
    if boolean(&request, "validate_only") == Some(true) {
        return Ok(json!({}));
    }
    let found = found(scene, &query)?;
    let page = scene.page_size.unwrap_or(PAGE);
    let until = found.len().min(from.saturating_add(page));
    let mut reply = Map::new();
    let settings = request.get("search_settings").unwrap_or(&Value::Null);
    let shown = found.get(from..until).unwrap_or_default();
    if !shown.is_empty() && boolean(settings, "omit_results") != Some(true) {
        reply.insert("results".to_owned(), shown.iter().map(|row| object(row, &query)).collect());
    }
    if until < found.len() {
        let token = page_token(until, scene.account.id, asked);
        reply.insert("nextPageToken".to_owned(), json!(token));
    }
    if boolean(settings, "return_total_results_count") == Some(true) {
        reply.insert("totalResultsCount".to_owned(), json!(found.len().to_string()));
    }
    reply.insert("fieldMask".to_owned(), json!(field_mask(&query)));
    Ok(Value::Object(reply))
}

/// All rows of a query, in chunks.
pub(crate) fn stream(scene: &Scene<'_>, body: &str, request_id: &str) -> Result<Value, Failure> {
    let request = proto::parse(body, &schema::SEARCH_STREAM)?;
    let query = checked(asked(&request)?, scene)?;
    let found = found(scene, &query)?;
    let chunk = |rows: &[Row<'_>]| {
        let mut chunk = json!({ "fieldMask": field_mask(&query), "requestId": request_id });
        if !rows.is_empty() {
            chunk["results"] = rows.iter().map(|row| object(row, &query)).collect();
        }
        chunk
    };
    if found.is_empty() {
        return Ok(json!([chunk(&[])]));
    }
    Ok(found.chunks(PAGE).map(chunk).collect())
}

fn asked(request: &Value) -> Result<&str, Failure> {
    text(request, "query").filter(|query| !query.trim().is_empty()).ok_or_else(|| {
        let code = ("requestError", "REQUIRED_FIELD_MISSING");
        let error = AdsError::new(code, "Required field is missing.").at("query");
        Failure::one(Status::InvalidArgument, error)
    })
}

fn refuse(error: QueryError) -> Failure {
    Failure::invalid(("queryError", error.code), error.message)
}

/// Parses a query and checks every name in it.
fn checked(text: &str, scene: &Scene<'_>) -> Result<Query, Failure> {
    let query = gaql::parse(text).map_err(refuse)?;
    let Some(joined) = catalogue::joined(&query.from) else {
        let why = format!("Error in query: invalid resource type '{}' in the FROM clause.", query.from);
        return Err(refuse(QueryError::new("BAD_RESOURCE_TYPE_IN_FROM_CLAUSE", why)));
    };
    let in_where = query.conditions.iter().map(|condition| &condition.field);
    let in_order = query.order.iter().map(|order| &order.field);
    let named: Vec<&String> = query.select.iter().chain(in_where).chain(in_order).collect();
    if let Some(field) = named.iter().find(|field| catalogue::kind(field).is_none()) {
        let why = format!("Unrecognized field in the query: '{field}'.");
        return Err(refuse(QueryError::new("UNRECOGNIZED_FIELD", why)));
    }
    let foreign = |field: &&&String| !joined.contains(&resource(field));
    if let Some(field) = query.select.iter().find(|field| foreign(&field)) {
        let why = format!("The field '{field}' cannot be selected from '{}'.", query.from);
        return Err(refuse(QueryError::new("PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE", why)));
    }
    if let Some(field) = named.iter().find(foreign) {
        let why = format!("The field '{field}' cannot be used with '{}'.", query.from);
        return Err(refuse(QueryError::new("PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE", why)));
    }
    if scene.account.manager && named.iter().any(|field| resource(field) == "metrics") {
        let why = "Metrics cannot be requested for a manager account.";
        return Err(refuse(QueryError::new("REQUESTED_METRICS_FOR_MANAGER", why)));
    }
    Ok(query)
}

fn resource(field: &str) -> &str {
    field.split('.').next().unwrap_or_default()
}

/// The rows that a query asks for, in its order.
fn found<'a>(scene: &Scene<'a>, query: &Query) -> Result<Vec<Row<'a>>, Failure> {
    let filters: Result<Vec<_>, _> = query.conditions.iter().map(Filter::new).collect();
    let filters = filters.map_err(refuse)?;
    let mut found = rows(scene, &query.from);
    found.retain(|row| filters.iter().all(|filter| filter.keeps(row.cell(filter.field).as_ref())));
    for order in query.order.iter().rev() {
        found.sort_by(|one, other| {
            let ascending = one.cell(&order.field).cmp(&other.cell(&order.field));
            if order.descending { ascending.reverse() } else { ascending }
        });
    }
    found.truncate(query.limit.unwrap_or(usize::MAX));
    Ok(found)
}

/// A row as JSON: the selected fields, and the name of every resource they are of.
fn object(row: &Row<'_>, query: &Query) -> Value {
    let mut object = Map::new();
    let omit = query.parameters.iter().any(|(name, on)| name == "omit_unselected_resource_names" && *on);
    let selected = query.select.iter().map(|field| resource(field));
    for resource in selected.chain([query.from.as_str()]).filter(|_| !omit) {
        let name = format!("{resource}.resource_name");
        if let Some(cell) = row.cell(&name) {
            proto::insert(&mut object, &name, cell.json());
        }
    }
    for field in &query.select {
        if let Some(cell) = row.cell(field) {
            proto::insert(&mut object, field, cell.json());
        }
    }
    Value::Object(object)
}

fn field_mask(query: &Query) -> String {
    query.select.iter().map(|field| proto::camel_path(field)).collect::<Vec<_>>().join(",")
}

/// A token is good for the same query on the same customer.
fn page_token(offset: usize, customer: i64, query: &str) -> String {
    let mut bytes = fingerprint(customer, query);
    bytes.extend_from_slice(offset.to_string().as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

fn offset(token: &str, customer: i64, query: &str) -> Result<usize, Failure> {
    let expected = fingerprint(customer, query);
    let bytes = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
    let offset = bytes.strip_prefix(expected.as_slice());
    let offset = offset.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    offset.ok_or_else(|| {
        let code = ("requestError", "INVALID_PAGE_TOKEN");
        let error = AdsError::new(code, "The page token is invalid.").at("page_token");
        Failure::one(Status::InvalidArgument, error)
    })
}

fn fingerprint(customer: i64, query: &str) -> Vec<u8> {
    let hash = digest::digest(&digest::SHA256, format!("{customer}\n{query}").as_bytes());
    hash.as_ref().iter().take(12).copied().collect()
}

/// Cells of a resource as JSON, for the answers of changes.
pub(crate) fn resource_json<'f>(fields: &[&'f str], cell: impl Fn(&'f str) -> Option<Cell>) -> Map<String, Value> {
    let mut object = Map::new();
    for field in fields {
        if let Some(cell) = cell(field) {
            proto::insert(&mut object, field, cell.json());
        }
    }
    object
}
