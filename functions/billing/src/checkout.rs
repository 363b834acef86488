//! `POST /v1/billing/create-checkout-session`.

use crate::payment_customer::{payment_customer_id, replace_customer, session_key, unknown_at_provider};
use crate::return_urls::{CANCELED, return_path, success_path};
use shared::domain::{Plan, PlanStatement, Reason, SubscriptionState};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_plan};
use shared::error::{Error, Kind};
use shared::payments::{CheckoutPage, CheckoutRequest};
use shared::serve::{Call, ClaimOutcome};
use shared::store::{BillingRecord, Checkout};
use shared::subscriptions::SubscriptionSync;

/// Creates a checkout session. Checkout while a subscription is active: 409, because the customer would pay for two.
///
/// The subscriptions are read at the provider, because a webhook may not have arrived yet.
pub(crate) async fn checkout(call: &Call) -> Result<Reply, Error> {
    let request = &call.request;
    reject_unknown_params(&request.query, &[])?;
    let plan = read_plan(request.json_body()?)?;
    let success_url = request.public_url(&success_path(&call.caller))?;
    let cancel_url = request.public_url(&return_path(&call.caller, CANCELED))?;

    let key = match call.claim().await? {
        ClaimOutcome::Replayed(response) => return Ok(Reply::Replayed(response)),
        ClaimOutcome::New => request.request_id,
        ClaimOutcome::Resumed { first, .. } => first,
    };
    // One write takes the read version and returns the record with the payment customer.
    let read_version = call.store().begin_billing_read(call.customer.id).await?;
    let id = payment_customer_id(call, &read_version).await?;
    let purchase = Purchase { plan, key: key.to_string(), success_url, cancel_url };
    match open(call, &id, &purchase, &read_version).await {
        Err(missing) if missing.kind == Kind::NotFound => {
            let id = replace_customer(call, &id, missing).await?;
            open(call, &id, &purchase, &read_version).await.map_err(unknown_at_provider)
        }
        outcome => outcome,
    }
}

/// The purchase of a request.
struct Purchase {
    plan: Plan,
    /// The id of the request, or of the first one under its `Idempotency-Key`.
    key: String,
    success_url: String,
    cancel_url: String,
}

/// Opens a checkout for a customer at the provider, unless it has a subscription.
async fn open(
    call: &Call,
    payment_customer: &str,
    purchase: &Purchase,
    read_version: &BillingRecord,
) -> Result<Reply, Error> {
    let request = &call.request;
    let Purchase { plan, key, success_url, cancel_url } = purchase;
    if let Some(state) = current_subscription(call, payment_customer, read_version).await? {
        return Err(already_subscribed(&state, *plan));
    }
    let customer = call.customer.id;
    let session = CheckoutRequest { customer, payment_customer, plan: *plan, success_url, cancel_url };
    let key = session_key(key, payment_customer);
    let created = request.app.payments()?.create_checkout_session(session, &key, request.deadline).await;
    let CheckoutPage { session_id, url } = created.map_err(|failed| failed.for_caller(request.is_keyed()))?;
    // Before the response, so that every session whose address a caller knows has its record. A retry under the same
    // key gets the same session and writes the record again.
    let checkout = Checkout { customer, payment_customer: payment_customer.to_owned() };
    call.store().put_checkout(&session_id, &checkout, request.now).await?;
    Ok(Reply::Checkout { checkout_url: url, session_id })
}

/// The subscription at the provider, unless it has ended.
async fn current_subscription(
    call: &Call,
    payment_customer: &str,
    read_version: &BillingRecord,
) -> Result<Option<SubscriptionState>, Error> {
    let request = &call.request;
    let sync = SubscriptionSync::new(&request.app, call.customer.id, payment_customer, request.now, request.deadline)?;
    let state = sync.run_at_version(read_version).await?;
    Ok(state.filter(|state| !state.status.is_terminal()))
}

fn already_subscribed(state: &SubscriptionState, requested: Plan) -> Error {
    let (status, plan) = (state.status.clone(), state.plan);
    let message = if status.grants_access() && plan == requested {
        PlanStatement::Had { plan, status }
    } else {
        PlanStatement::Subscribed(status)
    };
    Error::new(Kind::Conflict, message).because(Reason::AlreadyExists)
}
