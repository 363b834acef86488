//! The rules of the house: structure, pages, costs, permissions, and the engine that stands in for DynamoDB.

pub(crate) mod architecture;
mod budget;
mod contract;
mod documents;
mod observability;
mod roles;
mod store;
pub(crate) mod table;
