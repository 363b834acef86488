//! `GET /v1/billing/return`: the page that the payment provider redirects a customer to. It needs no API key: the
//! checkout session is read at the provider, and the page shows only the plan.
//!
//! Anyone can load the page, so an id that this service did not issue costs one read of the table and no call.

use crate::return_urls::{FROM_PORTAL, PAID, PENDING, TO_DASHBOARD, UNCONFIRMED, UNKNOWN, UNPAID, dashboard_page};
use shared::domain::SubscriptionState;
use shared::envelope::query::{reject_unknown_params, value};
use shared::envelope::{Page, PageOutcome, Reply, WebReply};
use shared::error::{Error, Kind};
use shared::payments::{CheckoutState, is_session_id};
use shared::serve::ApiRequest;
use shared::subscriptions::SubscriptionSync;
use std::time::Duration;
use tokio::time::Instant;

/// Time limit of the calls to the provider. A browser waits for the page, and a slow provider must not hold many
/// processes; the webhook applies a plan that the page could not confirm.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(5);

/// Applies a paid plan without waiting for the webhook, and shows the outcome: on a page of its own, or in the dashboard
/// for a checkout that began there.
pub(crate) async fn checkout_return(request: &ApiRequest) -> Reply {
    let outcome = apply(request).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %request.request_id, %error, source = error.source, "checkout return failed");
        failed(&error)
    });
    match value(&request.query, TO_DASHBOARD) {
        Some("yes") => Reply::Web(WebReply::see_other(dashboard_page(outcome.name))),
        _ => Reply::Page(outcome.page),
    }
}

/// What came of the visit: its name for the dashboard, and the page for everyone else.
struct ReturnOutcome {
    name: &'static str,
    page: Page,
}

async fn apply(request: &ApiRequest) -> Result<ReturnOutcome, Error> {
    reject_unknown_params(&request.query, &["session_id", TO_DASHBOARD])?;
    let Some(id) = value(&request.query, "session_id") else { return Ok(returned()) };
    if !is_session_id(id) {
        return Err(Error::field("session_id", "must be the id of a checkout session"));
    }
    let app = &request.app;
    let checkout = app.store.checkout(id, request.now).await?.ok_or_else(unknown_session)?;
    let deadline = request.deadline.min(Instant::now() + PROVIDER_TIMEOUT);
    match app.payments()?.checkout_state(id, &checkout.payment_customer, deadline).await? {
        CheckoutState::Paid => {}
        CheckoutState::Pending => return Ok(pending()),
        CheckoutState::Unpaid => return Ok(unpaid()),
        CheckoutState::Unknown => return Err(unknown_session()),
    }
    let sync = SubscriptionSync::new(app, checkout.customer, &checkout.payment_customer, request.now, deadline)?;
    let state = sync.run().await?;
    Ok(state.filter(|state| state.status.grants_access()).map_or_else(pending, |state| purchased(&state)))
}

fn unknown_session() -> Error {
    Error::not_found("checkout session")
}

fn return_outcome(name: &'static str, outcome: PageOutcome, title: &str, paragraphs: &[&str]) -> ReturnOutcome {
    let paragraphs = paragraphs.iter().map(|text| (*text).to_owned()).collect();
    ReturnOutcome { name, page: Page { outcome, title: title.to_owned(), paragraphs } }
}

fn purchased(state: &SubscriptionState) -> ReturnOutcome {
    let plan = format!("Your plan is {} from now on.", state.plan.as_str());
    return_outcome(PAID, PageOutcome::Done, "Thank you", &[&plan, "You can close this page."])
}

fn pending() -> ReturnOutcome {
    let wait = "Your payment is being processed. Your plan changes automatically once the payment has arrived.";
    return_outcome(PENDING, PageOutcome::Done, "Thank you", &[wait, "You can close this page."])
}

fn unpaid() -> ReturnOutcome {
    let retry = "Nothing was paid, and your plan is unchanged. Start the checkout again if you still want the plan.";
    return_outcome(UNPAID, PageOutcome::Refused, "Checkout not completed", &[retry])
}

fn returned() -> ReturnOutcome {
    let applied = "Changes you made at the payment provider take effect within seconds. A checkout that you did not \
                   complete has no effect.";
    return_outcome(FROM_PORTAL, PageOutcome::Done, "You are back", &[applied, "You can close this page."])
}

fn failed(error: &Error) -> ReturnOutcome {
    let later = "If you have paid, nothing is lost: your plan changes automatically. You can also reload this page.";
    match error.kind {
        Kind::PlatformFailed | Kind::PlatformTimeout | Kind::RateLimited => {
            let reason = "The payment provider has not confirmed your payment yet.";
            return_outcome(UNCONFIRMED, PageOutcome::PlatformFailed, "Not confirmed yet", &[reason, later])
        }
        Kind::Validation | Kind::NotFound => {
            let reason = "This address does not belong to a recent checkout, so there is nothing to confirm here.";
            let paid = "If you have paid, nothing is lost: your plan changes automatically.";
            return_outcome(UNKNOWN, PageOutcome::Refused, "Checkout not found", &[reason, paid])
        }
        _ => return_outcome(
            UNCONFIRMED,
            PageOutcome::Failed,
            "Not confirmed yet",
            &["Something went wrong on our side.", later],
        ),
    }
}
