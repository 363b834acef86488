//! The endpoints through HTTP: a file for each group of the interface, and one for each promise that all of them make.

mod api_keys;
pub(crate) mod attacks;
mod bad_input;
mod campaigns;
mod capabilities;
mod connections;
mod events;
mod every_response;
mod idempotency;
mod idempotency_retries;
mod limits;
mod listing;
mod manage;
pub(crate) mod money;
mod redirect_uris;
mod shapes;
mod targets;
mod updates;
mod usage_logs;
