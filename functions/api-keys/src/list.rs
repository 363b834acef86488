//! `listKeys`.

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Lists the keys, newest first. The admission of the request has read them; their limits are read here.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let current = call.current_key(&call.keys)?.map(|key| key.id.clone());
    let limits = call.store().limits(call.customer.id, &call.keys).await?;
    Ok(Reply::Keys { keys: call.keys.all().to_vec(), current, limits })
}
