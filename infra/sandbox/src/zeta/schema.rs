//! The published form of a campaign in a body: which properties there are and what each may be.
//!
//! Reddit Ads API v3 reference: "Create Campaign", "Update Campaign". Both schemas are closed:
//! a property that they do not list is refused.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::accounts::iso;
use super::error::Refusal;
use crate::http::Request;

/// What a property may be.
enum Form {
    /// Characters from and to.
    Text(usize, usize),
    OneOf(&'static [&'static str]),
    /// `OneOf`, several of them.
    Several(&'static [&'static str]),
    Flag,
    /// A whole number of micros above zero, never a text or a fraction.
    Micros,
    Time,
    /// Of the schema, but not imitated: null means what is done here anyway.
    Unimitated,
}

/// Which schema is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
const BOTH: &[(&str, Form)] = &[
    ("name", Form::Text(3, 500)),
    ("objective", Form::OneOf(OBJECTIVES)),
    ("configured_status", Form::OneOf(STATUSES)),
    ("goal_value", Form::Micros),
    ("start_time", Form::Time),
    ("end_time", Form::Time),
    ("bid_strategy", Form::OneOf(&["BIDLESS", "MAXIMIZE_VOLUME", "TARGET_CPX"])),
    ("bid_type", Form::OneOf(&["CPC", "CPM", "CPV6", "CPV15"])),
    ("bid_value", Form::Micros),
    ("spend_cap", Form::Micros),
    ("invoice_label", Form::Text(0, 80)),
    ("funding_instrument_id", Form::Text(1, 100)),
    ("use_catalog", Form::Flag),
    ("schedule", Form::Unimitated),
];

/// Properties that are fixed with the campaign: a change that names one is refused.
const CREATE: &[(&str, Form)] = &[
    ("is_campaign_budget_optimization", Form::Flag),
    ("goal_type", Form::OneOf(&["DAILY_SPEND", "LIFETIME_SPEND"])),
    ("conversion_pixel_id", Form::Text(1, 100)),
    ("optimization_goal", Form::OneOf(GOALS)),
    ("view_through_conversion_type", Form::OneOf(VIEW_THROUGH)),
    ("app_id", Form::Text(1, 200)),
    ("special_ad_categories", Form::Several(&["HOUSING_EMPLOYMENT_CREDIT", "NONE"])),
];

/// Required texts cannot be null in either schema.
const NEVER_NULL: &[&str] = &["name", "objective", "configured_status"];

/// The object inside `{"data": …}`, which is all that a body may hold.
pub(crate) fn data(request: &Request) -> Result<Map<String, Value>, Refusal> {
    let content = request.header("content-type").unwrap_or_default();
    let content = content.split(';').next().unwrap_or_default().trim();
    if !content.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(400, "Bad Request: the content type has to be application/json."));
    }
    let parsed = serde_json::from_str(&request.body);
    let Ok(Value::Object(mut body)) = parsed else {
        return Err(Refusal::new(400, "Bad Request: the body is no JSON object."));
    };
    let data = body.remove("data").ok_or_else(|| Refusal::field("data", "is required"))?;
    if let Some(odd) = body.keys().next() {
        return Err(Refusal::field(odd.as_str(), "additional properties are not allowed"));
    }
    match data {
        Value::Object(data) => Ok(data),
        _ => Err(Refusal::field("data", "has to be an object")),
    }
}

/// The campaign of a body, each property in the form in which it is shown.
pub(crate) fn campaign(request: &Request, kind: Kind) -> Result<Map<String, Value>, Refusal> {
    let given = data(request)?;
    let fixed = if kind == Kind::Create { CREATE } else { &[] };
    let read = |(name, value): (String, Value)| {
        let form = BOTH.iter().chain(fixed).find(|(known, _)| *known == name).map(|(_, form)| form);
        let form = form.ok_or_else(|| Refusal::data(&name, "additional properties are not allowed"))?;
        let value = match value {
            Value::Null if NEVER_NULL.contains(&name.as_str()) => Err("cannot be null".to_owned()),
            Value::Null => Ok(Value::Null),
            value => check(form, value),
        };
        let value = value.map_err(|why| Refusal::data(&name, why))?;
        Ok((name, value))
    };
    given.into_iter().map(read).collect()
}

fn check(form: &Form, value: Value) -> Result<Value, String> {
    let is_good = match form {
        Form::Text(least, most) => value.as_str().is_some_and(|text| (*least..=*most).contains(&text.chars().count())),
        Form::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        Form::Several(words) => {
            let known = |one: &Value| one.as_str().is_some_and(|text| words.contains(&text));
            value.as_array().is_some_and(|all| all.iter().all(known))
        }
        Form::Flag => value.is_boolean(),
        Form::Micros => value.as_i64().is_some_and(|micros| micros > 0),
        Form::Time => return moment(&value),
        Form::Unimitated => false,
    };
    if is_good { Ok(value) } else { Err(demand(form)) }
}

fn demand(form: &Form) -> String {
    match form {
        Form::Text(least, most) => format!("has to be a text of {least} to {most} characters"),
        Form::OneOf(words) => format!("must be one of {}", words.join(", ")),
        Form::Several(words) => format!("must be a list of {}", words.join(", ")),
        Form::Flag => "must be a boolean".to_owned(),
        Form::Micros => "must be an integer of at least 1".to_owned(),
        Form::Time => "must be a date-time of ISO 8601 with an offset".to_owned(),
        Form::Unimitated => "is not imitated by the sandbox".to_owned(),
    }
}

fn moment(value: &Value) -> Result<Value, String> {
    let moment = value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    moment.map(|moment| Value::String(iso(moment.as_second()))).ok_or_else(|| demand(&Form::Time))
}
