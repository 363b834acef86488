//! Plans, subscriptions and the webhooks of the payment provider.

mod histories;
mod plans;
mod subscriptions;
pub(crate) mod webhooks;
