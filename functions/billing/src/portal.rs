//! `POST /v1/billing/portal`.

use crate::payment_customer::payment_customer_id;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{Call, ClaimOutcome};

/// Creates a session of the provider's customer portal, where subscription and payment methods are managed.
pub(crate) async fn portal(call: &Call) -> Result<Reply, Error> {
    let request = &call.request;
    reject_unknown_params(&request.query, &[])?;
    request.reject_body()?;
    let return_url = request.public_url("/v1/billing/return")?;
    let key = match call.claim(&[]).await? {
        ClaimOutcome::Replayed(answer) => return Ok(Reply::Replayed(answer)),
        ClaimOutcome::New => request.request_id,
        ClaimOutcome::Resumed { first } => first,
    };
    let id = payment_customer_id(call, &call.store().billing(call.customer.id).await?).await?;
    let provider = request.app.payments()?;
    let created = provider.create_portal_session(&id, &return_url, &key.to_string(), request.deadline).await;
    let session = created.map_err(|failed| failed.for_caller(request.is_keyed()))?;
    Ok(Reply::Portal { portal_url: session.url })
}
