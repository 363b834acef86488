//! The OpenAPI document: it names every route and no other, its examples are valid requests and responses, and
//! [`contract`] validates every response of every test. `run` beside this file tests it with schemathesis.

mod breaks;
mod compatibility;
pub(crate) mod contract;
mod names;
mod samples;
mod scenario;

use contract::{document, faults, operation, resolved, validator};
use serde_json::{Value, json};
use shared::envelope::Shape;
use shared::envelope::openapi::document_of;
use shared::routes::{Authentication, DocsEndpoint, Endpoint, ROUTES, Route, Shapes};
use std::collections::{BTreeSet, HashMap};

/// The routes that the document describes: all but the pages of the reference, whose first one stands for all, and the
/// sign-in of assistants, which the standards of OAuth describe.
pub(crate) fn described() -> impl Iterator<Item = &'static Route> {
    let is_described =
        |route: &&Route| route.endpoint != Endpoint::Docs(DocsEndpoint::GetDocsPage) && !route.endpoint.is_of_sign_in();
    ROUTES.iter().filter(is_described)
}

/// The names of an operation's parameters in a place.
pub(crate) fn parameters(operation: &'static Value, place: &str) -> BTreeSet<&'static str> {
    let all = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    let here = all.iter().map(resolved).filter(|parameter| parameter["in"] == place);
    here.map(|parameter| parameter["name"].as_str().expect("a name")).collect()
}

#[test]
fn the_document_has_exactly_the_routes() {
    let mut documented = BTreeSet::new();
    for (path, item) in document()["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            documented.insert((method.to_uppercase(), format!("/v1{path}")));
        }
    }
    let routes: BTreeSet<_> = described().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
    assert_eq!(documented, routes);
}

#[test]
fn an_operation_has_its_routes_parameters_key_and_shapes() {
    let mut ids = BTreeSet::new();
    for route in described() {
        let operation = operation(route.method, route.path);
        let what = format!("{} {}", route.method, route.path);
        let in_path: BTreeSet<&str> =
            route.path.split('{').skip(1).map(|rest| rest.split('}').next().expect("a name")).collect();
        assert_eq!(parameters(operation, "path"), in_path, "{what}");
        assert_eq!(operation["security"] == json!([]), route.authentication == Authentication::Public, "{what}");
        assert_eq!(parameters(operation, "header").contains("X-API-Shape"), route.shapes == Shapes::Both, "{what}");
        let refused = operation["responses"]["400"]["$ref"].as_str().unwrap_or("a page").to_owned();
        let family = match route.shapes {
            Shapes::Both => "/EitherBadRequest",
            Shapes::Enveloped => "/EnvelopedBadRequest",
            Shapes::Flat => "/BadRequest",
        };
        assert!(refused.ends_with(family) || refused == "a page", "{what}: {refused}");
        assert!(operation["responses"]["405"].is_object(), "{what}");
        let id = operation["operationId"].as_str().expect("an id");
        assert_eq!(id, operation_id(route.endpoint), "{what}");
        assert!(ids.insert(id), "{what}: another operation has this id");
    }
}

/// `createCampaign` for `Endpoint::Campaigns(CampaignsEndpoint::CreateCampaign)`.
fn operation_id(endpoint: Endpoint) -> String {
    let shown = format!("{endpoint:?}");
    let (_, name) = shown.trim_end_matches(')').split_once('(').expect("an endpoint within its function");
    let (first, rest) = name.split_at(1);
    first.to_ascii_lowercase() + rest
}

#[test]
fn the_document_names_its_version_and_both_servers() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.1");
    assert_eq!(document["info"]["version"], "0.1.0");
    let servers: Vec<&str> =
        document["servers"].as_array().expect("a list").iter().filter_map(|server| server["url"].as_str()).collect();
    assert_eq!(servers, ["{base_url}/v1", "http://127.0.0.1:8080"]);
    let key = &document["components"]["securitySchemes"]["ApiKey"];
    assert_eq!((&key["type"], &key["in"], &key["name"]), (&json!("apiKey"), &json!("header"), &json!("X-API-Key")));
}

/// Walks the whole document, with the path of each value.
fn walk<'a>(value: &'a Value, way: &str, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(way, value);
    let members = value.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value));
    let items = value.as_array().into_iter().flatten().enumerate().map(|(place, value)| (place.to_string(), value));
    for (name, value) in members.chain(items) {
        walk(value, &format!("{way}/{name}"), visit);
    }
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    let mut used = BTreeSet::new();
    walk(document(), "#", &mut |_, value| {
        if let Some(path) = value["$ref"].as_str() {
            resolved(value);
            used.insert(path.to_owned());
        }
    });
    for kind in ["schemas", "responses", "parameters", "headers", "examples"] {
        for name in document()["components"][kind].as_object().expect("components").keys() {
            assert!(used.contains(&format!("#/components/{kind}/{name}")), "nothing uses {kind}/{name}");
        }
    }
}

/// Visits each example of a document, with its place and its schema. Returns their number.
fn examples<'a>(document: &'a Value, visit: &mut dyn FnMut(&str, &'a Value, &'a Value)) -> usize {
    let resolved = |value: &'a Value| match value["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).expect("a component"),
        None => value,
    };
    let mut count = 0;
    walk(document, "#", &mut |way, media| {
        if !media["schema"].is_object() {
            return;
        }
        let several = media["examples"].as_object().into_iter().flatten();
        for example in several.map(|(_, example)| &resolved(example)["value"]).chain(media.get("example")) {
            visit(way, &media["schema"], example);
            count += 1;
        }
    });
    count
}

#[test]
fn every_example_matches_its_schema() {
    let count = examples(document(), &mut |way, schema, example| {
        let faults = faults(schema, example);
        assert!(faults.is_empty(), "{way}: {faults:#?}");
    });
    assert!(count > 50, "{count}");
}

#[test]
fn every_example_matches_its_schema_in_the_document_of_its_shape() {
    for shape in [Shape::Flat, Shape::Enveloped] {
        let document: Value = serde_json::from_str(document_of(shape)).expect("JSON");
        let mut validators = HashMap::new();
        let count = examples(&document, &mut |way, schema, example| {
            let new = || validator(schema, &document["components"]);
            let validator = validators.entry(schema.to_string()).or_insert_with(new);
            let errors: Vec<String> = validator.iter_errors(example).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{shape:?} {way}: {example}: {errors:#?}");
        });
        assert!(count > 50, "{shape:?}: {count}");
    }
}

/// The names of the schemas to which a part of the document leads.
fn schemas_of(part: &'static Value, names: &mut BTreeSet<&'static str>) {
    walk(part, "", &mut |_, value| {
        let Some(path) = value["$ref"].as_str() else { return };
        let name = path.strip_prefix("#/components/schemas/");
        if name.is_none_or(|name| names.insert(name)) {
            schemas_of(resolved(value), names);
        }
    });
}

#[test]
fn objects_of_requests_are_closed_and_those_of_responses_are_open() {
    let (mut accepted, mut sent) = (BTreeSet::new(), BTreeSet::new());
    for operation in document()["paths"].as_object().expect("paths").values().flat_map(|item| item.as_object()) {
        for operation in operation.values() {
            schemas_of(&operation["requestBody"], &mut accepted);
            schemas_of(&operation["responses"], &mut sent);
        }
    }
    schemas_of(&document()["webhooks"], &mut sent);
    for (name, schema) in document()["components"]["schemas"].as_object().expect("schemas") {
        if schema["type"] != "object" || contract::FOREIGN.contains(&name.as_str()) {
            continue;
        }
        let is_accepted = accepted.contains(name.as_str());
        assert!(is_accepted != sent.contains(name.as_str()), "{name}: what we send back has a schema of its own");
        assert_eq!(schema["additionalProperties"] == false, is_accepted, "{name}");
    }
}

/// A response repeats a part of a request under the name of its schema with `Answer`.
#[test]
fn an_answer_schema_equals_its_request_schema_except_that_it_is_open() {
    let schemas = document()["components"]["schemas"].as_object().expect("schemas");
    let mut twins = BTreeSet::new();
    for (name, schema) in schemas {
        if schema["additionalProperties"] != false {
            continue;
        }
        let Some(twin) = schemas.get(&format!("{name}Answer")) else { continue };
        let mut opened = schema.clone();
        opened.as_object_mut().expect("an object").remove("additionalProperties");
        let opened = opened.to_string();
        let names = ["ApprovalAmount", "CurrencyLimit", "NullableApprovalRule"];
        let opened =
            names.iter().fold(opened, |text, name| text.replace(&format!("/{name}\""), &format!("/{name}Answer\"")));
        assert_eq!(serde_json::from_str::<Value>(&opened).expect("JSON"), *twin, "{name}");
        twins.insert(name.as_str());
    }
    assert_eq!(
        twins.into_iter().collect::<Vec<_>>(),
        ["ApprovalAmount", "ApprovalRule", "CurrencyLimit", "SpendingLimit", "UserSpendingLimit"]
    );
}

#[test]
fn the_check_finds_missing_and_undocumented_fields() {
    let schema = &operation("GET", "/v1/connections")["responses"]["200"]["content"]["application/json"]["schema"];
    let pagination = json!({"next_cursor": null, "has_more": false});
    let good = json!({"connections": [], "pagination": pagination});
    assert_eq!(faults(schema, &good), Vec::<String>::new());
    let more = json!({"connections": [], "pagination": pagination, "more": 1});
    for bad in [json!({}), more, json!({"connections": [{"id": "conn_1"}], "pagination": pagination})] {
        assert!(!faults(schema, &bad).is_empty(), "{bad}");
    }
}
