//! The subscription of a customer.
//!
//! - The **billing record** has the customer at the payment provider and the subscription state.
//! - A **payment customer** leads from a webhook to the customer.
//! - A **processed event** is not applied twice.
//! - A **checkout session** leads from the return page to the customer; sessions without a record never reach Stripe.

mod checkouts;
mod item;
mod plan;
mod plan_change;
mod subscription_states;

pub use checkouts::Checkout;
pub use item::BillingRecord;
pub use subscription_states::ApplyOutcome;
