//! The history: what was done to campaigns, by whom, and with what outcome.

mod cancel;
mod cursor;
mod get;
mod list;

pub(crate) use cancel::cancel;
pub(crate) use get::{get, prefetch};
pub(crate) use list::list;
