//! `POST /v1/billing/portal`.

use crate::payment_customer::{payment_customer_id, replace_customer, session_key, unknown_at_provider};
use crate::return_urls::{FROM_PORTAL, return_path};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::{Call, ClaimOutcome};

/// Creates a session of the provider's customer portal, where subscription and payment methods are managed.
pub(crate) async fn portal(call: &Call) -> Result<Reply, Error> {
    let request = &call.request;
    reject_unknown_params(&request.query, &[])?;
    request.reject_body()?;
    let return_url = request.public_url(&return_path(&call.caller, FROM_PORTAL))?;
    let key = match call.claim().await? {
        ClaimOutcome::Replayed(response) => return Ok(Reply::Replayed(response)),
        ClaimOutcome::New => request.request_id,
        ClaimOutcome::Resumed { first, .. } => first,
    };
    let key = key.to_string();
    let billing = call.store().billing(call.customer.id).await?;
    let id = payment_customer_id(call, &billing).await?;
    let portal_url = match open(call, &id, &return_url, &key).await {
        Err(missing) if missing.kind == Kind::NotFound => {
            let id = replace_customer(call, &id, missing).await?;
            open(call, &id, &return_url, &key).await.map_err(unknown_at_provider)
        }
        outcome => outcome,
    }?;
    Ok(Reply::Portal { portal_url })
}

/// The address of a new session.
async fn open(call: &Call, payment_customer: &str, return_url: &str, key: &str) -> Result<String, Error> {
    let request = &call.request;
    let provider = request.app.payments()?;
    let key = session_key(key, payment_customer);
    let created = provider.create_portal_session(payment_customer, return_url, &key, request.deadline).await;
    created.map_err(|failed| failed.for_caller(request.is_keyed()))
}
