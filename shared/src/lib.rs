//! The library of all functions: routing, authentication, the store, the ad platforms, and responses.
//!
//! A request passes through [`routes`], [`serve`] (parsing, authentication), the handler of a function, [`store`] and
//! [`platforms`], and [`envelope`], the only module that builds responses.

pub mod app;
pub mod assistants;
pub mod auth;
pub mod changes;
pub mod clock;
mod concurrent;
pub mod deliveries;
pub mod domain;
pub mod envelope;
pub mod error;
pub mod identity;
pub mod lambda;
pub mod log;
pub mod metrics;
pub mod outbound;
pub mod payments;
pub mod platforms;
mod recent_map;
pub mod request_context;
pub mod routes;
pub mod sdk;
pub mod secrets;
pub mod serve;
pub mod skipped_names;
pub mod store;
pub mod subscriptions;
pub mod timing;
pub mod tokens;
pub mod vault;
pub mod webhook_secrets;
