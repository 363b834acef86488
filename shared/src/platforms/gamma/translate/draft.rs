//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use super::instant;
use super::name::name_fault;
use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Goal, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::capabilities::fault;
use crate::platforms::gamma::fault::unreadable;
use crate::platforms::gamma::wire::{self, Amount, Operation};
use crate::platforms::gamma::{CAPABILITIES, NAME};
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// A draft that the platform can hold.
#[derive(Debug)]
pub(in crate::platforms::gamma) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
}

/// A campaign that was made, and whether the platform says that it is switched off.
#[derive(Debug)]
pub(in crate::platforms::gamma) struct Made {
    pub(in crate::platforms::gamma) campaign: Campaign,
    pub(in crate::platforms::gamma) is_off: bool,
}

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::gamma) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
    ) -> Result<Order<'a>, Error> {
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        faults.extend(name_fault(&draft.name));
        faults.extend(draft.start_at.map(|_| date_fault("start_at")));
        faults.extend(draft.end_at.map(|_| date_fault("end_at")));
        if !faults.is_empty() {
            return Err(Error::fields(faults).on(Platform::Gamma));
        }
        Ok(Order { account, draft })
    }

    /// What is sent, to both ways of making a campaign. What would default to on (status) or may default to either
    /// (who divides the budget) is said: with the budget kept by the campaign as a limit over its ad groups, a day's
    /// budget is what is spent on a day at most.
    pub(in crate::platforms::gamma) fn request(&self, request_id: u64) -> wire::CampaignCreate<'a> {
        let objective_type = objective(self.draft.goal);
        let is = |objective| objective_type == objective;
        wire::CampaignCreate {
            advertiser_id: &self.account.id,
            request_id: request_id.to_string(),
            campaign_name: &self.draft.name,
            objective_type,
            app_promotion_type: is("APP_PROMOTION").then_some("APP_INSTALL"),
            sales_destination: is("WEB_CONVERSIONS").then_some("WEBSITE"),
            budget_mode: if self.draft.budget_period.is_whole_run() { "BUDGET_MODE_TOTAL" } else { "BUDGET_MODE_DAY" },
            budget: Amount(self.draft.budget_amount),
            budget_optimize_on: false,
            operation_status: Operation::Disable,
        }
    }

    /// The campaign that an answer is about. All that it must have is an id: a campaign that exists is never lost
    /// over the rest.
    pub(in crate::platforms::gamma) fn created(&self, data: &RawValue) -> Result<Made, Error> {
        let created: wire::Created = serde_json::from_str(data.get()).map_err(unreadable)?;
        let said: wire::Stamps = serde_json::from_str(data.get()).unwrap_or_default();
        let remote_id = created.campaign_id.to_string();
        let campaign = Campaign {
            id: CampaignId::new(Platform::Gamma, &self.account.id, &remote_id),
            account_id: self.account.id.clone(),
            remote_id,
            name: self.draft.name.clone(),
            status: CampaignStatus::Paused,
            goal: Some(self.draft.goal),
            budget_amount: Some(self.draft.budget_amount),
            budget_period: Some(self.draft.budget_period),
            currency: self.account.currency,
            total_spend_amount: Some(Decimal::ZERO),
            start_at: None,
            end_at: None,
            created_at: said.create_time.as_deref().and_then(instant),
            updated_at: said.modify_time.as_deref().and_then(instant),
            raw: data.get().to_owned(),
        };
        Ok(Made { campaign, is_off: said.operation_status.as_deref() == Some(Operation::Disable.as_str()) })
    }
}

fn date_fault(field: &str) -> FieldError {
    fault(field, format!("cannot be set on {NAME}: a campaign there has no dates, its ad groups have; leave it out"))
}

fn objective(goal: Goal) -> &'static str {
    match goal {
        Goal::WebsiteTraffic => "TRAFFIC",
        Goal::BrandAwareness | Goal::Reach => "REACH",
        Goal::Conversions | Goal::Sales => "WEB_CONVERSIONS",
        Goal::Leads => "LEAD_GENERATION",
        Goal::AppPromotion => "APP_PROMOTION",
    }
}

#[cfg(test)]
mod tests;
