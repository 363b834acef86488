//! Compares the document's enumerations and error codes with the code. `tests/openapi` compares its routes, examples and
//! responses with the running service.

use super::super::error_response::status_of;
use super::super::{enveloped, flat};
use super::document;
use crate::domain::{BudgetPeriod, ConnectionStatus, Plan, Platform, Scope};
use crate::error::Kind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn parsed() -> Value {
    serde_json::from_str(document()).unwrap()
}

/// The values of an enumeration schema.
fn enum_values(schema: &str) -> Vec<String> {
    let document = parsed();
    let values = document["components"]["schemas"][schema]["enum"].as_array().unwrap();
    values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}

/// Every kind of error. The match makes sure that none is missing.
fn kinds() -> Vec<Kind> {
    let next = |kind: Kind| match kind {
        Kind::Validation => Some(Kind::MethodNotAllowed),
        Kind::MethodNotAllowed => Some(Kind::PayloadTooLarge),
        Kind::PayloadTooLarge => Some(Kind::UnsupportedMediaType),
        Kind::UnsupportedMediaType => Some(Kind::Unauthorized),
        Kind::Unauthorized => Some(Kind::Forbidden),
        Kind::Forbidden => Some(Kind::NotFound),
        Kind::NotFound => Some(Kind::Conflict),
        Kind::Conflict => Some(Kind::KeyReused),
        Kind::KeyReused => Some(Kind::RateLimited),
        Kind::RateLimited => Some(Kind::QuotaExceeded),
        Kind::QuotaExceeded => Some(Kind::PlatformRefused),
        Kind::PlatformRefused => Some(Kind::PlatformFailed),
        Kind::PlatformFailed => Some(Kind::PlatformTimeout),
        Kind::PlatformTimeout => Some(Kind::NotSupported),
        Kind::NotSupported => Some(Kind::TokenExpired),
        Kind::TokenExpired => Some(Kind::Internal),
        Kind::Internal => None,
    };
    std::iter::successors(Some(Kind::Validation), |kind| next(*kind)).collect()
}

#[test]
fn enumerations_equal_the_names_in_the_code() {
    assert_eq!(enum_values("Platform"), Platform::ALL.map(Platform::as_str));
    assert_eq!(enum_values("EnvelopedPlatform"), Platform::ALL.map(Platform::as_upper));
    assert_eq!(enum_values("FlatGoal"), flat::GOALS.map(|(name, _)| name));
    assert_eq!(enum_values("CreateGoal"), enveloped::GOALS.map(|(name, _)| name));
    assert_eq!(enum_values("EnvelopedGoal")[1..], enum_values("CreateGoal"));
    assert_eq!(enum_values("FlatStatus"), flat::STATUSES);
    assert_eq!(enum_values("EnvelopedStatus"), enveloped::STATUSES);
    assert_eq!(enum_values("FlatBudgetPeriod"), flat::PERIODS.map(BudgetPeriod::as_str));
    assert_eq!(enum_values("EnvelopedBudgetPeriod"), BudgetPeriod::ALL.map(BudgetPeriod::as_str));
    assert_eq!(enum_values("ConnectionStatus"), ConnectionStatus::ALL.map(ConnectionStatus::as_str));
    assert_eq!(enum_values("Plan"), Plan::ALL.map(Plan::as_str));
    assert_eq!(enum_values("Scope"), Scope::ALL.map(Scope::as_str));
}

#[test]
fn error_codes_equal_those_of_the_shapes() {
    let set = |values: Vec<String>| values.into_iter().collect::<BTreeSet<_>>();
    let of = |code: fn(Kind) -> &'static str| kinds().into_iter().map(|kind| code(kind).to_owned()).collect();
    assert_eq!(set(enum_values("FlatErrorCode")), of(flat::code));
    assert_eq!(set(enum_values("EnvelopedErrorCode")), of(enveloped::code));
}

#[test]
fn a_campaign_id_starts_with_the_prefix_of_a_platform() {
    let prefixes = Platform::ALL.map(Platform::prefix).join("|");
    let pattern = &parsed()["components"]["schemas"]["CampaignId"]["pattern"];
    assert_eq!(*pattern, json!(format!("^({prefixes})_\\w+$")));
}

/// The error codes that a response schema allows, by shape.
fn codes(schema: &Value) -> BTreeMap<&'static str, BTreeSet<String>> {
    if let Some(choices) = schema["oneOf"].as_array() {
        return choices.iter().flat_map(codes).collect();
    }
    let (base, narrowed) = (&schema["allOf"][0]["$ref"], &schema["allOf"][1]["properties"]);
    let (shape, code) = if base == "#/components/schemas/FlatError" {
        ("flat", &narrowed["code"])
    } else {
        assert_eq!(base, "#/components/schemas/EnvelopedError", "{schema}");
        ("enveloped", &narrowed["error"]["properties"]["code"])
    };
    let values = code["enum"].as_array().into_iter().flatten().chain(code.get("const"));
    BTreeMap::from([(shape, values.map(|value| value.as_str().unwrap().to_owned()).collect())])
}

#[test]
fn every_status_documents_exactly_its_error_codes() {
    let document = parsed();
    let mut table: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    for kind in kinds() {
        let status = status_of(kind).as_str().to_owned();
        table.entry(("flat", status.clone())).or_default().insert(flat::code(kind).to_owned());
        table.entry(("enveloped", status)).or_default().insert(enveloped::code(kind).to_owned());
    }
    let (mut found, mut used) = (BTreeMap::new(), BTreeSet::new());
    for operation in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let Some(name) = response["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/responses/"))
            else {
                continue;
            };
            used.insert(name.to_owned());
            let schema = &document["components"]["responses"][name]["content"]["application/json"]["schema"];
            for (shape, codes) in codes(schema) {
                let known = &table[&(shape, status.clone())];
                assert!(codes.is_subset(known), "{status} {name}: {codes:?} is not in {known:?}");
                found.entry((shape, status.clone())).or_insert_with(BTreeSet::new).extend(codes);
            }
        }
    }
    // The endpoints of one shape and those of both together document every code.
    assert_eq!(found, table);
    let all: BTreeSet<String> = document["components"]["responses"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(used, all, "a response that no operation uses");
}

fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values())
}

#[test]
fn the_page_has_all_operations_schemas_and_errors_and_loads_nothing() {
    let document = parsed();
    let page = super::docs_response();
    let page = String::from_utf8(page.body().to_vec()).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap().keys();
    let ids = operations(&document).map(|operation| operation["operationId"].as_str().unwrap().to_owned());
    let statuses = kinds().into_iter().map(|kind| format!("error-{}", status_of(kind).as_str()));
    for id in schemas.map(|name| format!("schema-{name}")).chain(ids).chain(statuses) {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
    for external in ["<script", "src=", "href=\"http", "url(", "@import", "<link", "<img", "<iframe"] {
        assert!(!page.contains(external), "{external}");
    }
    for anchor in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{anchor}\"")), "the link to {anchor} has no target");
    }
}
