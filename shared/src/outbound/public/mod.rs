//! Safe calls to addresses that customers choose, such as the endpoints of webhooks.
//!
//! A customer must not reach through this service what only the service can reach: its own machine (where Lambda's
//! Runtime API listens), a metadata service, or a private network.

mod address;
mod url_policy;

pub use address::SpecialUse;
pub use url_policy::{Reach, UrlPolicy, UrlRefusal};
