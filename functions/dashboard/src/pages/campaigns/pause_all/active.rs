//! The number of active campaigns, as far as the API returns it in time.

use crate::client::accounts::{ConnectionError, add_errors};
use crate::client::all_pages::{Limits, read_pages};
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::kit::campaign::CampaignSummary;
use crate::kit::changes::{Added, sums};
use crate::kit::text::grouped;
use jiff::Timestamp;
use shared::domain::{BudgetPeriod, Campaign};
use shared::envelope::CampaignList;
use std::time::Duration;

/// Campaigns of a page of the API: as many as it gives.
const PAGE_SIZE: usize = 100;
/// Most campaigns that are counted.
const MAX_COUNT: usize = 1_000;
/// Most campaigns that are named.
const MAX_NAMED: usize = 10;
/// Pages of an account that does not answer may be empty. The time is less than the page of the dashboard has.
const LIMITS: Limits = Limits { pages: 20, time: Some(Duration::from_secs(15)) };

/// The active campaigns of all ad accounts.
#[derive(Debug, Default)]
pub(super) struct ActiveCampaigns {
    pub(super) count: usize,
    /// The names of the first ones.
    pub(super) names: Vec<String>,
    /// The known budgets of a day.
    pub(super) daily: Vec<Added>,
    /// There are more, or may be.
    pub(super) is_cut: bool,
    /// Accounts that could not be read.
    pub(super) errors: Vec<ConnectionError>,
}

impl ActiveCampaigns {
    /// Counts, for as long as there is time.
    pub(super) async fn count(api: &Api<'_>, now: Timestamp) -> Result<ActiveCampaigns, Refusal> {
        let mut active = ActiveCampaigns::default();
        let mut is_full = false;
        let first = format!("/v1/campaigns?status=ACTIVE&limit={PAGE_SIZE}");
        let read = |target: String| async move { campaigns::page(api, &target).await };
        let is_cut = read_pages(&first, LIMITS, read, |page| {
            let next = active.add(page, now);
            is_full = next.is_some() && active.count >= MAX_COUNT;
            if is_full { None } else { next }
        });
        let is_cut = is_cut.await? || is_full;
        Ok(ActiveCampaigns { is_cut, ..active })
    }

    /// Adds a page. The cursor of the next one, if there is one.
    fn add(&mut self, page: CampaignList, now: Timestamp) -> Option<String> {
        // Those past their end run no more, and are not paused.
        let is_active = |campaign: &Campaign| CampaignSummary::from(campaign).is_active(now);
        for campaign in page.campaigns.into_iter().filter(is_active) {
            self.count += 1;
            self.add_budget(&campaign);
            if self.names.len() < MAX_NAMED {
                self.names.push(campaign.name);
            }
        }
        add_errors(&mut self.errors, page.failures);
        page.next_cursor
    }

    /// A monthly budget counts with the daily one that it has now.
    fn add_budget(&mut self, campaign: &Campaign) {
        let daily = match (&campaign.monthly, campaign.budget_period) {
            (Some(month), _) => Some(month.daily_now),
            (None, Some(BudgetPeriod::Daily)) => campaign.budget_amount,
            (None, _) => None,
        };
        self.daily.extend(daily.map(|amount| Added::budget(amount, campaign.currency, Some(BudgetPeriod::Daily))));
    }

    /// `1,200.00 USD a day`: what the known budgets of a day come to, in each currency. More may run than is read.
    pub(super) fn sums(&self) -> Vec<String> {
        let begin = if self.is_cut || !self.errors.is_empty() { "at least " } else { "" };
        let mut daily = self.daily.clone();
        daily.sort_by_key(Added::unit);
        sums(daily.into_iter()).into_iter().map(|sum| format!("{begin}{sum}")).collect()
    }

    /// The campaigns that are not named, for people: `and 12 more`; `None` if all are named.
    pub(super) fn others(&self) -> Option<String> {
        let number = grouped(u64::try_from(self.count - self.names.len()).unwrap_or(u64::MAX));
        match (self.count > self.names.len(), self.is_cut) {
            (_, _) if self.names.is_empty() => None,
            (true, true) => Some(format!("and at least {number} more")),
            (true, false) => Some(format!("and {number} more")),
            (false, true) => Some("and others".to_owned()),
            (false, false) => None,
        }
    }

    /// Whether it is certain that no campaign is active.
    pub(super) fn is_none(&self) -> bool {
        self.count == 0 && !self.is_cut && self.errors.is_empty()
    }

    /// The number for people: `more than 1,000 campaigns`. An ad account that is not read may have others.
    pub(super) fn words(&self) -> String {
        let number = grouped(u64::try_from(self.count).unwrap_or(u64::MAX));
        match (self.count, self.is_cut || !self.errors.is_empty()) {
            (0, _) => "all active campaigns".to_owned(),
            (count, true) if count >= MAX_COUNT => "more than 1,000 campaigns".to_owned(),
            (1, true) => "at least 1 campaign".to_owned(),
            (1, false) => "1 campaign".to_owned(),
            (_, true) => format!("at least {number} campaigns"),
            (_, false) => format!("{number} campaigns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign_sample::campaign;
    use shared::domain::CampaignStatus;

    #[test]
    fn the_number_says_whether_there_are_more() {
        let words = |count, is_cut| ActiveCampaigns { count, is_cut, ..ActiveCampaigns::default() }.words();
        assert_eq!(words(0, false), "all active campaigns", "never 0: an ad account may not have answered");
        assert_eq!(words(1, false), "1 campaign");
        assert_eq!(words(1_000, false), "1,000 campaigns");
        assert_eq!(words(1_000, true), "more than 1,000 campaigns");
        assert_eq!(words(7, true), "at least 7 campaigns");
        assert_eq!(words(0, true), "all active campaigns");
    }

    #[test]
    fn the_first_campaigns_are_named_and_the_others_counted() {
        let page = |names: std::ops::Range<usize>| -> CampaignList {
            let active = |number: usize| Campaign {
                name: format!("C{number}"),
                status: CampaignStatus::Active,
                ..campaign(&format!("alpha_1_{number}"))
            };
            CampaignList { campaigns: names.map(active).collect(), next_cursor: None, failures: Vec::new() }
        };
        let mut active = ActiveCampaigns::default();
        assert_eq!(active.others(), None);
        active.add(page(0..7), Timestamp::UNIX_EPOCH);
        assert_eq!((active.names.len(), active.others()), (7, None));
        assert_eq!(active.sums().len(), 1, "in one currency: {:?}", active.sums());
        active.add(page(7..22), Timestamp::UNIX_EPOCH);
        assert_eq!((active.names.len(), active.others().as_deref()), (MAX_NAMED, Some("and 12 more")));
        active.is_cut = true;
        assert_eq!(active.others().as_deref(), Some("and at least 12 more"));
    }
}
