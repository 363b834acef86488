//! The OpenAPI document as a contract: every response that any test receives from the service is validated against it,
//! for every endpoint, shape and fault. An undocumented field, status or header fails the test that received
//! it.

use super::described;
use crate::world::TestResponse;
use http::HeaderMap;
use jsonschema::Validator;
use serde_json::{Value, json};
use shared::routes::{self, Match};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// Headers of the service; the rest are HTTP's.
const OURS: [&str; 15] = [
    "x-request-id",
    "server-timing",
    "x-api-shape",
    "vary",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "idempotent-replayed",
    "change-id",
    "allow",
    "link",
    "location",
    "api-version",
    "etag",
    "www-authenticate",
];

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(shared::envelope::openapi::document()).expect("the description is JSON"));
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<[Validator; 2]>>>> = LazyLock::new(Mutex::default);
/// Objects of ad platforms, of the payment provider and of OpenAPI.
pub(crate) const FOREIGN: [&str; 4] = ["WebhookEvent", "WebhookEventData", "Description", "JsonObject"];
/// The components of [`DOCUMENT`] without room for fields that they do not describe. In the document the objects of
/// responses are open, because a release may add fields; a test receives exactly the fields of its own release.
static CLOSED_COMPONENTS: LazyLock<Value> = LazyLock::new(|| {
    let mut components = DOCUMENT["components"].clone();
    for (name, schema) in components["schemas"].as_object_mut().expect("schemas") {
        if schema["type"] == "object" && !FOREIGN.contains(&name.as_str()) {
            schema["additionalProperties"] = json!(false);
        }
    }
    components
});

/// The OpenAPI document.
pub(crate) fn document() -> &'static Value {
    &DOCUMENT
}

/// The target of a reference; any other value is its own target.
pub(crate) fn resolved(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(path) => DOCUMENT.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("{path} leads nowhere")),
        None => value,
    }
}

/// The operation of a route.
pub(crate) fn operation(method: &str, path: &str) -> &'static Value {
    let path = path.strip_prefix("/v1").expect("a path of ours");
    &DOCUMENT["paths"][path][method.to_ascii_lowercase()]
}

/// The violations of a schema, as the document has it and closed; empty when the value is valid.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut all = VALIDATORS.lock().expect("nobody panics while he holds it");
    let components = || [&DOCUMENT["components"], &CLOSED_COMPONENTS];
    let new = || Arc::new(components().map(|components| validator(schema, components)));
    let validators = Arc::clone(all.entry(schema.to_string()).or_insert_with(new));
    drop(all);
    let faults = validators.iter().flat_map(|validator| validator.iter_errors(value));
    faults.map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

/// The validator of a schema that refers to these components.
pub(crate) fn validator(schema: &Value, components: &Value) -> Validator {
    let whole = json!({ "allOf": [schema], "components": components });
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&whole).unwrap_or_else(|error| panic!("{schema} is no schema: {error}"))
}

/// Validates a response of the service. Other paths are not described.
pub(crate) fn check(method: &str, path_and_query: &str, response: &TestResponse) {
    let path = path_and_query.split('?').next().unwrap_or_default();
    let path = if path.starts_with("/v1/") { path.to_owned() } else { format!("/v1{path}") };
    let mut found = routes::find(method, &path);
    if let Match::MethodNotAllowed(allow) = &found {
        // A valid key counts on any path, so its customer's limits apply there, too.
        assert!([403, 405, 429].contains(&response.status.as_u16()), "{method} {path}: {}", response.status);
        found = routes::find(allow[0], &path);
    }
    let Match::Found(route, _) = found else { return };
    if described().all(|described| described.endpoint != route.endpoint) {
        return;
    }
    let what = format!("{method} {path_and_query} answered {} {}", response.status.as_u16(), response.text);
    let described = &operation(route.method, route.path)["responses"][response.status.as_str()];
    assert!(described.is_object(), "no such status is described for {} {}: {what}", route.method, route.path);
    let described = resolved(described);
    check_headers(described, response, &what);
    if method != "HEAD" {
        check_body(described, response, &what);
        check_code(described, response, &what);
    }
}

/// The violations in what a webhook endpoint received: the payload and the headers are described for its type.
pub(crate) fn delivery_faults(headers: &HeaderMap, payload: &Value) -> Vec<String> {
    let described = &DOCUMENT["webhooks"][payload["type"].as_str().unwrap_or_default()]["post"];
    let Some(parameters) = described["parameters"].as_array() else {
        return vec![format!("its type is not described: {payload}")];
    };
    let mut all = faults(&described["requestBody"]["content"]["application/json"]["schema"], payload);
    for parameter in parameters {
        let name = parameter["name"].as_str().expect("a name");
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        all.extend(faults(&parameter["schema"], &json!(value)));
    }
    all
}

fn check_body(described: &Value, response: &TestResponse, what: &str) {
    let Some(content) = described["content"].as_object() else {
        assert_eq!(response.text, "", "no body is described: {what}");
        return;
    };
    let kind = response.header("content-type").split(';').next().unwrap_or_default();
    let media = content.get(kind).unwrap_or_else(|| panic!("no {kind} is described: {what}"));
    let body = if kind == "application/json" { response.json() } else { response.text.clone().into() };
    let faults = faults(&media["schema"], &body);
    assert!(faults.is_empty(), "{faults:#?}: {what}");
}

/// The code of an error is one that its status has in the shape of the response.
fn check_code(described: &Value, response: &TestResponse, what: &str) {
    let Some(shapes) = described["x-error-codes"].as_object() else { return };
    if !response.header("content-type").starts_with("application/json") {
        return;
    }
    let body = response.json();
    let (shape, code) = match body["error"]["code"].as_str() {
        Some(code) => ("enveloped", code),
        None => ("flat", body["code"].as_str().expect("a code")),
    };
    let codes = shapes[shape].as_array().expect("codes");
    assert!(codes.iter().any(|known| known == code), "{code} is not among {codes:?}: {what}");
}

fn check_headers(described: &'static Value, response: &TestResponse, what: &str) {
    let headers = described["headers"].as_object().expect("every response has a header at least");
    for name in OURS {
        let is_described = headers.keys().any(|known| known.eq_ignore_ascii_case(name));
        assert!(is_described || !response.headers.contains_key(name), "the header {name} is not described: {what}");
    }
    for (name, header) in headers {
        let header = resolved(header);
        let Some(value) = response.headers.get(name).map(|value| value.to_str().expect("text")) else {
            assert_ne!(header["required"], true, "the header {name} is missing: {what}");
            continue;
        };
        let schema = &header["schema"];
        let value = match schema["type"].as_str() {
            Some("integer") => value.parse::<u64>().map_or_else(|_| json!(value), |number| json!(number)),
            _ => json!(value),
        };
        let faults = faults(schema, &value);
        assert!(faults.is_empty(), "the header {name}: {faults:?}: {what}");
    }
}
