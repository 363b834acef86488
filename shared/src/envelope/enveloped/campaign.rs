//! Campaigns in the enveloped shape.

use super::super::ad_delivery::WireDelivery;
use super::super::wire::{Number, Raw, WireMonthlyBudget, iso_millis, iso_seconds};
use super::names::{goal_name, status_name};
use crate::domain::{BudgetPeriod, Campaign, Holder, Reference};
use serde::Serialize;

/// A campaign.
#[derive(Serialize)]
pub(crate) struct EnvelopedCampaign<'a> {
    id: String,
    platform: &'static str,
    organization_id: &'a str,
    connection_id: &'a str,
    name: &'a str,
    status: &'static str,
    goal: &'static str,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_held_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pacing: Option<WireMonthlyBudget>,
    currency: &'static str,
    total_spend_amount: Option<Number>,
    delivery: Option<WireDelivery<'a>>,
    start_at: Option<String>,
    start_held_by: Option<&'static str>,
    end_at: Option<String>,
    end_held_by: Option<&'static str>,
    created_at: Option<String>,
    updated_at: Option<String>,
    raw: Raw<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
}

impl<'a> From<&'a Campaign> for EnvelopedCampaign<'a> {
    fn from(campaign: &'a Campaign) -> EnvelopedCampaign<'a> {
        // Destructured in full: a new field must be shown or ignored explicitly.
        let Campaign {
            id,
            connection,
            account_id,
            remote_id: _,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            monthly,
            currency,
            total_spend_amount,
            start_at,
            start_held_by,
            end_at,
            end_held_by,
            created_at,
            updated_at,
            raw,
            signals: _,
            delivery,
            reference,
        } = campaign;
        EnvelopedCampaign {
            id: id.to_string(),
            platform: id.platform().as_upper(),
            organization_id: account_id,
            connection_id: &connection.0,
            name,
            status: status_name(*status),
            goal: goal_name(*goal),
            budget_amount: budget_amount.map(Number),
            budget_period: budget_period.map(BudgetPeriod::as_str),
            budget_held_by: monthly.map(|_| Holder::Service.as_str()),
            pacing: monthly.map(WireMonthlyBudget::from),
            currency: currency.code(),
            total_spend_amount: total_spend_amount.map(Number),
            delivery: delivery.as_ref().map(WireDelivery::from),
            start_at: start_at.map(iso_seconds),
            start_held_by: start_held_by.map(Holder::as_str),
            end_at: end_at.map(iso_seconds),
            end_held_by: end_held_by.map(Holder::as_str),
            created_at: created_at.map(iso_millis),
            updated_at: updated_at.map(iso_millis),
            raw: Raw(raw),
            reference: reference.as_ref().map(Reference::as_str),
        }
    }
}
