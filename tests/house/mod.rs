//! The rules of the house: structure, pages, costs, permissions, and the engine that stands in for DynamoDB.

pub(crate) mod architecture;
mod budget;
mod circles;
mod contract;
mod documents;
mod observability;
mod prose;
mod roles;
mod store;
pub(crate) mod table;
