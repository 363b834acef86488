//! The schema of request bodies: names, types and enums, checked before the service.
//!
//! Marketing API: "Create and Manage Campaigns", "Create and Manage Campaign Groups", schema tables. The
//! sandbox rejects a field that it does not support like one that does not exist.

use super::entity::Fields;
use super::error::schema_error;
use crate::http::Response;
use serde_json::Value;

#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldType {
    Text,
    Bool,
    /// Unix milliseconds, an integer.
    Timestamp,
    Enum(&'static [&'static str]),
    /// A URN with this prefix and a numeric id.
    Urn(&'static str),
    /// The `or` of a targeting criterion: URNs by facet.
    Facets,
    List(&'static Self),
    Record(RecordSchema),
}

/// Field name, type, and whether a record requires it.
pub(crate) type RecordSchema = &'static [(&'static str, FieldType, bool)];

pub(crate) const ACCOUNT_URN: &str = "urn:li:sponsoredAccount:";
pub(crate) const GROUP_URN: &str = "urn:li:sponsoredCampaignGroup:";
pub(crate) const ORGANIZATION_URN: &str = "urn:li:organization:";
pub(crate) const CAMPAIGN_URN: &str = "urn:li:sponsoredCampaign:";
pub(crate) const CREATIVE_URN: &str = "urn:li:sponsoredCreative:";

pub(crate) const STATUSES: &[&str] =
    &["ACTIVE", "PAUSED", "ARCHIVED", "COMPLETED", "CANCELED", "DRAFT", "PENDING_DELETION", "REMOVED"];
pub(crate) const TYPES: &[&str] = &["TEXT_AD", "SPONSORED_UPDATES", "SPONSORED_INMAILS", "DYNAMIC"];
const OBJECTIVES: &[&str] = &[
    "BRAND_AWARENESS",
    "ENGAGEMENT",
    "JOB_APPLICANT",
    "LEAD_GENERATION",
    "TALENT_LEAD",
    "VIDEO_VIEW",
    "WEBSITE_CONVERSION",
    "WEBSITE_VISIT",
];

/// Fields that only the platform sets.
const READ_ONLY: &[&str] = &["id", "changeAuditStamps", "servingStatuses", "test", "version"];

const MONEY: FieldType =
    FieldType::Record(&[("amount", FieldType::Text, true), ("currencyCode", FieldType::Text, true)]);
const SCHEDULE: FieldType =
    FieldType::Record(&[("start", FieldType::Timestamp, false), ("end", FieldType::Timestamp, false)]);
const LOCALE: FieldType = FieldType::Record(&[("country", FieldType::Text, true), ("language", FieldType::Text, true)]);
const OR: FieldType = FieldType::Record(&[("or", FieldType::Facets, true)]);
const AND: FieldType = FieldType::Record(&[("and", FieldType::List(&OR), true)]);
const TARGETING: FieldType = FieldType::Record(&[("include", AND, true), ("exclude", OR, false)]);

/// A campaign. The service behind the schema reports missing fields, in another form.
pub(crate) const CAMPAIGN: RecordSchema = &[
    ("account", FieldType::Urn(ACCOUNT_URN), false),
    ("associatedEntity", FieldType::Urn(ORGANIZATION_URN), false),
    ("audienceExpansionEnabled", FieldType::Bool, false),
    ("campaignGroup", FieldType::Urn(GROUP_URN), false),
    ("costType", FieldType::Enum(&["CPM", "CPC", "CPV"]), false),
    ("creativeSelection", FieldType::Enum(&["OPTIMIZED", "ROUND_ROBIN"]), false),
    ("dailyBudget", MONEY, false),
    ("locale", LOCALE, false),
    ("name", FieldType::Text, false),
    ("objectiveType", FieldType::Enum(OBJECTIVES), false),
    ("offsiteDeliveryEnabled", FieldType::Bool, false),
    ("optimizationTargetType", FieldType::Text, false),
    ("pacingStrategy", FieldType::Enum(&["LIFETIME", "LINEAR", "ACCELERATED"]), false),
    ("politicalIntent", FieldType::Enum(&["NOT_POLITICAL", "POLITICAL", "NOT_DECLARED"]), false),
    ("runSchedule", SCHEDULE, false),
    ("status", FieldType::Enum(STATUSES), false),
    ("targetingCriteria", TARGETING, false),
    ("totalBudget", MONEY, false),
    ("type", FieldType::Enum(TYPES), false),
    ("unitCost", MONEY, false),
];

/// A campaign group.
pub(crate) const GROUP: RecordSchema = &[
    ("account", FieldType::Urn(ACCOUNT_URN), false),
    ("name", FieldType::Text, false),
    ("objectiveType", FieldType::Enum(OBJECTIVES), false),
    ("runSchedule", SCHEDULE, false),
    ("status", FieldType::Enum(STATUSES), false),
    ("totalBudget", MONEY, false),
];

/// Checks the fields of a record at `path`.
pub(crate) fn check(fields: &Fields, shape: RecordSchema, path: &str) -> Result<(), Response> {
    for (name, value) in fields {
        let path = format!("{path}/{name}");
        let Some((_, kind, _)) = shape.iter().find(|(known, _, _)| known == name) else {
            let why = if READ_ONLY.contains(&name.as_str()) {
                "ReadOnly field present in the request"
            } else {
                "unrecognized field found but not allowed"
            };
            return Err(schema_error(&path, why));
        };
        check_value(value, *kind, &path)?;
    }
    match shape.iter().find(|(name, _, required)| *required && !fields.contains_key(*name)) {
        Some((name, _, _)) => Err(schema_error(&format!("{path}/{name}"), "field is required but not found")),
        None => Ok(()),
    }
}

fn check_value(value: &Value, kind: FieldType, path: &str) -> Result<(), Response> {
    let fits = match (kind, value) {
        (FieldType::Text, Value::String(_)) | (FieldType::Bool, Value::Bool(_)) => true,
        (FieldType::Timestamp, value) => value.as_i64().is_some_and(|time| time >= 0),
        (FieldType::Enum(words), Value::String(word)) if !words.contains(&word.as_str()) => {
            return Err(schema_error(path, &format!("\"{word}\" is not an enum symbol")));
        }
        (FieldType::Enum(_), Value::String(_)) => true,
        (FieldType::Urn(prefix), Value::String(urn)) => urn_id(urn, prefix).is_some(),
        (FieldType::Facets, Value::Object(facets)) => facets.iter().all(|(facet, urns)| is_facet(facet, urns)),
        (FieldType::List(kind), Value::Array(items)) => {
            let checked = items.iter().enumerate().map(|(at, item)| check_value(item, *kind, &format!("{path}/{at}")));
            return checked.collect();
        }
        (FieldType::Record(shape), Value::Object(fields)) => return check(fields, shape, path),
        _ => false,
    };
    if fits { Ok(()) } else { Err(schema_error(path, "the value is not of the type of the field")) }
}

fn is_facet(facet: &str, urns: &Value) -> bool {
    let urn = |value: &Value| value.as_str().is_some_and(|text| text.starts_with("urn:li:"));
    facet.starts_with("urn:li:adTargetingFacet:") && urns.as_array().is_some_and(|list| list.iter().all(urn))
}

/// The numeric id at the end of a URN.
pub(crate) fn urn_id(urn: &str, prefix: &str) -> Option<i64> {
    let digits = urn.strip_prefix(prefix)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
