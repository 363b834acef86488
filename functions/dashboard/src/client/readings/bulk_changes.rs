//! What bulk changes have made of campaigns. A page shows it until a reading knows it (D82): their records say which
//! campaign has its new values, and for which these are still on their way.

use super::kept::KeptCampaigns;
use super::notes::note_end_at;
use super::overview::{CampaignRow, kept_overview};
use super::state::AccountState;
use crate::client::api::Api;
use crate::client::campaigns::bulk_status;
use crate::client::session::SignedIn;
use crate::kit::campaign::CampaignSummary;
use crate::kit::changes::OnItsWay;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{Action, BudgetPeriod, BulkId, CampaignId, CampaignStatus, Change, ChangeStatus, ExternalRef};
use shared::envelope::BulkStatus;
use shared::serve::WebRequest;
use shared::store::{KeptChange, KeptOverview, OverviewPart};
use std::collections::HashMap;

/// Most bulk changes that a page looks at: the latest ones.
const MOST: usize = 3;
/// How long it looks at one that has ended. By then a platform that answers was read again.
const RECENT: SignedDuration = SignedDuration::from_mins(10);

/// The bulk changes that a reading may not know.
pub(super) struct BulkChanges {
    changes: Vec<(KeptChange, Vec<Change>)>,
    now: Timestamp,
}

impl BulkChanges {
    /// Reads the bulk changes whose end no page has seen, and those that are newer than a kept ad account. It notes the end of
    /// each, so that the next reading is a newer one.
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
            if change.open_until.is_some() && bulk.is_settled(now) {
                note_end_at(request, person.customer(), id, end_of(&bulk, now)).await;
            }
            Some((change.clone(), bulk.accounts.into_iter().flat_map(|(_, changes)| changes).collect()))
        });
        BulkChanges { changes: join_all(reads).await.into_iter().flatten().collect(), now }
    }

    /// Gives each row the values that its latest change found at the platform, unless a reading or a later change of the
    /// campaign alone has them. A value that is not confirmed stands beside the one that was seen.
    pub(super) fn apply(&self, rows: &mut [CampaignRow], accounts: &[AccountState], kept: &KeptOverview) {
        if self.changes.is_empty() {
            return;
        }
        for row in rows {
            let Some(read_at) = row.account_in(accounts).and_then(|account| account.read_at) else { continue };
            let id = row.campaign.id.clone();
            let of_campaign = |other: &&KeptChange| other.campaign.as_deref() == Some(id.to_string().as_str());
            let since = kept.changes.iter().filter(of_campaign).map(|other| other.at).max();
            // Of one that goes on each change ends by itself.
            let is_newer = |noted: &KeptChange, change: &Change| match noted.open_until {
                Some(_) => read_at <= change.send_deadline,
                None => noted.is_after(read_at, self.now),
            };
            // A note has the time of its end, so an older bulk change may be noted later.
            if let Some(change) = self.latest(&id, since, is_newer) {
                confirm(&mut row.campaign, change, self.now);
            }
            // No reading knows a value that is not confirmed.
            if let Some(change) = self.latest(&id, since, |_, _| true) {
                row.on_its_way = OnItsWay::of(change, &row.campaign, self.now);
            }
        }
    }

    /// The latest change of a campaign of those that are asked for; `None` if it was changed alone since.
    fn latest(
        &self,
        campaign: &CampaignId,
        changed_alone: Option<Timestamp>,
        is_asked: impl Fn(&KeptChange, &Change) -> bool,
    ) -> Option<&Change> {
        let all = self.changes.iter().flat_map(|(noted, changes)| changes.iter().map(move |change| (noted, change)));
        let own = all.filter(|(_, change)| change.campaign.as_ref() == Some(campaign));
        let asked = own.filter(|(noted, change)| is_asked(noted, change)).map(|(_, change)| change);
        let latest = asked.max_by_key(|change| change.created_at())?;
        changed_alone.is_none_or(|at| at <= latest.created_at()).then_some(latest)
    }
}

/// When a bulk change has ended at the latest: its attempts are over then.
fn end_of(bulk: &BulkStatus, now: Timestamp) -> Timestamp {
    let deadlines = bulk.accounts.iter().flat_map(|(_, changes)| changes).map(|change| change.send_deadline);
    deadlines.max().map_or(now, |last| last.min(now))
}

/// Whether it is a bulk change whose end no page has seen, or one that is newer than a kept ad account.
fn is_unknown(change: &KeptChange, kept: &KeptOverview, now: Timestamp) -> bool {
    let is_recent = now.duration_since(change.at) < RECENT;
    let mut readings = kept.parts.iter().filter(|part| part.part == OverviewPart::Campaigns);
    let mut is_newer = || readings.any(|part| part.rows.as_ref().is_some_and(|(at, _)| change.is_after(*at, now)));
    change.bulk.as_deref().and_then(BulkId::parse).is_some() && (change.open_until.is_some() || is_recent && is_newer())
}

/// Gives a campaign the values that a change has found after it.
pub(super) fn confirm(campaign: &mut CampaignSummary, change: &Change, now: Timestamp) {
    let Action::Update(asked) = &change.action else { return };
    let is_seen = matches!(change.status(now), ChangeStatus::Applied | ChangeStatus::PartlyApplied);
    let Some(after) = change.after.as_ref().filter(|_| is_seen) else { return };
    if asked.name.is_some() {
        campaign.name.clone_from(&after.name);
    }
    if asked.status.is_some() {
        let is_paused = after.status == CampaignStatus::Paused;
        campaign.is_month_spent = is_paused && (change.is_step || campaign.is_month_spent);
        campaign.status = after.status;
    }
    // The platform has another budget than the month of this service.
    let is_monthly = campaign.budget_period == Some(BudgetPeriod::Monthly) || asked.budget_period.is_some();
    if asked.budget_amount.is_some() && !is_monthly {
        campaign.budget_amount = after.budget_amount;
    }
}

/// The campaigns as they were kept last, by their ids. No platform is asked.
pub(crate) async fn kept_campaigns(request: &WebRequest, person: &SignedIn) -> HashMap<String, CampaignSummary> {
    let kept = kept_overview(request, person.customer()).await;
    let rows =
        kept.parts.iter().filter(|part| part.part == OverviewPart::Campaigns).filter_map(|part| part.rows.as_ref());
    let campaigns = rows.filter_map(|(_, json)| KeptCampaigns::read(json)).flat_map(|kept| kept.rows);
    campaigns.map(|campaign| (campaign.id.to_string(), campaign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{Overview, RecentNumbers};
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::bulk_sample::bulk;
    use crate::kit::changes::sample::{now, update, values};
    use rust_decimal::Decimal;
    use shared::domain::{BulkAction, CampaignChanges, CampaignValues, ChangeError, ChangeState};
    use shared::store::KeptPart;

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
    fn a_row_has_a_new_budget_once_it_is_confirmed() {
        let of = |read, end, state| {
            let row = shown(read, noted(end), budget(state), Vec::new());
            (row.campaign.budget_amount.unwrap(), row.on_its_way.words())
        };
        let (sixty, ten) = (Decimal::from(60), Decimal::TEN);
        let asked = || (ten, "60.00 USD on its way".to_owned());
        assert_eq!(of(-60, None, ChangeState::Sending), asked());
        assert_eq!(of(5, None, ChangeState::Sending), asked(), "the reading may have come before it");
        assert_eq!(of(-60, None, ChangeState::Applied), (sixty, String::new()), "others of the bulk change are open");
        let late = (ten, String::new());
        assert_eq!(of(31, None, ChangeState::Applied), late, "the reading began after its last attempt");
        assert_eq!(of(-60, Some(10), ChangeState::Applied), (sixty, String::new()));
        assert_eq!(of(15, Some(10), ChangeState::Applied), (ten, String::new()), "a newer reading knows best");
        let failed = ChangeState::Failed(ChangeError::default());
        assert_eq!(of(-60, Some(10), failed), (ten, String::new()), "it kept its budget");
    }

    #[test]
    fn a_later_change_of_the_campaign_alone_is_not_undone() {
        let later = || KeptChange { campaign: Some("alpha_1_2".to_owned()), ..KeptChange::of_any(seconds(12)) };
        let row = shown(-60, noted(Some(10)), budget(ChangeState::Applied), vec![later()]);
        assert_eq!(row.campaign.budget_amount, Some(Decimal::TEN));
        let row = shown(-60, noted(None), budget(ChangeState::Sending), vec![later()]);
        assert_eq!(row.on_its_way, OnItsWay::default());
    }

    fn pause(state: ChangeState) -> Change {
        Change { state, ..update(CampaignChanges::of_status(CampaignStatus::Paused)) }
    }

    #[test]
    fn a_campaign_is_active_until_its_pause_is_confirmed() {
        for state in [ChangeState::Sending, ChangeState::Scheduled] {
            let row = shown(-60, noted(None), pause(state.clone()), Vec::new());
            let told = (row.campaign.status, row.on_its_way.words());
            assert_eq!(told, (CampaignStatus::Active, "pause on its way".to_owned()), "{state:?}");
            let counts = Overview { rows: vec![row], ..Overview::default() }.counts();
            assert_eq!((counts.active, counts.paused), (1, 0), "{state:?}");
        }
        let after = Some(values("Spring"));
        let row = shown(-60, noted(None), Change { after, ..pause(ChangeState::Applied) }, Vec::new());
        assert_eq!((row.campaign.status, row.on_its_way), (CampaignStatus::Paused, OnItsWay::default()));
    }

    #[test]
    fn a_monthly_budget_is_left_alone() {
        let monthly = Some(BudgetPeriod::Monthly);
        let mut campaign = CampaignSummary { budget_period: monthly, ..campaign("alpha_1_2", CampaignStatus::Active) };
        confirm(&mut campaign, &budget(ChangeState::Applied), now());
        assert_eq!(campaign.budget_amount, Some(Decimal::TEN));
    }

    #[test]
    fn a_bulk_change_is_looked_at_until_its_end_is_seen() {
        let part = |read| KeptPart {
            part: OverviewPart::Campaigns,
            connection: "conn_1".to_owned(),
            tried_at: seconds(read),
            rows: Some((seconds(read), String::new())),
            problem: None,
        };
        let kept = |read| KeptOverview { parts: vec![part(read)], changes: Vec::new() };
        assert!(is_unknown(&noted(None), &kept(3_000), seconds(3_600)), "its platform is silent for an hour");
        assert!(is_unknown(&noted(Some(10)), &kept(5), seconds(20)));
        assert!(!is_unknown(&noted(Some(10)), &kept(15), seconds(20)), "the reading knows it");
        assert!(!is_unknown(&noted(Some(10)), &kept(5), seconds(3_600)));
    }

    #[test]
    fn a_bulk_change_has_ended_with_its_last_attempt() {
        let bulk = bulk(BulkAction::Status(CampaignStatus::Paused), vec![ChangeState::Applied]);
        assert_eq!(end_of(&bulk, seconds(3_600)), seconds(30));
        assert_eq!(end_of(&bulk, seconds(2)), seconds(2));
    }
}
