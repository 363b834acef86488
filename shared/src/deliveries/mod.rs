//! Events on their way to the customers' endpoints: signed, and repeated until an endpoint accepts them (D67).
//!
//! An event is due until each endpoint that receives its type has a delivery, and a delivery until the endpoint has
//! accepted it or the last attempt has failed. Each step may be repeated.

mod attempt;
mod endpoints;
mod fan_out;
mod pause;
mod send;
mod signature;

pub use attempt::{AttemptOutcome, attempt_delivery};
pub use endpoints::Endpoints;
pub use fan_out::fan_out;
pub use pause::end_pause;
pub use send::send;
pub use signature::signed_headers;
