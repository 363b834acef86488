//! Campaigns in the flat shape.

use super::super::ad_delivery::WireDelivery;
use super::super::wire::{Number, WireMonthlyBudget, iso_millis, iso_seconds};
use super::names::{goal_name, period_name, status_name};
use crate::domain::{BudgetPeriod, Campaign, Holder, Reference};
use serde::Serialize;

/// A campaign.
#[derive(Serialize)]
pub(crate) struct FlatCampaign<'a> {
    id: String,
    platform: &'static str,
    remote_id: &'a str,
    connection_id: &'a str,
    remote_account_id: &'a str,
    name: &'a str,
    status: Option<&'static str>,
    goal: Option<&'static str>,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_held_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pacing: Option<WireMonthlyBudget>,
    currency: &'static str,
    delivery: Option<WireDelivery<'a>>,
    start_at: Option<String>,
    start_held_by: Option<&'static str>,
    end_at: Option<String>,
    end_held_by: Option<&'static str>,
    created_at: Option<String>,
    updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
}

impl<'a> From<&'a Campaign> for FlatCampaign<'a> {
    fn from(campaign: &'a Campaign) -> FlatCampaign<'a> {
        // Destructured in full: a new field must be shown or ignored explicitly.
        let Campaign {
            id,
            connection,
            account_id,
            remote_id,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            monthly,
            currency,
            total_spend_amount: _,
            start_at,
            start_held_by,
            end_at,
            end_held_by,
            created_at,
            updated_at,
            raw: _,
            signals: _,
            delivery,
            reference,
        } = campaign;
        // The flat shape has no monthly budgets: it shows the daily one at the platform.
        let (budget_amount, budget_period) = match monthly {
            Some(month) => (Some(month.daily_now), Some(BudgetPeriod::Daily)),
            None => (*budget_amount, *budget_period),
        };
        FlatCampaign {
            id: id.to_string(),
            platform: id.platform().as_str(),
            remote_id,
            connection_id: &connection.0,
            remote_account_id: account_id,
            name,
            status: status_name(*status),
            goal: goal.and_then(goal_name),
            budget_amount: budget_amount.map(Number),
            budget_period: budget_period.map(period_name),
            budget_held_by: monthly.map(|_| Holder::Service.as_str()),
            pacing: monthly.map(WireMonthlyBudget::from),
            currency: currency.code(),
            delivery: delivery.as_ref().map(WireDelivery::from),
            start_at: start_at.map(iso_seconds),
            start_held_by: start_held_by.map(Holder::as_str),
            end_at: end_at.map(iso_seconds),
            end_held_by: end_held_by.map(Holder::as_str),
            created_at: created_at.map(iso_millis),
            updated_at: updated_at.map(iso_millis),
            reference: reference.as_ref().map(Reference::as_str),
        }
    }
}
