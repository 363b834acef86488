//! Calls on prices.

use super::call::{ApiCall, ApiResult};
use crate::stripe::error::StripeError;
use crate::stripe::objects::plan::Plan;

/// `GET /v1/prices/{id}`.
pub(crate) fn get(call: &ApiCall, id: &str) -> ApiResult {
    call.expanded(&[])?;
    Plan::from_price(id).map(Plan::price_object).ok_or_else(|| StripeError::not_found("price", id))
}
