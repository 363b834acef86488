//! The shape of what may be sent: names, types and enums, checked before any service sees it.
//!
//! Marketing API: "Create and Manage Campaigns", "Create and Manage Campaign Groups", schema
//! tables. A name that the sandbox does not imitate is refused like one that does not exist.

use serde_json::Value;

use super::entity::Fields;
use super::error::schema;
use crate::http::Reply;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text,
    Flag,
    /// Unix milliseconds, a whole JSON number.
    Time,
    Word(&'static [&'static str]),
    /// A URN with this beginning and a number.
    Urn(&'static str),
    /// `or` of facets to URNs.
    Facets,
    List(&'static Self),
    Record(Shape),
}

/// Field, type, and whether a record has to have it.
pub(crate) type Shape = &'static [(&'static str, Kind, bool)];

pub(crate) const ACCOUNT_URN: &str = "urn:li:sponsoredAccount:";
pub(crate) const GROUP_URN: &str = "urn:li:sponsoredCampaignGroup:";
pub(crate) const ORGANIZATION_URN: &str = "urn:li:organization:";
pub(crate) const CAMPAIGN_URN: &str = "urn:li:sponsoredCampaign:";

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

/// Set by the platform alone.
const READ_ONLY: &[&str] = &["id", "changeAuditStamps", "servingStatuses", "test", "version"];

const MONEY: Kind = Kind::Record(&[("amount", Kind::Text, true), ("currencyCode", Kind::Text, true)]);
const SCHEDULE: Kind = Kind::Record(&[("start", Kind::Time, false), ("end", Kind::Time, false)]);
const LOCALE: Kind = Kind::Record(&[("country", Kind::Text, true), ("language", Kind::Text, true)]);
const OR: Kind = Kind::Record(&[("or", Kind::Facets, true)]);
const AND: Kind = Kind::Record(&[("and", Kind::List(&OR), true)]);
const TARGETING: Kind = Kind::Record(&[("include", AND, true), ("exclude", OR, false)]);

/// A campaign. What is missing is told by the service behind, in a form of its own.
pub(crate) const CAMPAIGN: Shape = &[
    ("account", Kind::Urn(ACCOUNT_URN), false),
    ("associatedEntity", Kind::Urn(ORGANIZATION_URN), false),
    ("audienceExpansionEnabled", Kind::Flag, false),
    ("campaignGroup", Kind::Urn(GROUP_URN), false),
    ("costType", Kind::Word(&["CPM", "CPC", "CPV"]), false),
    ("creativeSelection", Kind::Word(&["OPTIMIZED", "ROUND_ROBIN"]), false),
    ("dailyBudget", MONEY, false),
    ("locale", LOCALE, false),
    ("name", Kind::Text, false),
    ("objectiveType", Kind::Word(OBJECTIVES), false),
    ("offsiteDeliveryEnabled", Kind::Flag, false),
    ("optimizationTargetType", Kind::Text, false),
    ("pacingStrategy", Kind::Word(&["LIFETIME", "LINEAR", "ACCELERATED"]), false),
    ("politicalIntent", Kind::Word(&["NOT_POLITICAL", "POLITICAL", "NOT_DECLARED"]), false),
    ("runSchedule", SCHEDULE, false),
    ("status", Kind::Word(STATUSES), false),
    ("targetingCriteria", TARGETING, false),
    ("totalBudget", MONEY, false),
    ("type", Kind::Word(TYPES), false),
    ("unitCost", MONEY, false),
];

/// A campaign group.
pub(crate) const GROUP: Shape = &[
    ("account", Kind::Urn(ACCOUNT_URN), false),
    ("name", Kind::Text, false),
    ("objectiveType", Kind::Word(OBJECTIVES), false),
    ("runSchedule", SCHEDULE, false),
    ("status", Kind::Word(STATUSES), false),
    ("totalBudget", MONEY, false),
];

/// Checks the fields of a record at `path`.
pub(crate) fn check(fields: &Fields, shape: Shape, path: &str) -> Result<(), Reply> {
    for (name, value) in fields {
        let path = format!("{path}/{name}");
        let Some((_, kind, _)) = shape.iter().find(|(known, _, _)| known == name) else {
            let why = match READ_ONLY.contains(&name.as_str()) {
                true => "ReadOnly field present in the request",
                false => "unrecognized field found but not allowed",
            };
            return Err(schema(&path, why));
        };
        value_of(value, *kind, &path)?;
    }
    match shape.iter().find(|(name, _, required)| *required && !fields.contains_key(*name)) {
        Some((name, _, _)) => Err(schema(&format!("{path}/{name}"), "field is required but not found")),
        None => Ok(()),
    }
}

fn value_of(value: &Value, kind: Kind, path: &str) -> Result<(), Reply> {
    let fits = match (kind, value) {
        (Kind::Text, Value::String(_)) | (Kind::Flag, Value::Bool(_)) => true,
        (Kind::Time, value) => value.as_i64().is_some_and(|time| time >= 0),
        (Kind::Word(words), Value::String(word)) if !words.contains(&word.as_str()) => {
            return Err(schema(path, &format!("\"{word}\" is not an enum symbol")));
        }
        (Kind::Word(_), Value::String(_)) => true,
        (Kind::Urn(start), Value::String(urn)) => number(urn, start).is_some(),
        (Kind::Facets, Value::Object(facets)) => facets.iter().all(|(facet, urns)| is_facet(facet, urns)),
        (Kind::List(kind), Value::Array(items)) => {
            let checked = items.iter().enumerate().map(|(at, item)| value_of(item, *kind, &format!("{path}/{at}")));
            return checked.collect();
        }
        (Kind::Record(shape), Value::Object(fields)) => return check(fields, shape, path),
        _ => false,
    };
    if fits { Ok(()) } else { Err(schema(path, "the value is not of the type of the field")) }
}

fn is_facet(facet: &str, urns: &Value) -> bool {
    let urn = |value: &Value| value.as_str().is_some_and(|text| text.starts_with("urn:li:"));
    facet.starts_with("urn:li:adTargetingFacet:") && urns.as_array().is_some_and(|list| list.iter().all(urn))
}

/// The number at the end of a URN.
pub(crate) fn number(urn: &str, start: &str) -> Option<i64> {
    let digits = urn.strip_prefix(start)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
