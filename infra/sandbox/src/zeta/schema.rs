//! The schema of a campaign in a body: its properties and their types.
//!
//! Reddit Ads API v3 reference: "Create Campaign", "Update Campaign". Both schemas are closed: they reject
//! unknown properties.

use super::error::ApiError;
use super::time::to_iso8601;
use crate::http::Request;
use jiff::Timestamp;
use serde_json::{Map, Value};

/// The type of a property.
enum FieldType {
    /// A text with a minimum and a maximum number of characters.
    Text(usize, usize),
    Enum(&'static [&'static str]),
    /// A list of enum values.
    EnumList(&'static [&'static str]),
    Bool,
    /// An integer of micros above zero, never a text or a fraction.
    Micros,
    Timestamp,
    /// In the schema, but not supported by the sandbox; only null is accepted.
    Unsupported,
}

/// The schema to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Create,
    Update,
}

const OBJECTIVES: &[&str] = &[
    "APP_INSTALLS",
    "BRAND_AWARENESS",
    "CATALOG_SALES",
    "CLICKS",
    "CONVERSIONS",
    "IMPRESSIONS",
    "LEAD_GENERATION",
    "SALES",
    "VIDEO_VIEWABLE_IMPRESSIONS",
];

const STATUSES: &[&str] = &["ACTIVE", "PAUSED", "ARCHIVED", "DELETED"];

const GOALS: &[&str] = &[
    "CLICKS",
    "PAGE_VISIT",
    "LANDING_PAGE_VISIT",
    "VIEW_CONTENT",
    "SEARCH",
    "ADD_TO_CART",
    "ADD_TO_WISHLIST",
    "PURCHASE",
    "LEAD",
    "SIGN_UP",
    "VIDEO_VIEW_6S",
    "VIDEO_VIEW_15S",
];

const VIEW_THROUGH: &[&str] = &["SEVEN_DAY_CLICKS", "SEVEN_DAY_CLICKS_ONE_DAY_VIEW"];

/// Properties of both schemas.
const BOTH: &[(&str, FieldType)] = &[
    ("name", FieldType::Text(3, 500)),
    ("objective", FieldType::Enum(OBJECTIVES)),
    ("configured_status", FieldType::Enum(STATUSES)),
    ("goal_value", FieldType::Micros),
    ("start_time", FieldType::Timestamp),
    ("end_time", FieldType::Timestamp),
    ("bid_strategy", FieldType::Enum(&["BIDLESS", "MAXIMIZE_VOLUME", "TARGET_CPX"])),
    ("bid_type", FieldType::Enum(&["CPC", "CPM", "CPV6", "CPV15"])),
    ("bid_value", FieldType::Micros),
    ("spend_cap", FieldType::Micros),
    ("invoice_label", FieldType::Text(0, 80)),
    ("funding_instrument_id", FieldType::Text(1, 100)),
    ("use_catalog", FieldType::Bool),
    ("schedule", FieldType::Unsupported),
];

/// Properties of a create only. An update that names one is rejected.
const CREATE: &[(&str, FieldType)] = &[
    ("is_campaign_budget_optimization", FieldType::Bool),
    ("goal_type", FieldType::Enum(&["DAILY_SPEND", "LIFETIME_SPEND"])),
    ("conversion_pixel_id", FieldType::Text(1, 100)),
    ("optimization_goal", FieldType::Enum(GOALS)),
    ("view_through_conversion_type", FieldType::Enum(VIEW_THROUGH)),
    ("app_id", FieldType::Text(1, 200)),
    ("special_ad_categories", FieldType::EnumList(&["HOUSING_EMPLOYMENT_CREDIT", "NONE"])),
];

/// Properties that cannot be null in either schema.
const NEVER_NULL: &[&str] = &["name", "objective", "configured_status"];

/// The object in `{"data": …}`. The body must hold nothing else.
pub(crate) fn data(request: &Request) -> Result<Map<String, Value>, ApiError> {
    if !request.is_json() {
        return Err(ApiError::new(400, "Bad Request: the content type must be application/json."));
    }
    let parsed = serde_json::from_str(&request.body);
    let Ok(Value::Object(mut body)) = parsed else {
        return Err(ApiError::new(400, "Bad Request: the body is not a JSON object."));
    };
    let data = body.remove("data").ok_or_else(|| ApiError::field("data", "is required"))?;
    if let Some(invalid) = body.keys().next() {
        return Err(ApiError::field(invalid.as_str(), "additional properties are not allowed"));
    }
    match data {
        Value::Object(data) => Ok(data),
        _ => Err(ApiError::field("data", "must be an object")),
    }
}

/// The campaign in a body, each property in the form of the response.
pub(crate) fn campaign(request: &Request, kind: WriteKind) -> Result<Map<String, Value>, ApiError> {
    let given = data(request)?;
    let fixed = if kind == WriteKind::Create { CREATE } else { &[] };
    let read = |(name, value): (String, Value)| {
        let field_type = BOTH.iter().chain(fixed).find(|(known, _)| *known == name).map(|(_, field_type)| field_type);
        let field_type =
            field_type.ok_or_else(|| ApiError::data_field(&name, "additional properties are not allowed"))?;
        let value = match value {
            Value::Null if NEVER_NULL.contains(&name.as_str()) => Err("cannot be null".to_owned()),
            Value::Null => Ok(Value::Null),
            value => check(field_type, value),
        };
        let value = value.map_err(|why| ApiError::data_field(&name, why))?;
        Ok((name, value))
    };
    given.into_iter().map(read).collect()
}

fn check(field_type: &FieldType, value: Value) -> Result<Value, String> {
    let is_good = match field_type {
        FieldType::Text(min, max) => value.as_str().is_some_and(|text| (*min..=*max).contains(&text.chars().count())),
        FieldType::Enum(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        FieldType::EnumList(words) => {
            let known = |one: &Value| one.as_str().is_some_and(|text| words.contains(&text));
            value.as_array().is_some_and(|all| all.iter().all(known))
        }
        FieldType::Bool => value.is_boolean(),
        FieldType::Micros => value.as_i64().is_some_and(|micros| micros > 0),
        FieldType::Timestamp => return parse_timestamp(&value),
        FieldType::Unsupported => false,
    };
    if is_good { Ok(value) } else { Err(requirement(field_type)) }
}

fn requirement(field_type: &FieldType) -> String {
    match field_type {
        FieldType::Text(min, max) => format!("must be a text of {min} to {max} characters"),
        FieldType::Enum(words) => format!("must be one of {}", words.join(", ")),
        FieldType::EnumList(words) => format!("must be a list of {}", words.join(", ")),
        FieldType::Bool => "must be a boolean".to_owned(),
        FieldType::Micros => "must be an integer of at min 1".to_owned(),
        FieldType::Timestamp => "must be a date-time of ISO 8601 with an offset".to_owned(),
        FieldType::Unsupported => "is not supported by the sandbox".to_owned(),
    }
}

fn parse_timestamp(value: &Value) -> Result<Value, String> {
    let timestamp = value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    timestamp
        .map(|timestamp| Value::String(to_iso8601(timestamp.as_second())))
        .ok_or_else(|| requirement(&FieldType::Timestamp))
}
