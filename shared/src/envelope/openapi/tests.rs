//! Compares the document's enumerations and error codes with the code. `tests/openapi` compares its routes, examples
//! and responses with the running service.

use super::super::ad_delivery::MAX_ADS;
use super::super::error_response::status_of;
use super::super::request::MAX_TARGETS;
use super::super::spending_limits::{MAX_CONNECTIONS, MAX_CURRENCIES};
use super::super::{enveloped, flat};
use super::expand::FRAGMENTS;
use super::ordered_json::{OrderedJson, parse};
use super::{BASE, EXAMPLES, HEADERS, PARAMETERS, PATHS, SCHEMAS, SECURITY, build, document};
use crate::domain::ad_delivery::MAX_WORDS;
use crate::domain::delivery::KEPT_ATTEMPTS;
use crate::domain::erasure::ErasureStep;
use crate::domain::spending::{LimitName, SpenderKind};
use crate::domain::{
    BudgetPeriod, ChangeKind, ChangeStatus, ConnectionStatus, DefaultsSource, DeliveryStatus, EndpointStatus,
    EventKind, Executor, Granularity, MAX_ASSISTANTS, MAX_BULK_IDS, MAX_KEYS, MAX_LIMITED_KEYS, MAX_REDIRECT_URIS,
    MAX_WEBHOOK_ENDPOINTS, PayloadShape, Plan, Platform, Scope,
};
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

/// The texts of all files.
fn files() -> impl Iterator<Item = &'static str> {
    let others = [BASE, PARAMETERS, HEADERS, SECURITY].into_iter().chain(FRAGMENTS);
    others.chain(PATHS).chain(SCHEMAS.map(|(_, text)| text)).chain(EXAMPLES)
}

#[test]
fn every_file_is_a_json_object() {
    for text in files() {
        let parsed: OrderedJson = serde_json::from_str(text).unwrap();
        assert!(!parsed.members().is_empty(), "{text}");
        assert_unique_names(&parsed);
    }
}

#[test]
fn every_fragment_has_one_name_and_is_used() {
    fn add_used(value: &OrderedJson, used: &mut BTreeSet<String>) {
        used.extend(value.get("...").and_then(OrderedJson::text).map(str::to_owned));
        value.members().iter().for_each(|(_, member)| add_used(member, used));
        value.items().iter().for_each(|item| add_used(item, used));
    }
    let mut used = BTreeSet::new();
    files().for_each(|text| add_used(&parse(text), &mut used));
    let mut names: Vec<String> =
        FRAGMENTS.into_iter().flat_map(|text| parse(text).into_members()).map(|(name, _)| name).collect();
    names.sort_unstable();
    assert_eq!(names, used.into_iter().collect::<Vec<_>>());
}

/// A file must not list a header that `headers.rs` adds, nor two files a component of one name.
#[test]
fn no_object_has_two_members_of_one_name() {
    assert_unique_names(&build());
}

fn assert_unique_names(value: &OrderedJson) {
    let mut names = BTreeSet::new();
    for (name, member) in value.members() {
        assert!(names.insert(name), "{name} twice in {}", serde_json::to_string(value).unwrap());
        assert_unique_names(member);
    }
    value.items().iter().for_each(assert_unique_names);
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
    let periods: BTreeSet<&str> = BudgetPeriod::ALL.into_iter().map(flat::period_name).collect();
    let listed = enum_values("ChangeBudgetPeriod");
    assert_eq!(listed.iter().map(String::as_str).collect::<BTreeSet<_>>(), periods);
    assert_eq!(enum_values("EnvelopedBudgetPeriod"), BudgetPeriod::ALL.map(BudgetPeriod::as_str));
    assert_eq!(enum_values("ChangeKind"), ChangeKind::ALL.map(ChangeKind::as_str));
    assert_eq!(enum_values("ChangeState"), ChangeStatus::ALL.map(ChangeStatus::as_str));
    assert_eq!(enum_values("ChangeExecutor"), Executor::ALL.map(Executor::as_str));
    assert_eq!(enum_values("ConnectionStatus"), ConnectionStatus::ALL.map(ConnectionStatus::as_str));
    let sources = [DefaultsSource::Connection, DefaultsSource::Service];
    assert_eq!(enum_values("DefaultsSource"), sources.map(DefaultsSource::as_str));
    assert_eq!(enum_values("Plan"), Plan::ALL.map(Plan::as_str));
    assert_eq!(enum_values("PlatformFilter"), [enum_values("Platform"), enum_values("EnvelopedPlatform")].concat());
    let statuses: BTreeSet<&str> = flat::STATUSES.into_iter().chain(enveloped::STATUSES).collect();
    assert_eq!(enum_values("StatusFilter").len(), statuses.len());
    assert!(enum_values("StatusFilter").iter().all(|status| statuses.contains(status.as_str())));
    assert_eq!(enum_values("Scope"), Scope::ALL.map(Scope::as_str));
    let every_type = EventKind::ALL.map(EventKind::as_str);
    assert_eq!(enum_values("EventTypeChoice"), [&["*"], &every_type[..]].concat());
    assert_eq!(enum_values("EventType"), every_type);
    assert_eq!(enum_values("DeliveryType"), [&["ping"], &every_type[..]].concat());
    assert_eq!(enum_values("DeliveryStatus"), DeliveryStatus::ALL.map(DeliveryStatus::as_str));
    assert_eq!(enum_values("PayloadShape"), PayloadShape::ALL.map(PayloadShape::as_str));
    assert_eq!(enum_values("WebhookEndpointStatus"), EndpointStatus::ALL.map(EndpointStatus::as_str));
    assert_eq!(enum_values("Granularity"), Granularity::ALL.map(Granularity::as_str));
    assert_eq!(enum_values("LimitName"), LimitName::ALL.map(LimitName::as_str));
    assert_eq!(enum_values("ErasureState"), ErasureStep::ALL.map(ErasureStep::as_str));
    assert_eq!(enum_values("LimitOwner"), [SpenderKind::Key, SpenderKind::User].map(SpenderKind::as_str));
}

/// The bounds of lists in a value, each with the names that lead to it: `ApiKeyList.api_keys`.
fn bounds(value: &Value, name: &str, found: &mut BTreeMap<String, u64>) {
    if let Some(most) = value["maxItems"].as_u64() {
        found.insert(name.to_owned(), most);
    }
    let members = value["properties"].as_object().into_iter().flatten();
    members.for_each(|(member, value)| bounds(value, &format!("{name}.{member}"), found));
}

#[test]
fn a_list_is_bounded_by_what_the_code_allows() {
    let document = parsed();
    let mut found = BTreeMap::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        bounds(schema, name, &mut found);
    }
    let whole = |number: i64| usize::try_from(number).unwrap();
    let of_code = [
        ("ApiKeyList.api_keys", MAX_KEYS + MAX_LIMITED_KEYS + MAX_ASSISTANTS),
        ("ApprovalRule.amounts", MAX_CURRENCIES),
        ("ApprovalRuleAnswer.amounts", MAX_CURRENCIES),
        ("Delivery.attempts", KEPT_ATTEMPTS),
        ("DeliveryReason.words", MAX_WORDS),
        ("EnvelopedBudgetsRequest.budgets", MAX_BULK_IDS),
        ("EnvelopedBudgetsRequest.ids", MAX_BULK_IDS),
        ("EnvelopedBulkRequest.ids", MAX_BULK_IDS),
        ("EnvelopedCampaignDelivery.ads", MAX_ADS),
        ("EventTypes", EventKind::ALL.len()),
        ("FlatBudgetsRequest.budgets", MAX_BULK_IDS),
        ("FlatBudgetsRequest.ids", MAX_BULK_IDS),
        ("FlatBulkRequest.ids", MAX_BULK_IDS),
        ("FlatCampaignDelivery.ads", MAX_ADS),
        ("MultiTargetCreate.targets", MAX_TARGETS),
        ("RedirectUriList.data", whole(MAX_REDIRECT_URIS)),
        ("SpendingLimit.amounts", MAX_CURRENCIES),
        ("SpendingLimit.connections", MAX_CONNECTIONS),
        ("SpendingLimitAnswer.amounts", MAX_CURRENCIES),
        ("SpendingLimitAnswer.connections", MAX_CONNECTIONS),
        ("TargetResults.data", MAX_TARGETS),
        ("UndoRequest.changes", MAX_BULK_IDS),
        ("UserSpendingLimit.amounts", MAX_CURRENCIES),
        ("UserSpendingLimitAnswer.amounts", MAX_CURRENCIES),
        ("WebhookEndpointList.webhook_endpoints", whole(MAX_WEBHOOK_ENDPOINTS)),
    ];
    let expected = of_code.map(|(name, most)| (name.to_owned(), u64::try_from(most).unwrap()));
    assert_eq!(found, BTreeMap::from(expected));
}

#[test]
fn error_codes_equal_those_of_the_shapes() {
    let set = |values: Vec<String>| values.into_iter().collect::<BTreeSet<_>>();
    let of = |code: fn(Kind) -> &'static str| kinds().into_iter().map(|kind| code(kind).to_owned()).collect();
    assert_eq!(set(enum_values("FlatErrorCode")), of(flat::code));
    assert_eq!(set(enum_values("EnvelopedErrorCode")), of(Kind::code));
}

#[test]
fn a_campaign_id_starts_with_the_prefix_of_a_platform() {
    let prefixes = Platform::ALL.map(Platform::prefix).join("|");
    let pattern = &parsed()["components"]["schemas"]["CampaignId"]["pattern"];
    assert_eq!(*pattern, json!(format!("^({prefixes})_\\w+$")));
}

#[test]
fn every_type_of_event_is_a_webhook_and_so_is_the_test_send() {
    let document = parsed();
    let mut described: Vec<&str> = document["webhooks"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut known: Vec<&str> = EventKind::ALL.map(EventKind::as_str).into_iter().chain(["ping"]).collect();
    described.sort_unstable();
    known.sort_unstable();
    assert_eq!(described, known);
}

/// The error codes of a response, by shape.
fn codes(response: &Value) -> BTreeMap<&str, BTreeSet<String>> {
    let codes: BTreeMap<&str, BTreeSet<String>> = response["x-error-codes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(shape, codes)| (shape.as_str(), serde_json::from_value(codes.clone()).unwrap()))
        .collect();
    let schema = match codes.keys().copied().collect::<Vec<_>>()[..] {
        ["flat"] => "FlatError",
        ["enveloped"] => "EnvelopedError",
        ["enveloped", "flat"] => "ErrorAnswer",
        _ => panic!("{response}"),
    };
    let reference = &response["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(*reference, json!(format!("#/components/schemas/{schema}")), "{response}");
    codes
}

#[test]
fn every_status_documents_exactly_its_error_codes() {
    let document = parsed();
    let mut table: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    for kind in kinds() {
        let status = status_of(kind).as_str().to_owned();
        table.entry(("flat", status.clone())).or_default().insert(flat::code(kind).to_owned());
        table.entry(("enveloped", status)).or_default().insert(kind.code().to_owned());
    }
    let mut found = BTreeMap::new();
    let mut used = BTreeSet::new();
    for operation in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let Some(name) = response["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/responses/"))
            else {
                continue;
            };
            used.insert(name.to_owned());
            for (shape, codes) in codes(&document["components"]["responses"][name]) {
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
