//! The history: what was done to campaigns, by whom, and with what outcome.

mod cursor;
mod get;
mod list;

pub(crate) use get::{get, prefetch};
pub(crate) use list::list;
