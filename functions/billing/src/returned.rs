//! `GET /v1/billing/return`: a person comes back from the payment provider's pages. No API key: the purchase is read
//! at the provider, and the page tells of nothing but the plan.

use crate::refresh::{Payer, refresh};
use shared::domain::SubscriptionState;
use shared::envelope::query::{reject_unknown_params, value};
use shared::envelope::{Page, PageOutcome, Reply};
use shared::error::{Error, Kind};
use shared::serve::ApiRequest;

/// Longer than any id of a checkout session.
const LONGEST_ID: usize = 255;

/// Applies a paid plan at once, without waiting for the webhook, and tells how it went.
pub(crate) async fn returned(call: &ApiRequest) -> Reply {
    Reply::Page(finish(call).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %call.request_id, %error, source = error.source, "return refused");
        refusal(&error)
    }))
}

async fn finish(call: &ApiRequest) -> Result<Page, Error> {
    reject_unknown_params(&call.query, &["session_id"])?;
    let Some(id) = value(&call.query, "session_id") else { return Ok(back()) };
    if !is_session(id) {
        return Err(Error::field("session_id", "is not the id of a purchase"));
    }
    let session = call.app.payments()?.checkout_session(id, call.deadline).await?;
    let is_paid = matches!(session.payment_status.as_str(), "paid" | "no_payment_required");
    match session.status.as_deref() {
        _ if session.mode != "subscription" => return Err(unknown()),
        Some("complete") if is_paid => {}
        Some("complete") => return Ok(pending()),
        _ => return Ok(unpaid()),
    }
    let payment_customer = session.customer.ok_or_else(unknown)?;
    let payment_customer = payment_customer.id();
    let customer = call.app.store.customer_by_payment_customer(payment_customer).await?.ok_or_else(unknown)?;
    let state = refresh(call, &Payer { customer, payment_customer }, None, call.deadline).await?;
    Ok(state.filter(|state| state.status.grants_access()).map_or_else(pending, |state| bought(&state)))
}

/// It becomes part of a path.
fn is_session(id: &str) -> bool {
    let is_word = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    id.starts_with("cs_") && id.len() <= LONGEST_ID && is_word
}

fn unknown() -> Error {
    Error::not_found("purchase here")
}

fn page(outcome: PageOutcome, title: &str, paragraphs: &[&str]) -> Page {
    let paragraphs = paragraphs.iter().map(|text| (*text).to_owned()).collect();
    Page { outcome, title: title.to_owned(), paragraphs }
}

fn bought(state: &SubscriptionState) -> Page {
    let plan = format!("Your plan is {} from now on.", state.plan.as_str());
    page(PageOutcome::Done, "Thank you", &[&plan, "You can close this page."])
}

fn pending() -> Page {
    let wait = "Your payment is being processed. The plan changes by itself as soon as it has arrived.";
    page(PageOutcome::Done, "Thank you", &[wait, "You can close this page."])
}

fn unpaid() -> Page {
    let again = "Nothing was paid, and your plan is what it was. Start the purchase again if you still want it.";
    page(PageOutcome::Refused, "Not bought", &[again])
}

fn back() -> Page {
    let told = "What you changed at the payment provider takes effect within seconds. What you did not finish there \
                was not bought.";
    page(PageOutcome::Done, "You are back", &[told, "You can close this page."])
}

fn refusal(error: &Error) -> Page {
    let later = "If you have paid, nothing is lost: the plan changes by itself. You can also load this page again.";
    match error.kind {
        Kind::PlatformFailed | Kind::PlatformTimeout | Kind::RateLimited => {
            page(PageOutcome::PlatformFailed, "Not confirmed yet", &[&error.message, later])
        }
        Kind::Validation | Kind::NotFound => {
            let reason = "The address is not one that a purchase leads to. Nothing was changed by it.";
            page(PageOutcome::Refused, "Nothing to show", &[reason])
        }
        _ => page(PageOutcome::Failed, "Not confirmed yet", &["Something went wrong on our side.", later]),
    }
}
