//! Events: what happened, told to the customer's own endpoints.

mod kind;

pub use kind::EventKind;
