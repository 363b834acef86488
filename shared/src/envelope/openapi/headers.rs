//! The response headers that follow from an operation. The files of `paths/` list the other headers only.

use super::ordered_json::{Members, OrderedJson, reference};

/// The names of the headers, in order. A response names its shape if the request chooses it, and the limits of a key.
pub(super) fn header_names(names_shape: bool, has_limits: bool) -> Vec<&'static str> {
    let mut names = vec!["X-Request-Id", "Server-Timing"];
    if names_shape {
        names.extend(["X-API-Shape", "Vary"]);
    }
    if has_limits {
        names.extend(["RateLimit", "RateLimit-Policy"]);
    }
    names
}

/// References to headers by name. The component of `Retry-After` is `RetryAfter`.
pub(super) fn header_references(names: &[&str]) -> Members {
    names.iter().map(|name| ((*name).to_owned(), reference("headers", &name.replace('-', "")))).collect()
}

/// Adds the headers to each response of each operation. Error responses that it refers to have them already.
pub(super) fn add_headers(paths: &mut OrderedJson) {
    for operation in paths.values_mut().flat_map(OrderedJson::values_mut) {
        let mut parameters = operation.child("parameters").items().iter();
        let names_shape = parameters.any(|parameter| parameter.text_at("$ref") == "#/components/parameters/Shape");
        // A public operation has an empty list.
        let has_limits = operation.get("security").is_none();
        let names = header_names(names_shape, has_limits);
        let responses = operation.get_mut("responses").into_iter().flat_map(OrderedJson::values_mut);
        for response in responses.filter(|response| response.get("$ref").is_none()) {
            add_to_response(response, header_references(&names));
        }
    }
}

/// Puts the headers before those that the response lists itself.
fn add_to_response(response: &mut OrderedJson, mut headers: Members) {
    let OrderedJson::Object(members) = response else { return };
    if let Some(at) = members.iter().position(|(name, _)| name == "headers") {
        let (_, listed) = members.remove(at);
        headers.extend(listed.into_members());
    }
    let at = members.iter().position(|(name, _)| name == "content").unwrap_or(members.len());
    members.insert(at, ("headers".to_owned(), OrderedJson::Object(headers)));
}
