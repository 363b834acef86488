//! The check of an endpoint's address.

use shared::domain::{EndpointUrl, check_endpoint_url};
use shared::serve::Call;

/// Checks the address that a body has. The reason of a refusal continues the name of the field.
pub(crate) fn check_url(call: &Call, text: &str) -> Result<EndpointUrl, String> {
    check_endpoint_url(text, call.request.app.is_local()).map_err(|reason| reason.to_string())
}
