//! The endpoints through HTTP: a file for each group of the interface, and one for each promise that all of them make.

mod adoption;
mod api_keys;
pub(crate) mod attacks;
mod bad_input;
mod campaigns;
mod capabilities;
mod connection_index;
mod connections;
mod events;
mod every_response;
mod idempotency;
mod idempotency_retries;
mod in_flight;
mod key_management;
mod key_records;
mod key_scopes;
mod limits;
mod listing;
mod manage;
pub(crate) mod money;
mod open_creates;
mod redirect_uris;
mod shapes;
mod targets;
mod unrouted;
mod updates;
mod usage_logs;
