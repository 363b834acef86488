//! `listKeys`.

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Lists the keys, newest first. The admission of the request has read them.
pub(crate) fn list(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let current = call.current_key(&call.keys)?.map(|key| key.id.clone());
    Ok(Reply::Keys { keys: call.keys.all().to_vec(), current })
}
