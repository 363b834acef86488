//! `POST /v1/billing/portal` (spec 4.6).

use crate::payer::payer;
use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::Call;

/// Makes a way into the provider's portal, where subscription and payment methods are managed.
pub(crate) async fn portal(call: &Call) -> Result<Reply, Error> {
    let public = &call.public;
    refuse_strangers(&public.query, &[])?;
    public.refuse_idempotency_key()?;
    public.refuse_body()?;
    let return_url = public.public_url("/v1/billing/return")?;
    let payment_customer = payer(call).await?;
    let session = public.app.payments()?.create_portal(&payment_customer, &return_url, public.deadline).await?;
    Ok(Reply::Portal { portal_url: session.url })
}
