//! The flat shape: bare campaigns, lower-case platforms, flat errors.

mod campaign;
mod error;
mod names;
mod request;

pub(super) use campaign::FlatCampaign;
pub(super) use error::{FlatError, code};
#[cfg(test)]
pub(super) use names::{GOALS, PERIODS, STATUSES};
pub(super) use names::{goal_name, period_name, status_filter, status_name};
pub(super) use request::{read_create, read_update};
