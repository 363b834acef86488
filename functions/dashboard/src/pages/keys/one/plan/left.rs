//! What is left of what a key has added to the budgets that run.

use super::{Outcome, Touched};
use crate::kit::campaign::CampaignSummary;
use crate::kit::effects::{Effects, between};
use jiff::Timestamp;
use shared::domain::{Campaign, CampaignChanges, CampaignValues};

/// The sums, and whether something is not in them.
#[derive(Debug, Default)]
pub(in super::super) struct LeftOver {
    effects: Effects,
    is_partial: bool,
}

impl LeftOver {
    /// Adds a campaign. Of one that does not run nothing is left, and of one with its former values neither.
    pub(super) fn add(&mut self, one: &Touched, outcome: &Outcome, now: Timestamp) {
        let campaign = match &one.now {
            Ok(campaign) if CampaignSummary::from(campaign).is_active(now) => campaign,
            Ok(_) => return,
            Err(refusal) => {
                self.is_partial |= refusal.status != 404;
                return;
            }
        };
        match outcome {
            Outcome::AsBefore => {}
            Outcome::Reverts(reverts) => {
                let (former, has) = (values(campaign, &reverts.1), values(campaign, &CampaignChanges::default()));
                self.effects.add_effect(between(&former, &has));
            }
            Outcome::Stays(_) => self.is_partial = true,
        }
    }

    /// `Of this, +225.00 USD a day still runs.` `None` if that is not known.
    pub(in super::super) fn words(&self) -> Option<String> {
        let sums = self.effects.sums();
        match (sums.is_empty(), self.is_partial) {
            (true, true) => None,
            (true, false) => Some("Nothing of what it added runs any more.".to_owned()),
            (false, is_partial) => {
                let rest = if is_partial { ", without the campaigns under “Unchanged”" } else { "" };
                Some(format!("Of this, {} still runs{rest}.", sums.join(", ")))
            }
        }
    }
}

/// The campaign with these changes.
fn values(campaign: &Campaign, changes: &CampaignChanges) -> CampaignValues {
    CampaignValues {
        name: campaign.name.clone(),
        status: changes.status.unwrap_or(campaign.status),
        budget_amount: changes.budget_amount.or(campaign.budget_amount),
        budget_period: campaign.budget_period,
        currency: campaign.currency,
        start_at: campaign.start_at,
        end_at: campaign.end_at,
    }
}
