//! Checkout sessions: the purchase of a plan on the provider's page.

use super::Provider;
use super::error::{CallError, invalid_response};
use super::wire::{CheckoutSession, is_object_id};
use crate::domain::{CustomerId, Plan};
use crate::error::{Error, Kind};
use tokio::time::Instant;

/// The placeholder that the provider replaces with the session's id, in the address after a purchase.
pub const SESSION_ID_PLACEHOLDER: &str = "{CHECKOUT_SESSION_ID}";

/// The parameters of a checkout session.
#[derive(Clone, Copy, Debug)]
pub struct CheckoutRequest<'a> {
    pub customer: CustomerId,
    /// The customer's id at the provider.
    pub payment_customer: &'a str,
    pub plan: Plan,
    /// Redirect after the purchase; it may contain [`SESSION_ID_PLACEHOLDER`].
    pub success_url: &'a str,
    /// Redirect after a cancellation.
    pub cancel_url: &'a str,
}

/// The page of a new checkout session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutPage {
    /// The session's id, `cs_…`.
    pub session_id: String,
    /// The page's address.
    pub url: String,
}

/// The state of a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutState {
    /// Complete, and nothing is owed.
    Paid,
    /// Complete; the payment has not arrived.
    Pending,
    /// Still open, or expired.
    Unpaid,
    /// The customer has no such purchase of a plan at the provider.
    Unknown,
}

impl Provider {
    /// Creates a checkout session, at most once a day for the same key. `NotFound` if the provider does not have the
    /// customer any more, as for a portal session and for a list of subscriptions.
    pub async fn create_checkout_session(
        &self,
        request: CheckoutRequest<'_>,
        key: &str,
        deadline: Instant,
    ) -> Result<CheckoutPage, CallError> {
        let CheckoutRequest { customer, payment_customer, plan, success_url, cancel_url } = request;
        let account = customer.to_string();
        let fields = [
            ("mode", "subscription"),
            ("line_items[0][price]", self.prices.current(plan)),
            ("line_items[0][quantity]", "1"),
            ("customer", payment_customer),
            ("client_reference_id", &account),
            ("metadata[account]", &account),
            // The provider does not copy the session's metadata to the subscription.
            ("subscription_data[metadata][account]", &account),
            ("success_url", success_url),
            ("cancel_url", cancel_url),
        ];
        let CheckoutSession { id, url, .. } = self.post("/v1/checkout/sessions", &fields, key, deadline).await?;
        let url = url.ok_or_else(|| CallError::not_stored(invalid_response("a checkout session without a URL")))?;
        Ok(CheckoutPage { session_id: id, url })
    }

    /// Reads the state of a customer's checkout session.
    pub async fn checkout_state(
        &self,
        session_id: &str,
        payment_customer: &str,
        deadline: Instant,
    ) -> Result<CheckoutState, Error> {
        let path = format!("/v1/checkout/sessions/{session_id}");
        let session: CheckoutSession = match self.get(&path, deadline).await {
            Err(error) if error.kind == Kind::NotFound => return Ok(CheckoutState::Unknown),
            outcome => outcome?,
        };
        let is_of_customer = session.customer.as_ref().is_some_and(|customer| customer.id() == payment_customer);
        let is_paid = matches!(session.payment_status.as_str(), "paid" | "no_payment_required");
        Ok(match session.status.as_deref() {
            _ if session.mode != "subscription" || !is_of_customer => CheckoutState::Unknown,
            Some("complete") if is_paid => CheckoutState::Paid,
            Some("complete") => CheckoutState::Pending,
            _ => CheckoutState::Unpaid,
        })
    }
}

/// Whether a text can be the id of a checkout session.
pub fn is_session_id(text: &str) -> bool {
    text.starts_with("cs_") && is_object_id(text)
}
