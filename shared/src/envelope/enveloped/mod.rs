//! The enveloped shape: campaigns inside `data`, upper-case platforms, nested errors.

mod campaign;
mod error;
mod names;
mod request;

pub(super) use campaign::EnvelopedCampaign;
pub(super) use error::{EnvelopedError, ErrorBody};
#[cfg(test)]
pub(super) use names::STATUSES;
pub(super) use names::{GOALS, goal_name, status_filter, status_name};
pub(super) use request::{read_create, read_update};
