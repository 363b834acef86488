//! Insights: read from the API, kept for some minutes, summed, and shown as charts and tables.

mod account;
mod chart;
mod groups;
mod kept;
mod range;
mod reading;
mod report;
mod sums;
mod wire;

pub(crate) use account::AccountSums;
pub(crate) use chart::{ChartDays, spend_chart};
pub(crate) use groups::Group;
pub(crate) use kept::{Kept, Question, Subject, ask};
pub(crate) use range::{Range, text as days_text};
pub(crate) use reading::{Reading, of_campaign};
pub(crate) use report::{Report, cells};
pub(crate) use sums::{Numbers, Sum, change, percent, rounded, shown_rate};
