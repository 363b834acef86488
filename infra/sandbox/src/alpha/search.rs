//! `googleAds:search` and `googleAds:searchStream`.
//!
//! Google Ads API reference v26: `GoogleAdsService.Search`; Google Ads API: Paging.

use super::date_range::DateRange;
use super::error::AdsError;
use super::failure::{Failure, Status};
use super::field_catalog::{SEGMENT_DATE, ValueType};
use super::field_value::FieldValue;
use super::filter::Filter;
use super::gaql::{self, Query, QueryError};
use super::input::{boolean, text};
use super::rows::{Row, SearchContext, rows};
use super::{field_catalog, page_token, proto, schema};
use serde_json::{Map, Value, json};

/// Rows per page.
const PAGE_SIZE: usize = 10_000;

/// Returns one page of a query's rows.
pub(crate) fn search(context: &SearchContext<'_>, body: &str) -> Result<Value, Failure> {
    let body = proto::parse(body, &schema::SEARCH)?;
    if body.get("page_size").is_some() {
        let why = "Setting the page size is not supported.";
        let error = AdsError::new(("requestError", "PAGE_SIZE_NOT_SUPPORTED"), why).at("page_size");
        return Err(Failure::one(Status::InvalidArgument, error));
    }
    let query_text = required_query(&body)?;
    let query = parse_query(query_text, context)?;
    let start = match text(&body, "page_token").filter(|token| !token.is_empty()) {
        Some(token) => page_token::decode(token, context.account.id, query_text)?,
        None => 0,
    };
    if boolean(&body, "validate_only") == Some(true) {
        return Ok(json!({}));
    }
    let rows = select_rows(context, &query)?;
    let end = rows.len().min(start.saturating_add(context.page_size.unwrap_or(PAGE_SIZE)));
    let page = rows.get(start..end).unwrap_or_default();
    let settings = body.get("search_settings").unwrap_or(&Value::Null);
    let mut response = Map::new();
    if !page.is_empty() && boolean(settings, "omit_results") != Some(true) {
        response
            .insert("results".to_owned(), page.iter().map(|row| row_json(row, &query, context.omits_zeros)).collect());
    }
    if end < rows.len() {
        let token = page_token::encode(end, context.account.id, query_text);
        response.insert("nextPageToken".to_owned(), json!(token));
    }
    if boolean(settings, "return_total_results_count") == Some(true) {
        response.insert("totalResultsCount".to_owned(), json!(rows.len().to_string()));
    }
    response.insert("fieldMask".to_owned(), json!(field_mask(&query)));
    Ok(Value::Object(response))
}

/// Returns all rows of a query in chunks.
pub(crate) fn stream(context: &SearchContext<'_>, body: &str, request_id: &str) -> Result<Value, Failure> {
    let body = proto::parse(body, &schema::SEARCH_STREAM)?;
    let query = parse_query(required_query(&body)?, context)?;
    let rows = select_rows(context, &query)?;
    let chunk = |rows: &[Row<'_>]| {
        let mut chunk = json!({ "fieldMask": field_mask(&query), "requestId": request_id });
        if !rows.is_empty() {
            chunk["results"] = rows.iter().map(|row| row_json(row, &query, context.omits_zeros)).collect();
        }
        chunk
    };
    if rows.is_empty() {
        return Ok(json!([chunk(&[])]));
    }
    Ok(rows.chunks(PAGE_SIZE).map(chunk).collect())
}

fn required_query(body: &Value) -> Result<&str, Failure> {
    text(body, "query").filter(|query| !query.trim().is_empty()).ok_or_else(|| {
        let code = ("requestError", "REQUIRED_FIELD_MISSING");
        let error = AdsError::new(code, "Required field is missing.").at("query");
        Failure::one(Status::InvalidArgument, error)
    })
}

fn query_failure(error: QueryError) -> Failure {
    Failure::invalid(("queryError", error.code), error.message)
}

/// Parses a query and checks its names.
fn parse_query(text: &str, context: &SearchContext<'_>) -> Result<Query, Failure> {
    let query = gaql::parse(text).map_err(query_failure)?;
    check_names(&query, context.account.manager).map_err(query_failure)?;
    Ok(query)
}

fn check_names(query: &Query, is_manager: bool) -> Result<(), QueryError> {
    let Some(joined) = field_catalog::joined(&query.from) else {
        let why = format!("Error in query: invalid resource type '{}' in the FROM clause.", query.from);
        return Err(QueryError::new("BAD_RESOURCE_TYPE_IN_FROM_CLAUSE", why));
    };
    let in_where = query.conditions.iter().map(|condition| &condition.field);
    let in_order = query.order.iter().map(|order| &order.field);
    let fields: Vec<&String> = query.select.iter().chain(in_where).chain(in_order).collect();
    if let Some(field) = fields.iter().find(|field| field_catalog::value_type(field).is_none()) {
        let why = format!("Unrecognized field in the query: '{field}'.");
        return Err(QueryError::new("UNRECOGNIZED_FIELD", why));
    }
    let is_repeated = |field: &String| matches!(field_catalog::value_type(field), Some(ValueType::Repeated));
    if let Some(order) = query.order.iter().find(|order| is_repeated(&order.field)) {
        let why = format!("The field '{}' cannot be used in the ORDER BY clause.", order.field);
        return Err(QueryError::new("PROHIBITED_FIELD_IN_ORDER_BY_CLAUSE", why));
    }
    let is_foreign = |field: &&&String| !joined.contains(&resource(field));
    if fields.iter().any(|field| is_foreign(&field) && *field == SEGMENT_DATE) {
        let why = format!("The segment 'segments.date' cannot be used with '{}'.", query.from);
        return Err(QueryError::new("PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE", why));
    }
    if let Some(field) = query.select.iter().find(|field| is_foreign(&field)) {
        let why = format!("The field '{field}' cannot be selected from '{}'.", query.from);
        return Err(QueryError::new("PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE", why));
    }
    if let Some(field) = fields.iter().find(is_foreign) {
        let why = format!("The field '{field}' cannot be used with '{}'.", query.from);
        return Err(QueryError::new("PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE", why));
    }
    if is_manager && fields.iter().any(|field| resource(field) == "metrics") {
        let why = "Metrics cannot be requested for a manager account.";
        return Err(QueryError::new("REQUESTED_METRICS_FOR_MANAGER", why));
    }
    Ok(())
}

fn resource(field: &str) -> &str {
    field.split('.').next().unwrap_or_default()
}

/// The rows of a query, filtered, sorted and limited.
fn select_rows<'a>(context: &SearchContext<'a>, query: &Query) -> Result<Vec<Row<'a>>, Failure> {
    let filters: Result<Vec<_>, _> = query.conditions.iter().map(Filter::new).collect();
    let filters = filters.map_err(query_failure)?;
    let range = DateRange::of(query, context.local_time.date())?;
    let mut rows = rows(context, &query.from, range);
    // A segmented report has no rows in which every selected metric is zero.
    let metrics: Vec<&String> = query.select.iter().filter(|field| is_metric(field)).collect();
    if range.is_some_and(|range| range.by_day) && !metrics.is_empty() {
        rows.retain(|row| metrics.iter().any(|metric| row.field(metric).is_some_and(|value| !value.is_zero())));
    }
    // The range is applied already: a condition on the date is not one on the row.
    let filters: Vec<Filter<'_>> = filters.into_iter().filter(|filter| filter.field != SEGMENT_DATE).collect();
    rows.retain(|row| filters.iter().all(|filter| filter.matches(row.field(filter.field).as_ref())));
    for order in query.order.iter().rev() {
        rows.sort_by(|one, other| {
            let ascending = one.field(&order.field).cmp(&other.field(&order.field));
            if order.descending { ascending.reverse() } else { ascending }
        });
    }
    rows.truncate(query.limit.unwrap_or(usize::MAX));
    Ok(rows)
}

fn is_metric(field: &str) -> bool {
    resource(field) == "metrics"
}

/// A row as JSON: the selected fields, and the resource names of their resources.
fn row_json(row: &Row<'_>, query: &Query, omits_zeros: bool) -> Value {
    let mut object = Map::new();
    let omits_names = query.parameters.iter().any(|(name, on)| name == "omit_unselected_resource_names" && *on);
    let selected = query.select.iter().map(|field| resource(field));
    if !omits_names {
        for resource in selected.chain([query.from.as_str()]) {
            let name = format!("{resource}.resource_name");
            if let Some(value) = row.field(&name) {
                proto::insert(&mut object, &name, value.json());
            }
        }
    }
    let is_of_days = query.conditions.iter().any(|condition| condition.field == SEGMENT_DATE);
    let is_omitted = |field: &str, value: &FieldValue| omits_zeros && is_of_days && is_metric(field) && value.is_zero();
    for field in &query.select {
        if let Some(value) = row.field(field).filter(|value| !is_omitted(field, value)) {
            proto::insert(&mut object, field, value.json());
        }
    }
    Value::Object(object)
}

fn field_mask(query: &Query) -> String {
    query.select.iter().map(|field| proto::camel_path(field)).collect::<Vec<_>>().join(",")
}
