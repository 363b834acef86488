//! The account of a customer, one item: the customer, its API keys, the counters of rate limit and quota, the slots of
//! its requests in flight, and the number of its connections. An API key contains the customer's id, so authentication
//! is one update of this item.

mod admission_condition;
mod admissions;
mod cache;
mod connection_count;
mod in_flight;
mod item;
mod key_changes;
mod keys;
mod quota;

pub use admissions::{Admission, Terms};
pub(super) use cache::AccountCache;
pub(super) use connection_count::ACCOUNT_EXISTS;
pub use in_flight::Slot;
pub use item::Account;
pub(super) use item::parse_account;
