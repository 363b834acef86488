//! `updateWebhookEndpoint`.

use crate::address::check_url;
use crate::{id_in_path, not_found};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_endpoint_changes};
use shared::error::Error;
use shared::serve::Call;

/// Changes the fields that the body has.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let changes = read_endpoint_changes(call.request.json_body()?, |text| check_url(call, text))?;
    let id = id_in_path(call)?;
    let endpoint = call.store().update_webhook_endpoint(call.customer.id, &id, &changes).await;
    let endpoint =
        endpoint.map_err(|error| error.may_have_taken_effect("Send the request again: it has the same effect."))?;
    Ok(Reply::WebhookEndpoint(Box::new(endpoint.ok_or_else(not_found)?)))
}
