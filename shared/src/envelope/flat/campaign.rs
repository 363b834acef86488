//! Campaigns in the flat shape.

use super::super::wire::{Number, iso_millis};
use super::names::{goal_name, period_name, status_name};
use crate::domain::Campaign;
use serde::Serialize;

/// A campaign.
#[derive(Serialize)]
pub(crate) struct FlatCampaign<'a> {
    id: String,
    platform: &'static str,
    remote_id: &'a str,
    name: &'a str,
    status: Option<&'static str>,
    goal: Option<&'static str>,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    currency: &'static str,
    created_at: Option<String>,
    updated_at: Option<String>,
}

impl<'a> From<&'a Campaign> for FlatCampaign<'a> {
    fn from(campaign: &'a Campaign) -> FlatCampaign<'a> {
        // Destructured in full: a new field must be shown or ignored explicitly.
        let Campaign {
            id,
            account_id: _,
            remote_id,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            currency,
            total_spend_amount: _,
            start_at: _,
            end_at: _,
            created_at,
            updated_at,
            raw: _,
        } = campaign;
        FlatCampaign {
            id: id.to_string(),
            platform: id.platform().as_str(),
            remote_id,
            name,
            status: status_name(*status),
            goal: goal.and_then(goal_name),
            budget_amount: budget_amount.map(Number),
            budget_period: budget_period.map(period_name),
            currency: currency.code(),
            created_at: created_at.map(iso_millis),
            updated_at: updated_at.map(iso_millis),
        }
    }
}
