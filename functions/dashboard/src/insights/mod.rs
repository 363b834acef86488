//! Insights by day: read from the API, summed, and shown as charts with a table of the same numbers.

mod groups;
mod range;
mod reading;
mod report;
mod sums;
mod wire;

pub(crate) use groups::{Group, groups};
pub(crate) use range::Range;
pub(crate) use reading::{Reading, of_campaign, read};
pub(crate) use report::Report;
