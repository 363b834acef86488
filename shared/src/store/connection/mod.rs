//! The connections of a customer, each to one ad account.
//!
//! - A **connection** has the state of the ad account. Until the user finishes the consent, a **PENDING connection**
//!   stands in for it.
//! - A **connection id** is the sort key of the connection with this id. The transactions that add or remove a connection
//!   keep it, and the counts in the account and the grant.
//! - A **user's record** of a connection is that sort key too, under the `external_ref` of the connection.
//! - An **authorization** is an OAuth consent in progress, or one that waits for the caller's confirmation. The **authorization count** is the number of those that a
//!   customer ever began: a new one begins only if none has begun since its request read the PENDING connections.

mod authorizations;
mod batches;
mod broken;
mod changes;
mod consents;
mod found;
mod item;
mod reads;
mod recent_references;
mod users;

pub use authorizations::{Authorization, InProgress, ReturnTarget};
pub use batches::{BatchStart, ConnectionBatch};
pub(super) use broken::BrokenConnections;
pub use consents::{Consent, NewConnection, Stored};
pub(super) use item::ConnectionAttributes;
pub use reads::ConnectionRef;
pub(super) use recent_references::RecentReferences;
