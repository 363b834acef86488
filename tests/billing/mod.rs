//! Plans, subscriptions, and webhooks of the payment provider.

mod histories;
mod plans;
mod returns;
mod subscriptions;
pub(crate) mod webhooks;
