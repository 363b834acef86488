//! `listKeys`.

use shared::auth::ApiKey;
use shared::domain::NamedKey;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Lists the keys, newest first. The admission of the request has read them.
pub(crate) fn list(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let current = call.current_key(&call.keys)?.map(|key| key.id.clone());
    // All keys of a customer have the same prefix. The table may lack that of the default key.
    let prefix = ApiKey::prefix_of(call.customer.id, call.caller.mode());
    let with_prefix = |key: NamedKey| NamedKey { prefix: key.prefix.or_else(|| Some(prefix.clone())), ..key };
    Ok(Reply::Keys { keys: call.keys.all().iter().cloned().map(with_prefix).collect(), current })
}
