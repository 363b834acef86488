//! The response headers that follow from an operation.

use super::ordered_json::{Members, reference};

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
