//! The library that every function shares: auth, error envelopes, the store, and the translation to ad platforms.
//!
//! A request walks one way: [`serve`] (request id, shape, authentication) -> a function's handler -> [`platforms`]
//! and [`store`] -> [`envelope`], which alone makes a response.

pub mod app;
pub mod auth;
pub mod clock;
pub mod digest;
pub mod domain;
pub mod envelope;
pub mod error;
pub mod intents;
pub mod lambda;
pub mod log;
pub mod metrics;
pub mod outbound;
pub mod payments;
pub mod platforms;
pub mod request_context;
pub mod routes;
pub mod sdk;
pub mod secrets;
pub mod serve;
pub mod store;
pub mod timing;
pub mod tokens;
pub mod vault;
