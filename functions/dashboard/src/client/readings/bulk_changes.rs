//! What bulk changes have made of campaigns. A page shows it until a reading knows it (D82): their records say which
//! campaign has its new values, and for which these are still on their way.

use super::kept::KeptCampaigns;
use super::notes::note_end;
use super::overview::CampaignRow;
use super::state::AccountState;
use crate::client::api::Api;
use crate::client::campaigns::bulk_status;
use crate::client::session::SignedIn;
use crate::kit::campaign::CampaignSummary;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{Action, BudgetPeriod, BulkId, CampaignStatus, CampaignValues, Change, ChangeStatus, ExternalRef};
use shared::serve::WebRequest;
use shared::store::{KeptChange, KeptOverview, OverviewPart};
use std::collections::HashMap;

/// Most bulk changes that a page looks at: the latest ones.
const MOST: usize = 3;
/// How long it looks at one. By then a platform that answers was read again.
const RECENT: SignedDuration = SignedDuration::from_mins(10);

/// Which new values of a campaign are not known to be there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OnItsWay {
    pub(crate) status: bool,
    pub(crate) budget: bool,
}

/// The bulk changes that a reading may not know.
pub(super) struct BulkChanges {
    changes: Vec<(KeptChange, Vec<Change>)>,
    now: Timestamp,
}

impl BulkChanges {
    /// Reads those that are newer than what is kept of some ad account. The end of one is noted, so that the next reading
    /// is a newer one.
    pub(super) async fn read(
        request: &WebRequest,
        person: &SignedIn,
        user: Option<&ExternalRef>,
        kept: &KeptOverview,
    ) -> BulkChanges {
        let now = request.app.clock.now();
        let mut unknown: Vec<&KeptChange> =
            kept.changes.iter().filter(|change| is_unknown(change, kept, now)).collect();
        unknown.sort_by_key(|change| std::cmp::Reverse(change.at));
        unknown.truncate(MOST);
        let api = &Api::new(request, person).acting_for(user);
        let reads = unknown.into_iter().map(|change| async move {
            let id = change.bulk.as_deref()?;
            let bulk = bulk_status(api, id).await.ok()?;
            if is_open(change, now) && bulk.is_settled(now) {
                note_end(request, person.customer(), id).await;
            }
            Some((change.clone(), bulk.accounts.into_iter().flat_map(|(_, changes)| changes).collect()))
        });
        BulkChanges { changes: join_all(reads).await.into_iter().flatten().collect(), now }
    }

    /// Gives rows the values of the latest change of each, unless a reading or a later change of the campaign alone has them.
    pub(super) fn apply(&self, rows: &mut [CampaignRow], accounts: &[AccountState], kept: &KeptOverview) {
        if self.changes.is_empty() {
            return;
        }
        for row in rows {
            let account = accounts.iter().find(|account| account.connection == row.connection);
            let Some(read_at) = account.and_then(|account| account.read_at) else { continue };
            let id = row.campaign.id.to_string();
            let is_overtaken = |change: &Change| {
                let of_campaign = |other: &&KeptChange| other.campaign.as_ref() == Some(&id);
                kept.changes.iter().filter(of_campaign).any(|other| other.at > change.created_at())
            };
            let known =
                self.changes.iter().filter(|(noted, _)| is_open(noted, self.now) || noted.is_after(read_at, self.now));
            // A note has the time of its end, so an older bulk change may be noted later.
            let of_row = known
                .flat_map(|(_, changes)| changes)
                .filter(|change| change.campaign.as_ref() == Some(&row.campaign.id))
                .max_by_key(|change| change.created_at());
            if let Some(change) = of_row.filter(|change| !is_overtaken(change)) {
                row.on_its_way = set(&mut row.campaign, change, self.now);
            }
        }
    }
}

fn is_open(change: &KeptChange, now: Timestamp) -> bool {
    change.open_until.is_some_and(|until| now < until)
}

/// Whether it is a bulk change that is newer than what is kept of some ad account.
fn is_unknown(change: &KeptChange, kept: &KeptOverview, now: Timestamp) -> bool {
    let is_recent = now.duration_since(change.at) < RECENT;
    let mut readings = kept.parts.iter().filter(|part| part.part == OverviewPart::Campaigns);
    is_recent
        && change.bulk.as_deref().and_then(BulkId::parse).is_some()
        && (is_open(change, now)
            || readings.any(|part| part.rows.as_ref().is_some_and(|(read_at, _)| change.is_after(*read_at, now))))
}

/// Gives a campaign the values of a change: what the change has found after it, or what it asks for.
fn set(campaign: &mut CampaignSummary, change: &Change, now: Timestamp) -> OnItsWay {
    let Action::Update(asked) = &change.action else { return OnItsWay::default() };
    let is_due = change.apply_at.is_none_or(|at| at <= now);
    let after: Option<&CampaignValues> = match change.status(now) {
        ChangeStatus::Applied | ChangeStatus::PartlyApplied if change.after.is_some() => change.after.as_ref(),
        ChangeStatus::Sending | ChangeStatus::Unknown => None,
        ChangeStatus::Scheduled if is_due => None,
        ChangeStatus::Applied
        | ChangeStatus::PartlyApplied
        | ChangeStatus::Scheduled
        | ChangeStatus::AwaitingApproval
        | ChangeStatus::Failed
        | ChangeStatus::Canceled
        | ChangeStatus::Rejected
        | ChangeStatus::Expired => return OnItsWay::default(),
    };
    let status = asked.status.map(|status| after.map_or(status, |after| after.status));
    // The platform has another budget than the month of this service.
    let is_monthly = campaign.budget_period == Some(BudgetPeriod::Monthly) || asked.budget_period.is_some();
    let budget = asked.budget_amount.filter(|_| !is_monthly);
    let budget = budget.map(|amount| after.map_or(Some(amount), |after| after.budget_amount));
    if let Some(name) = asked.name.as_ref().map(|name| after.map_or(name, |after| &after.name)) {
        campaign.name.clone_from(name);
    }
    if let Some(status) = status {
        campaign.is_month_spent &= status == CampaignStatus::Paused;
        campaign.status = status;
    }
    if let Some(budget) = budget {
        campaign.budget_amount = budget;
    }
    let is_open = after.is_none();
    OnItsWay { status: is_open && status.is_some(), budget: is_open && budget.is_some() }
}

/// The campaigns as they were kept last, by their ids. No platform is asked.
pub(crate) async fn kept_campaigns(request: &WebRequest, person: &SignedIn) -> HashMap<String, CampaignSummary> {
    let kept = request.app.store.overview(person.customer(), request.now).await.unwrap_or_default();
    let rows =
        kept.parts.iter().filter(|part| part.part == OverviewPart::Campaigns).filter_map(|part| part.rows.as_ref());
    let campaigns = rows.filter_map(|(_, json)| KeptCampaigns::read(json)).flat_map(|kept| kept.rows);
    campaigns.map(|campaign| (campaign.id.to_string(), campaign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::RecentNumbers;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::{now, update, values};
    use rust_decimal::Decimal;
    use shared::domain::{CampaignChanges, ChangeError, ChangeState};

    const BULK: &str = "blk_00000000000000000000000000000000";

    fn seconds(seconds: i64) -> Timestamp {
        now() + SignedDuration::from_secs(seconds)
    }

    /// A row that was read this many seconds after the changes were asked for, with them.
    fn shown(read: i64, noted: KeptChange, change: Change, others: Vec<KeptChange>) -> CampaignRow {
        let row = CampaignRow::without_numbers(campaign("alpha_1_2", CampaignStatus::Active));
        let mut rows = [CampaignRow { connection: "conn_1".to_owned(), numbers: RecentNumbers::UNKNOWN, ..row }];
        let account =
            AccountState { connection: "conn_1".to_owned(), read_at: Some(seconds(read)), ..AccountState::default() };
        let kept = KeptOverview { parts: Vec::new(), changes: others };
        let changes = vec![(noted, vec![change])];
        BulkChanges { changes, now: seconds(20) }.apply(&mut rows, &[account], &kept);
        let [row] = rows;
        row
    }

    /// A bulk change that is noted to go on, or to have ended after these seconds.
    fn noted(end: Option<i64>) -> KeptChange {
        KeptChange {
            bulk: Some(BULK.to_owned()),
            open_until: end.is_none().then(|| seconds(30)),
            ..KeptChange::of_any(seconds(end.unwrap_or(0)))
        }
    }

    fn budget(state: ChangeState) -> Change {
        let asked = CampaignChanges { budget_amount: Some(60.into()), ..CampaignChanges::default() };
        let after = CampaignValues { budget_amount: Some(60.into()), ..values("Spring") };
        let has_after = state == ChangeState::Applied;
        Change { state, after: has_after.then_some(after), ..update(asked) }
    }

    #[test]
    fn a_row_has_its_new_budget_at_once_and_says_if_it_is_on_its_way() {
        let of = |read, end, state| {
            let row = shown(read, noted(end), budget(state), Vec::new());
            (row.campaign.budget_amount.unwrap(), row.on_its_way.budget)
        };
        let (sixty, ten) = (Decimal::from(60), Decimal::TEN);
        assert_eq!(of(-60, None, ChangeState::Sending), (sixty, true));
        assert_eq!(of(5, None, ChangeState::Sending), (sixty, true), "the reading may have come before it");
        assert_eq!(of(-60, Some(10), ChangeState::Applied), (sixty, false));
        assert_eq!(of(15, Some(10), ChangeState::Applied), (ten, false), "a newer reading knows best");
        assert_eq!(of(-60, Some(10), ChangeState::Failed(ChangeError::default())), (ten, false), "it kept its budget");
    }

    #[test]
    fn a_later_change_of_the_campaign_alone_is_not_undone() {
        let later = KeptChange { campaign: Some("alpha_1_2".to_owned()), ..KeptChange::of_any(seconds(12)) };
        let row = shown(-60, noted(Some(10)), budget(ChangeState::Applied), vec![later]);
        assert_eq!(row.campaign.budget_amount, Some(Decimal::TEN));
    }

    #[test]
    fn a_pause_is_shown_and_a_monthly_budget_is_left_alone() {
        let paused =
            Change { state: ChangeState::Sending, ..update(CampaignChanges::of_status(CampaignStatus::Paused)) };
        let row = shown(-60, noted(None), paused, Vec::new());
        assert_eq!((row.campaign.status, row.on_its_way.status), (CampaignStatus::Paused, true));
        let monthly = Some(BudgetPeriod::Monthly);
        let mut campaign = CampaignSummary { budget_period: monthly, ..campaign("alpha_1_2", CampaignStatus::Active) };
        let told = set(&mut campaign, &budget(ChangeState::Sending), now());
        assert_eq!((campaign.budget_amount, told), (Some(Decimal::TEN), OnItsWay::default()));
    }
}
