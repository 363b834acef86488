//! The payment provider, which speaks Stripe's API: its client, its errors, and the signature of its webhooks.

mod api_call;
mod catalogue;
mod checkout;
mod client;
mod credentials;
mod error;
mod prices;
mod signature;
mod webhook;
mod wire;

pub use catalogue::PlanPrice;
pub use checkout::{CheckoutPage, CheckoutRequest, CheckoutState, SESSION_ID_PLACEHOLDER, is_session_id};
pub use client::Provider;
pub use credentials::{Credentials, InvalidCredentials};
pub use error::CallError;
pub use prices::{PriceIds, Prices};
pub use signature::HEADER as SIGNATURE_HEADER;
pub use webhook::{EventCustomer, WebhookEvent};
pub use wire::Customer;

/// The provider's API.
pub const BASE_URL: &str = "https://api.stripe.com";

#[cfg(test)]
mod tests;
