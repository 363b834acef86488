//! The document's words against the tables that the service works with. Its routes, examples and answers are held
//! against the running service in `tests/openapi`.

use super::super::{enveloped, flat, status_of};
use super::document;
use crate::domain::{BudgetPeriod, ConnectionStatus, Plan, Platform};
use crate::error::Kind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn parsed() -> Value {
    serde_json::from_str(document()).unwrap()
}

/// The words of an enumeration among the document's schemas.
fn words(schema: &str) -> Vec<String> {
    let document = parsed();
    let values = document["components"]["schemas"][schema]["enum"].as_array().unwrap();
    values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}

/// Every kind of error; a new one does not compile until it stands here.
fn kinds() -> Vec<Kind> {
    let after = |kind: Kind| match kind {
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
    std::iter::successors(Some(Kind::Validation), |kind| after(*kind)).collect()
}

#[test]
fn its_enumerations_are_the_tables_of_the_service() {
    assert_eq!(words("Platform"), Platform::ALL.map(Platform::as_str));
    assert_eq!(words("EnvelopedPlatform"), Platform::ALL.map(Platform::as_upper));
    assert_eq!(words("FlatGoal"), flat::GOALS.map(|(word, _)| word));
    assert_eq!(words("CreateGoal"), enveloped::GOALS.map(|(word, _)| word));
    assert_eq!(words("EnvelopedGoal")[1..], words("CreateGoal"));
    assert_eq!(words("FlatStatus"), flat::STATUSES);
    assert_eq!(words("EnvelopedStatus"), enveloped::STATUSES);
    assert_eq!(words("FlatBudgetPeriod"), flat::PERIODS.map(BudgetPeriod::as_str));
    assert_eq!(words("EnvelopedBudgetPeriod"), BudgetPeriod::ALL.map(BudgetPeriod::as_str));
    assert_eq!(words("ConnectionStatus"), ConnectionStatus::ALL.map(ConnectionStatus::as_str));
    assert_eq!(words("Plan"), Plan::ALL.map(Plan::as_str));
}

#[test]
fn its_error_codes_are_those_of_the_shapes() {
    let set = |words: Vec<String>| words.into_iter().collect::<BTreeSet<_>>();
    let of = |code: fn(Kind) -> &'static str| kinds().into_iter().map(|kind| code(kind).to_owned()).collect();
    assert_eq!(set(words("FlatErrorCode")), of(flat::code));
    assert_eq!(set(words("EnvelopedErrorCode")), of(enveloped::code));
}

#[test]
fn an_id_of_a_campaign_begins_with_any_platform() {
    let prefixes = Platform::ALL.map(Platform::prefix).join("|");
    let pattern = &parsed()["components"]["schemas"]["CampaignId"]["pattern"];
    assert_eq!(*pattern, json!(format!("^({prefixes})_\\w+$")));
}

/// The codes that a schema allows, where it says so for one status; of a choice, those of each shape.
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
    let several = code["enum"].as_array().into_iter().flatten().chain(code.get("const"));
    BTreeMap::from([(shape, several.map(|word| word.as_str().unwrap().to_owned()).collect())])
}

#[test]
fn every_status_has_the_codes_of_the_one_table_and_every_code_its_status() {
    let document = parsed();
    let mut table: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    for kind in kinds() {
        let status = status_of(kind).as_str().to_owned();
        table.entry(("flat", status.clone())).or_default().insert(flat::code(kind).to_owned());
        table.entry(("enveloped", status)).or_default().insert(enveloped::code(kind).to_owned());
    }
    let (mut found, mut used) = (BTreeMap::new(), BTreeSet::new());
    for operation in operations(&document) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let Some(name) = answer["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/responses/"))
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
    // The endpoints that speak enveloped only, and those that speak both, have all of it between them.
    assert_eq!(found, table);
    let all: BTreeSet<String> = document["components"]["responses"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(used, all, "an answer that nothing gives");
}

fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values())
}

#[test]
fn the_page_tells_of_every_operation_schema_and_error_and_loads_nothing() {
    let document = parsed();
    let page = super::docs_response();
    let page = String::from_utf8(page.body().to_vec()).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap().keys();
    let ids = operations(&document).map(|operation| operation["operationId"].as_str().unwrap().to_owned());
    let statuses = kinds().into_iter().map(|kind| format!("error-{}", status_of(kind).as_str()));
    for id in schemas.map(|name| format!("schema-{name}")).chain(ids).chain(statuses) {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
    for foreign in ["<script", "src=", "href=\"http", "url(", "@import", "<link", "<img", "<iframe"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for place in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{place}\"")), "a link to {place} leads nowhere");
    }
}
