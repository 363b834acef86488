//! Plans, subscriptions, and webhooks of the payment provider.

mod histories;
mod malformed_events;
mod plans;
mod returns;
pub(crate) mod subscriptions;
pub(crate) mod webhooks;
