//! Campaigns as JSON of the API, which the overview reads and keeps.

use crate::client::accounts::ConnectionError;
use crate::client::api::Pagination;
use crate::kit::campaign::CampaignSummary;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::domain::pacing::Month;
use shared::domain::{BudgetPeriod, CampaignId, CampaignStatus, Currency, Holder, MonthSpend};

/// The budget period that this service holds. Only the enveloped shape has it.
pub(crate) const MONTHLY: &str = "MONTHLY";

/// A page of a list of campaigns in the enveloped shape.
#[derive(Deserialize)]
pub(crate) struct CampaignList {
    pub(crate) unified: Vec<Campaign>,
    pub(crate) pagination: Pagination,
    /// Accounts that could not be read.
    #[serde(default)]
    pub(crate) errors: Vec<ConnectionError>,
}

/// A campaign in the enveloped shape.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Campaign {
    pub(crate) id: String,
    pub(crate) platform: String,
    pub(crate) organization_id: String,
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget_amount: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget_period: Option<String>,
    /// How far the month of a monthly budget is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pacing: Option<Pacing>,
    pub(crate) currency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_held_by: Option<String>,
}

/// `pacing` of a campaign in the API.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Pacing {
    pub(crate) amount: Box<RawValue>,
    spent: Box<RawValue>,
    remaining: Box<RawValue>,
    daily_now: Box<RawValue>,
    /// `2026-11`
    month: String,
    /// A kept reading from before this field does not tell.
    #[serde(default)]
    stopped: bool,
}

impl Campaign {
    /// The campaign as pages show it; `None` for one that this release does not understand.
    pub(crate) fn summary(self) -> Option<CampaignSummary> {
        Some(CampaignSummary {
            id: CampaignId::parse(&self.id)?,
            account_id: self.organization_id,
            name: self.name,
            status: CampaignStatus::parse(&self.status)?,
            budget_amount: self.budget_amount.as_deref().and_then(decimal),
            budget_period: self.budget_period.as_deref().and_then(BudgetPeriod::parse),
            monthly: self.pacing.as_ref().and_then(Pacing::month),
            currency: Currency::from_code(&self.currency)?,
            end_at: self.end_at,
            end_held_by: self.end_held_by.map(|by| if by == "service" { Holder::Service } else { Holder::Platform }),
        })
    }
}

impl Pacing {
    fn month(&self) -> Option<MonthSpend> {
        Some(MonthSpend {
            amount: decimal(&self.amount)?,
            spent: decimal(&self.spent)?,
            remaining: decimal(&self.remaining)?,
            daily_now: decimal(&self.daily_now)?,
            month: Month::parse(&self.month)?,
            is_halted: self.stopped,
        })
    }
}

fn decimal(number: &RawValue) -> Option<Decimal> {
    decimal_from_number(number.get()).ok()
}
