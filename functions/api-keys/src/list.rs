//! `listKeys`.

use shared::domain::ApiKeys;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Lists the keys, newest first, with their limits.
pub(crate) async fn list(call: &Call, keys: ApiKeys) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let current = call.current_key(&keys)?.map(|key| key.id.clone());
    let (store, customer) = (call.store(), call.customer.id);
    let (limits, assistants) = tokio::join!(store.limits(customer, &keys), store.assistants_of(customer, &keys));
    let (limits, assistants) = (limits?, assistants?);
    Ok(Reply::Keys { keys: keys.used_by(&assistants).all().to_vec(), current, limits })
}
