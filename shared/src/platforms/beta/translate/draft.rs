//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Goal, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::beta::money::Units;
use crate::platforms::beta::{CAPABILITIES, NAME, wire};
use crate::platforms::capabilities::fault;
use jiff::Timestamp;
use rust_decimal::Decimal;

/// A draft that the platform can hold, in the platform's units.
#[derive(Debug)]
pub(in crate::platforms::beta) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
    budget: Units,
}

/// Objectives of new campaigns (Marketing API: Campaign, `objective`).
fn objective(goal: Goal) -> &'static str {
    match goal {
        Goal::BrandAwareness | Goal::Reach => "OUTCOME_AWARENESS",
        Goal::WebsiteTraffic => "OUTCOME_TRAFFIC",
        Goal::Leads => "OUTCOME_LEADS",
        Goal::Sales | Goal::Conversions => "OUTCOME_SALES",
        Goal::AppPromotion => "OUTCOME_APP_PROMOTION",
    }
}

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::beta) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
    ) -> Result<Order<'a>, Error> {
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        if draft.name.trim().is_empty() {
            faults.push(fault("name", "must not be blank"));
        }
        let budget = Units::of_budget(draft.budget_amount, Some(draft.budget_period), account.currency);
        let budget = budget.map_err(|fault| add(&mut faults, fault)).ok();
        faults.extend(draft.start_at.map(|_| date_fault("start_at")));
        faults.extend(draft.end_at.map(|_| date_fault("end_at")));
        match budget {
            Some(budget) if faults.is_empty() => Ok(Order { account, draft, budget }),
            _ => Err(Error::fields(faults).on(Platform::Beta)),
        }
    }

    /// Two defaults of the platform would cost money: it creates campaigns ACTIVE, and with a bid cap, under which it
    /// refuses every ad set without a bid. It requires the special categories even when there are none.
    pub(in crate::platforms::beta) fn parameters(&self, special_ad_categories: &[String]) -> wire::CampaignParameters {
        let whole_run = self.draft.budget_period.is_whole_run();
        wire::CampaignParameters {
            name: Some(self.draft.name.clone()),
            objective: Some(objective(self.draft.goal)),
            status: Some("PAUSED"),
            special_ad_categories: Some(special_ad_categories.to_vec()),
            bid_strategy: Some("LOWEST_COST_WITHOUT_CAP"),
            daily_budget: (!whole_run).then_some(self.budget),
            lifetime_budget: whole_run.then_some(self.budget),
        }
    }

    /// The campaign that came of it: as it was ordered, with what the platform added where it was read back.
    pub(in crate::platforms::beta) fn created(&self, id: &str, read: Option<Campaign>) -> Campaign {
        let of_platform = |time: fn(&Campaign) -> Option<Timestamp>| read.as_ref().and_then(time);
        Campaign {
            id: CampaignId::new(Platform::Beta, &self.account.id, id),
            account_id: self.account.id.clone(),
            remote_id: id.to_owned(),
            name: self.draft.name.clone(),
            status: CampaignStatus::Paused,
            goal: Some(self.draft.goal),
            budget_amount: Some(self.draft.budget_amount),
            budget_period: Some(self.draft.budget_period),
            currency: self.account.currency,
            total_spend_amount: Some(Decimal::ZERO),
            start_at: of_platform(|campaign| campaign.start_at),
            end_at: of_platform(|campaign| campaign.end_at),
            created_at: of_platform(|campaign| campaign.created_at),
            updated_at: of_platform(|campaign| campaign.updated_at),
            // The id is of digits only.
            raw: read.map_or_else(|| format!("{{\"id\":\"{id}\"}}"), |campaign| campaign.raw),
        }
    }
}

/// Keeps a fault of a field unless that field has the same one already.
fn add(faults: &mut Vec<FieldError>, fault: FieldError) {
    if !faults.contains(&fault) {
        faults.push(fault);
    }
}

fn date_fault(field: &str) -> FieldError {
    let message = format!("cannot be set on {NAME}: a campaign there has no schedule, its ad sets have; leave it out");
    fault(field, message)
}

#[cfg(test)]
mod tests;
