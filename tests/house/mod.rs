//! House rules: structure, the API's routes and settings, pages, costs, permissions, and the engine that replaces
//! DynamoDB in tests.

mod api;
pub(crate) mod architecture;
mod budget;
mod concurrency;
mod contract;
mod documents;
mod observability;
mod platforms;
mod release_build;
mod rights;
mod roles;
mod store;
pub(crate) mod table;
mod template;
