//! `POST /v1/billing/create-checkout-session` (spec 4.6).

use crate::payer::payer;
use crate::refresh::{Payer, refresh_as_drawn};
use shared::domain::{Plan, SubscriptionState};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_plan};
use shared::error::{Error, Kind};
use shared::payments::CheckoutRequest;
use shared::serve::{Call, ClaimOutcome};

/// Makes a page on which the customer buys a plan. Who has a subscription changes that one instead: two would both be
/// paid for. The provider itself is asked, because its webhook may still be on its way.
pub(crate) async fn checkout(call: &Call) -> Result<Reply, Error> {
    let request = &call.request;
    reject_unknown_params(&request.query, &[])?;
    let plan = read_plan(request.json_body()?)?;
    let success_url = request.public_url("/v1/billing/return?session_id={CHECKOUT_SESSION_ID}")?;
    let cancel_url = request.public_url("/v1/billing/return")?;

    let key = match call.claim(&[]).await? {
        ClaimOutcome::Replayed(answer) => return Ok(Reply::Replayed(answer)),
        ClaimOutcome::New => request.request_id,
        ClaimOutcome::Resumed { first } => first,
    };
    // The draw answers the record: what the refresh needs and what is known of the payer come in one round trip.
    let drawn = call.store().begin_billing_read(call.customer.id).await?;
    let payment_customer = payer(call, &drawn).await?;
    let state = Payer { customer: call.customer.id, payment_customer: &payment_customer };
    let state = refresh_as_drawn(request, &state, &drawn, None, request.deadline).await?;
    if let Some(state) = state.filter(|state| !state.status.is_terminal()) {
        return Err(has_one(&state, plan));
    }
    let checkout = CheckoutRequest {
        customer: call.customer.id,
        payment_customer: &payment_customer,
        plan,
        success_url: &success_url,
        cancel_url: &cancel_url,
    };
    let (session, checkout_url) =
        request.app.payments()?.create_checkout_session(checkout, &key.to_string(), request.deadline).await?;
    Ok(Reply::Checkout { checkout_url, session_id: session.id })
}

fn has_one(state: &SubscriptionState, wanted: Plan) -> Error {
    let (status, plan) = (state.status.as_str(), state.plan.as_str());
    let message = if state.status.grants_access() && state.plan == wanted {
        format!(
            "You have plan {plan} already ({status}). Manage the subscription in the portal: POST /v1/billing/portal."
        )
    } else {
        format!(
            "You have a subscription ({status}), and a second one would be paid for as well. Change or end it in the \
             portal: POST /v1/billing/portal."
        )
    };
    Error::new(Kind::Conflict, message)
}
