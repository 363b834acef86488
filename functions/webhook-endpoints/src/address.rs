//! The check of an endpoint's address.

use shared::domain::EndpointUrl;
use shared::serve::Call;

/// Checks the address that a body has. The reason of a refusal continues the name of the field.
pub(crate) fn check_url(call: &Call, text: &str) -> Result<EndpointUrl, String> {
    let url = call.request.app.webhook_urls.check(text).map_err(|refusal| refusal.to_string())?;
    Ok(EndpointUrl::of_checked(url.into()))
}
