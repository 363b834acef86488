//! What programs, agents and monthly budgets have changed a moment ago. They tell no page, so the records of changes say it.

use super::bulk_changes::confirm;
use super::overview::CampaignRow;
use super::state::AccountState;
use crate::client::accounts::Connection;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{CampaignId, Change, ChangeFilters, CustomerId};
use shared::serve::WebRequest;

/// How far back a page looks: a reading serves for three minutes, and a change may have waited before it was sent.
const LATELY: SignedDuration = SignedDuration::from_mins(5);
/// Most changes that a page reads for it.
const MOST: i32 = 100;

/// A change of a campaign, and when its outcome was seen.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    campaign: CampaignId,
    at: Timestamp,
    change: Change,
}

impl Changed {
    /// The latest changes, oldest first. Without an answer of the store there are none: then the pages show them some minutes
    /// later.
    pub(super) async fn lately(request: &WebRequest, customer: CustomerId) -> Vec<Changed> {
        let filters = ChangeFilters { from: Some(request.now - LATELY), ..ChangeFilters::default() };
        let page = request.app.store.history(customer, &filters, None, MOST, request.now).await;
        let mut changed: Vec<Changed> = match page {
            Ok(page) => page.changes.into_iter().filter_map(Changed::of).collect(),
            Err(error) => {
                tracing::warn!(%error, source = error.source, "the latest changes were not read");
                Vec::new()
            }
        };
        changed.sort_by_key(|changed| changed.at);
        changed
    }

    fn of(change: Change) -> Option<Changed> {
        Some(Changed { campaign: change.campaign.clone()?, at: change.settled_at?, change })
    }

    /// Whether it is a campaign of a connection, and a reading that began at a time may not know the change.
    pub(super) fn is_after(&self, began: Timestamp, connection: &Connection) -> bool {
        began <= self.at && connection.contains(&self.campaign)
    }

    /// Gives the rows the values that were seen after they were read.
    pub(super) fn apply(changed: &[Changed], rows: &mut [CampaignRow], accounts: &[AccountState], now: Timestamp) {
        for row in rows {
            let Some(read_at) = row.account_in(accounts).and_then(|account| account.read_at) else { continue };
            let id = row.campaign.id.clone();
            for later in changed.iter().filter(|one| one.at >= read_at && one.campaign == id) {
                confirm(&mut row.campaign, &later.change, now);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::{at, update, values};
    use shared::domain::{CampaignChanges, CampaignStatus, ChangeState};

    /// A change of a campaign that was seen paused at a time.
    pub(in crate::client::readings) fn seen_paused(id: &str, time: Timestamp, is_step: bool) -> Changed {
        let sample = update(CampaignChanges::of_status(CampaignStatus::Paused));
        let after = Some(values("Spring"));
        let (campaign, settled_at) = (CampaignId::parse(id), Some(time));
        Changed::of(Change { campaign, settled_at, after, state: ChangeState::Applied, is_step, ..sample }).unwrap()
    }

    #[test]
    fn what_was_seen_after_the_reading_is_shown() {
        let read_at = at("2026-12-01T09:00:00Z");
        let account =
            AccountState { connection: "conn_1".to_owned(), read_at: Some(read_at), ..AccountState::default() };
        let shown = |changed: &[Changed]| {
            let campaign = campaign("alpha_1_2", CampaignStatus::Active);
            let mut rows = [CampaignRow { connection: "conn_1".to_owned(), ..CampaignRow::without_numbers(campaign) }];
            Changed::apply(changed, &mut rows, std::slice::from_ref(&account), at("2026-12-01T09:01:00Z"));
            (rows[0].campaign.status, rows[0].campaign.is_month_spent)
        };
        let later = at("2026-12-01T09:00:30Z");
        assert_eq!(shown(&[seen_paused("alpha_1_2", later, false)]), (CampaignStatus::Paused, false));
        assert_eq!(
            shown(&[seen_paused("alpha_1_2", later, true)]),
            (CampaignStatus::Paused, true),
            "its month is spent"
        );
        let others =
            [seen_paused("alpha_1_3", later, false), seen_paused("alpha_1_2", at("2026-12-01T08:59:00Z"), false)];
        assert_eq!(shown(&others), (CampaignStatus::Active, false));
    }
}
