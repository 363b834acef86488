//! `GET /v1/billing/return`: the page that the payment provider redirects a customer to. It needs no API key: the
//! checkout session is read at the provider, and the page shows only the plan.

use shared::domain::SubscriptionState;
use shared::envelope::query::{reject_unknown_params, value};
use shared::envelope::{Page, PageOutcome, Reply};
use shared::error::{Error, Kind};
use shared::serve::ApiRequest;
use shared::subscriptions::SubscriptionSync;

/// Maximum length of a checkout session's id; actual ids are shorter.
const MAX_SESSION_ID_LENGTH: usize = 255;

/// Applies a paid plan without waiting for the webhook, and renders the outcome.
pub(crate) async fn checkout_return(request: &ApiRequest) -> Reply {
    Reply::Page(apply(request).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %request.request_id, %error, source = error.source, "checkout return failed");
        failed(&error)
    }))
}

async fn apply(request: &ApiRequest) -> Result<Page, Error> {
    reject_unknown_params(&request.query, &["session_id"])?;
    let Some(id) = value(&request.query, "session_id") else { return Ok(back()) };
    if !is_session_id(id) {
        return Err(Error::field("session_id", "must be the id of a checkout session"));
    }
    let session = request.app.payments()?.checkout_session(id, request.deadline).await?;
    let is_paid = matches!(session.payment_status.as_str(), "paid" | "no_payment_required");
    match session.status.as_deref() {
        _ if session.mode != "subscription" => return Err(unknown_session()),
        Some("complete") if is_paid => {}
        Some("complete") => return Ok(pending()),
        _ => return Ok(unpaid()),
    }
    let reference = session.customer.ok_or_else(unknown_session)?;
    let id = reference.id();
    let app = &request.app;
    let customer = app.store.customer_by_payment_customer(id).await?.ok_or_else(unknown_session)?;
    let sync = SubscriptionSync {
        store: &app.store,
        provider: app.payments()?,
        customer,
        payment_customer: id,
        event: None,
        now: request.now,
        deadline: request.deadline,
    };
    let state = sync.run().await?;
    Ok(state.filter(|state| state.status.grants_access()).map_or_else(pending, |state| purchased(&state)))
}

/// Rejects characters with a meaning in a path: the id becomes part of one.
fn is_session_id(id: &str) -> bool {
    let is_word = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    id.starts_with("cs_") && id.len() <= MAX_SESSION_ID_LENGTH && is_word
}

fn unknown_session() -> Error {
    Error::not_found("checkout session")
}

fn page(outcome: PageOutcome, title: &str, paragraphs: &[&str]) -> Page {
    let paragraphs = paragraphs.iter().map(|text| (*text).to_owned()).collect();
    Page { outcome, title: title.to_owned(), paragraphs }
}

fn purchased(state: &SubscriptionState) -> Page {
    let plan = format!("Your plan is {} from now on.", state.plan.as_str());
    page(PageOutcome::Done, "Thank you", &[&plan, "You can close this page."])
}

fn pending() -> Page {
    let wait = "Your payment is being processed. Your plan changes automatically once the payment has arrived.";
    page(PageOutcome::Done, "Thank you", &[wait, "You can close this page."])
}

fn unpaid() -> Page {
    let retry = "Nothing was paid, and your plan is unchanged. Start the checkout again if you still want the plan.";
    page(PageOutcome::Refused, "Checkout not completed", &[retry])
}

fn back() -> Page {
    let applied = "Changes you made at the payment provider take effect within seconds. A checkout that you did not \
                   complete has no effect.";
    page(PageOutcome::Done, "You are back", &[applied, "You can close this page."])
}

fn failed(error: &Error) -> Page {
    let later = "If you have paid, nothing is lost: your plan changes automatically. You can also reload this page.";
    match error.kind {
        Kind::PlatformFailed | Kind::PlatformTimeout | Kind::RateLimited => {
            page(PageOutcome::PlatformFailed, "Not confirmed yet", &[&error.message, later])
        }
        Kind::Validation | Kind::NotFound => {
            let reason = "This address does not belong to a checkout. Nothing was changed.";
            page(PageOutcome::Refused, "Checkout not found", &[reason])
        }
        _ => page(PageOutcome::Failed, "Not confirmed yet", &["Something went wrong on our side.", later]),
    }
}
