//! Headers that ask for a behavior that an endpoint does not have. Ignored, they would mislead the caller (D52).

use crate::error::{Error, FieldError};
use crate::routes::Route;
use http::HeaderMap;
use http::header::{IF_MATCH, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};

/// The header of a request that takes effect once.
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Rejects an `Idempotency-Key` without an effect, and conditions on the version of something.
pub(super) fn reject_unsupported_headers(headers: &HeaderMap, route: &Route) -> Result<(), Error> {
    let mut errors = Vec::new();
    let mut refuse = |field: &str, message: String| errors.push(FieldError::new(field, message));
    if headers.contains_key(IDEMPOTENCY_KEY) && !route.endpoint.takes_idempotency_key() {
        let message = format!(
            "has no effect on {} {}: send the request without it. It works on creates, changes and removals of campaigns \
             and on the checkout and portal sessions of billing",
            route.method, route.path
        );
        refuse("Idempotency-Key", message);
    }
    // Only public documents have an entity tag. Of any other read none matches, so it goes on (RFC 9110, 13.1.2).
    let is_read = route.method == "GET";
    for (name, field, is_met) in [
        (IF_MATCH, "If-Match", false),
        (IF_NONE_MATCH, "If-None-Match", is_read),
        (IF_UNMODIFIED_SINCE, "If-Unmodified-Since", false),
    ] {
        if headers.contains_key(name) && !is_met {
            let message = "cannot be checked: nothing in this API has a version or an ETag. Send the request without it; \
                           read the resource first to see its state";
            refuse(field, message.to_owned());
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::fields(errors)) }
}
