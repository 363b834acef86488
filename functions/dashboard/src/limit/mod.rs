//! The form with the spending limit of a key: what it shows, and what it sends.

mod body;
mod fields;
mod form;

pub(crate) use body::{NewLimit, has_limit, limit_of, unticked};
pub(crate) use fields::{CONTROLS, FIELDS};
pub(crate) use form::{LimitForm, has_one_currency};
