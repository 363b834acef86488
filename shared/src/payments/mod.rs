//! The payment provider, which speaks Stripe's API: its client, its errors, and the signature of its webhooks.

mod api_call;
mod client;
mod credentials;
mod fault;
mod prices;
pub mod signature;
pub mod wire;

pub use client::{CheckoutRequest, Provider};
pub use credentials::{Credentials, InvalidCredentials};
pub use fault::CallError;
pub use prices::{PriceIds, Prices};

/// The provider's API.
pub const BASE_URL: &str = "https://api.stripe.com";

#[cfg(test)]
mod tests;
