//! The flat shape: bare campaigns, lower-case platforms, flat errors.

mod campaign;
mod error;
mod names;
mod request;

pub(super) use campaign::FlatCampaign;
pub(super) use error::{FlatError, code, message};
pub(super) use names::{GOALS, goal_name, period_name, status_filter, status_name};
#[cfg(test)]
pub(super) use names::{PERIODS, STATUSES};
pub(super) use request::{read_create, read_update};
