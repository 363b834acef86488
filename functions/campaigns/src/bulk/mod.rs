//! Bulk changes of the status (D61 in docs/decisions.md).

mod campaigns;
mod start;
mod status;

pub(crate) use start::start;
pub(crate) use status::{prefetch, status};
