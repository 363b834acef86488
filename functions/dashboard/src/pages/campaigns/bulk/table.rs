//! The campaigns of a bulk change as rows: each before and after it, what became of it, and whether it can be undone alone.

use super::outcome::{changes, is_done};
use crate::client::accounts::{Connection, account_name};
use crate::kit::addresses;
use crate::kit::campaign::{CampaignSummary, status_word};
use crate::kit::changes::{ChangeRow, Undone, is_tried, rows as change_rows, undone_by};
use crate::kit::money;
use crate::kit::words;
use crate::pages::campaigns::filter::Filter;
use jiff::Timestamp;
use shared::domain::{
    Action, BulkAccount, CampaignId, CampaignValues, Change, ChangeStatus, ConnectionStatus, PersonId, Platform,
    RefusedCampaign,
};
use shared::envelope::BulkStatus;
use std::collections::HashMap;

/// Most campaigns that the page shows, so that it stays small: as many as a person can tick.
pub(super) const SHOWN: usize = 50;
/// What stands for a value that is not known.
const UNKNOWN: &str = "–";

/// A campaign.
pub(super) struct OutcomeRow {
    /// The name of the campaign, or its id.
    pub(super) campaign: String,
    pub(super) path: String,
    pub(super) platform: &'static str,
    pub(super) account: String,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) tone: &'static str,
    pub(super) state: &'static str,
    pub(super) details: Vec<String>,
    /// What lets it go on: `Reconnect Google Ads`.
    pub(super) mend: Option<String>,
    /// The id of a change that can be undone.
    pub(super) undo: Option<String>,
    pub(super) undone: Option<Undone>,
    /// The id of a change that can be canceled.
    pub(super) cancel: Option<String>,
}

/// What rows are made with.
pub(super) struct Known<'a> {
    /// Later changes of the same campaigns, newest first.
    pub(super) newer: Vec<Change>,
    /// Campaigns as they were kept, for the names of those that the bulk change has not read.
    pub(super) kept: HashMap<String, CampaignSummary>,
    pub(super) connections: Vec<Connection>,
    pub(super) list: &'a Filter,
    /// Who looks.
    pub(super) me: &'a PersonId,
    pub(super) now: Timestamp,
}

/// What lets an ad account without access go on: no attempt succeeds before it.
pub(super) struct Mend {
    pub(super) why: String,
    /// `Reconnect Google Ads`
    pub(super) next: String,
}

impl Mend {
    /// That of an ad account; `None` if one of its connections works, or if none is known.
    pub(super) fn of(platform: Platform, account: &str, connections: &[Connection]) -> Option<Mend> {
        let is_same = |known: &&Connection| known.platform == platform && known.remote_account_id == account;
        let mut statuses = connections.iter().filter(is_same).map(|known| known.status);
        let first = statuses.next()?;
        let name = platform.display_name();
        if !first.is_broken() || statuses.any(|status| !status.is_broken()) {
            return None;
        }
        Some(match first {
            ConnectionStatus::Revoked => Mend {
                why: format!("{name} ended our access. It is done once you reconnect."),
                next: format!("Reconnect {name}"),
            },
            ConnectionStatus::Error | ConnectionStatus::Active | ConnectionStatus::Pending => Mend {
                why: format!("{name} does not let us into this ad account. It is done once that is fixed."),
                next: "See the connection".to_owned(),
            },
        })
    }
}

/// The rows of a bulk change, first what needs a look, and how many more there are.
pub(super) fn rows(bulk: &BulkStatus, known: &Known<'_>) -> (Vec<OutcomeRow>, usize) {
    let refused = bulk.accounts.iter().flat_map(|(account, _)| account.refused.iter().map(move |one| (account, one)));
    let mut shown: Vec<OutcomeRow> = refused.map(|(account, one)| known.refused(account, one)).collect();
    let mut all: Vec<&Change> = changes(bulk).collect();
    all.sort_by_key(|change| is_done(change));
    let count = shown.len() + all.len();
    let left = SHOWN.saturating_sub(shown.len());
    // Whether a change can be undone follows from the newer ones of its campaign.
    let listed: Vec<Change> = known.newer.iter().chain(all.into_iter().take(left)).cloned().collect();
    let told = change_rows(&listed, known.now).into_iter().zip(&listed).skip(known.newer.len());
    shown.extend(told.map(|(row, change)| known.changed(row, change)));
    shown.truncate(SHOWN);
    (shown, count - count.min(SHOWN))
}

impl Known<'_> {
    fn changed(&self, mut row: ChangeRow, change: &Change) -> OutcomeRow {
        let id = change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
        row.name_account(account_name(row.platform, &row.account, &self.connections));
        if let Some(kept) = self.kept.get(&id) {
            row.name_campaign(&kept.name);
        }
        let (before, after) = before_and_after(change, self.now);
        let kept = self.kept.get(&id).filter(|_| before == UNKNOWN && sets_status(change));
        let before = kept.map_or(before, |kept| status_word(kept.status).to_owned());
        let is_overtaken = row.undo.is_none() && change.inverse().is_some();
        let undone = undone_by(change, &self.newer).map(|undo| Undone::by(undo, Some(self.me), self.now));
        let undone = undone.filter(|_| is_overtaken);
        let overtaken = (is_overtaken && undone.is_none()).then(|| "Changed again later.".to_owned());
        let mend = Mend::of(change.platform, &change.account_id, &self.connections);
        let mend = mend.filter(|_| is_tried(change, self.now));
        let (tone, state, details) = match &mend {
            Some(mend) => ("warn", "Waits for access", vec![mend.why.clone()]),
            None => (row.tone, row.outcome, row.details),
        };
        OutcomeRow {
            campaign: row.campaign,
            path: addresses::campaign_of_list(&id, &self.list.list()),
            platform: row.platform,
            account: row.account,
            before,
            after,
            tone,
            state,
            details: details.into_iter().chain(overtaken).collect(),
            mend: mend.map(|mend| mend.next),
            undo: row.undo,
            undone,
            cancel: row.cancel,
        }
    }

    fn refused(&self, account: &BulkAccount, refused: &RefusedCampaign) -> OutcomeRow {
        let (id, platform) = (refused.campaign.to_string(), account.platform.display_name());
        OutcomeRow {
            path: addresses::campaign_of_list(&id, &self.list.list()),
            campaign: self.name(id),
            platform,
            account: account_name(platform, &account.account_id, &self.connections),
            before: UNKNOWN.to_owned(),
            after: "unchanged".to_owned(),
            tone: "bad",
            state: "Not changed",
            details: vec![words::message(&refused.error.message)],
            mend: None,
            undo: None,
            undone: None,
            cancel: None,
        }
    }

    /// The name of a campaign that may be an id.
    fn name(&self, name: String) -> String {
        self.kept.get(&name).map_or(name, |campaign| campaign.name.clone())
    }
}

fn sets_status(change: &Change) -> bool {
    matches!(&change.action, Action::Update(asked) if asked.status.is_some())
}

/// The status and the budget of the campaign, as far as the change is about them: before it, and after it or as it asks.
fn before_and_after(change: &Change, now: Timestamp) -> (String, String) {
    let before = change.values_before();
    let planned = || change.values_after(before, now);
    let (after, is_refused) = match change.status(now) {
        ChangeStatus::Applied | ChangeStatus::PartlyApplied => (change.after.clone().or_else(planned), false),
        ChangeStatus::Scheduled | ChangeStatus::AwaitingApproval | ChangeStatus::Sending | ChangeStatus::Unknown => {
            (planned(), false)
        }
        ChangeStatus::Failed | ChangeStatus::Canceled | ChangeStatus::Rejected | ChangeStatus::Expired => (None, true),
    };
    let of = |values: Option<&CampaignValues>, without: &str| {
        values.map_or_else(|| without.to_owned(), |values| told_values(change, values))
    };
    // A campaign that could not be read has at least the status that is asked for.
    let asked = match &change.action {
        Action::Update(asked) => asked.status.map_or(UNKNOWN, status_word),
        Action::Create(_) | Action::Delete => UNKNOWN,
    };
    (of(before, UNKNOWN), of(after.as_ref(), if is_refused { "unchanged" } else { asked }))
}

fn told_values(change: &Change, values: &CampaignValues) -> String {
    let Action::Update(asked) = &change.action else { return UNKNOWN.to_owned() };
    let status = asked.status.map(|_| status_word(values.status).to_owned());
    let budget =
        asked.names_budget().then(|| money::budget_of(values.budget_amount, values.currency, values.budget_period));
    let name = asked.name.as_ref().map(|_| format!("“{}”", values.name));
    status.into_iter().chain(budget).chain(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::bulk_sample::bulk;
    use crate::kit::changes::sample::{now, update, values};
    use shared::domain::{BulkAction, CampaignChanges, CampaignStatus, ChangeError, ChangeState, ConnectionId};
    use std::sync::LazyLock;

    static ME: LazyLock<PersonId> = LazyLock::new(|| PersonId("p".to_owned()));

    fn known(newer: Vec<Change>, list: &Filter) -> Known<'_> {
        Known { newer, kept: HashMap::new(), connections: Vec::new(), list, me: &ME, now: now() }
    }

    #[test]
    fn what_is_not_applied_comes_first_and_the_page_stays_small() {
        let failed = ChangeState::Failed(ChangeError::default());
        let states = std::iter::repeat_n(ChangeState::Applied, SHOWN).chain([failed]).collect();
        let bulk = bulk(BulkAction::Status(CampaignStatus::Paused), states);
        let list = Filter::of(&[]);
        let (rows, more) = rows(&bulk, &known(Vec::new(), &list));
        assert_eq!((rows.len(), more), (SHOWN, 1));
        let first = &rows[0];
        assert_eq!((first.tone, first.state, first.after.as_str()), ("bad", "Not applied", "unchanged"));
        assert_eq!((first.platform, first.account.as_str(), first.before.as_str()), ("Google Ads", "1", UNKNOWN));
    }

    #[test]
    fn a_row_has_its_values_and_its_own_undo_until_it_is_changed_again() {
        let mut bulk = bulk(BulkAction::Budgets, vec![ChangeState::Applied]);
        let has = |amount: u32| Some(CampaignValues { budget_amount: Some(amount.into()), ..values("Spring") });
        let change = &mut bulk.accounts[0].1[0];
        (change.before, change.after) = (has(50), has(60));
        let id = change.id.to_string();
        let list = Filter::of(&[]);
        let one = |newer| rows(&bulk, &known(newer, &list)).0.remove(0);
        let row = one(Vec::new());
        let told = (row.campaign.as_str(), row.before.as_str(), row.after.as_str(), row.undo);
        assert_eq!(told, ("Spring", "50.00 USD a day", "60.00 USD a day", Some(id)));
        let asked = CampaignChanges { budget_amount: Some(70.into()), ..CampaignChanges::default() };
        let row = one(vec![Change { state: ChangeState::Applied, ..update(asked) }]);
        assert_eq!((row.undo, row.details), (None, vec!["Changed again later.".to_owned()]));
        let asked = CampaignChanges { budget_amount: Some(50.into()), ..CampaignChanges::default() };
        let row = one(vec![Change { state: ChangeState::Applied, after: has(50), ..update(asked) }]);
        let undone = row.undone.expect("it was undone").words;
        assert!(row.undo.is_none() && row.details.is_empty() && undone.starts_with("Undone by you at "), "{undone}");
    }

    #[test]
    fn what_is_on_its_way_shows_what_is_asked_for() {
        let mut bulk = bulk(BulkAction::Status(CampaignStatus::Active), vec![ChangeState::Sending]);
        bulk.accounts[0].1[0].before = Some(values("Spring"));
        let list = Filter::of(&[]);
        let row = rows(&bulk, &known(Vec::new(), &list)).0.remove(0);
        assert_eq!((row.before.as_str(), row.after.as_str(), row.state), ("Paused", "Active", "On its way"));
    }

    #[test]
    fn what_a_silent_platform_has_not_done_can_be_canceled() {
        let bulk = bulk(BulkAction::Status(CampaignStatus::Paused), vec![ChangeState::Scheduled]);
        let list = Filter::of(&[]);
        let row = rows(&bulk, &known(Vec::new(), &list)).0.remove(0);
        assert_eq!((row.before.as_str(), row.after.as_str(), row.state), (UNKNOWN, "Paused", "On its way"));
        assert_eq!(row.details, ["Google Ads has not confirmed it yet. It is tried again for a week."]);
        assert_eq!(row.cancel, Some(bulk.accounts[0].1[0].id.to_string()));
    }

    #[test]
    fn what_has_no_access_is_not_still_tried_but_says_to_reconnect() {
        let bulk = bulk(BulkAction::Status(CampaignStatus::Paused), vec![ChangeState::Scheduled]);
        let list = Filter::of(&[]);
        let row = |statuses: &[ConnectionStatus]| {
            let connection = |status: &ConnectionStatus| Connection { status: *status, ..connection() };
            let connections = statuses.iter().map(connection).collect();
            rows(&bulk, &Known { connections, ..known(Vec::new(), &list) }).0.remove(0)
        };
        let revoked = row(&[ConnectionStatus::Revoked]);
        assert_eq!((revoked.tone, revoked.state), ("warn", "Waits for access"));
        assert_eq!(revoked.mend.as_deref(), Some("Reconnect Google Ads"));
        assert_eq!(revoked.details, ["Google Ads ended our access. It is done once you reconnect."]);
        assert_eq!(row(&[ConnectionStatus::Error]).mend.as_deref(), Some("See the connection"));
        let again = row(&[ConnectionStatus::Revoked, ConnectionStatus::Active]);
        assert_eq!((again.mend, again.state), (None, "On its way"), "another login has access");
    }

    /// One of the ad account of the bulk change.
    fn connection() -> Connection {
        Connection {
            id: ConnectionId("conn_1".to_owned()),
            platform: Platform::Alpha,
            status: ConnectionStatus::Active,
            label: None,
            remote_account_id: "1".to_owned(),
            account_name: None,
            time_zone: None,
            currency: None,
            connected_at: "2026-11-01T00:00:00Z".parse().unwrap(),
            user: None,
        }
    }

    #[test]
    fn a_campaign_that_could_not_be_read_has_its_kept_name() {
        let mut bulk = bulk(BulkAction::Budgets, Vec::new());
        let campaign = CampaignId::parse("alpha_1_2").unwrap();
        bulk.accounts[0].0.refused.push(RefusedCampaign { campaign, error: ChangeError::default() });
        let list = Filter::of(&[]);
        let kept = crate::kit::campaign::tests::campaign("alpha_1_2", CampaignStatus::Active);
        let known = Known { kept: HashMap::from([("alpha_1_2".to_owned(), kept)]), ..known(Vec::new(), &list) };
        let row = rows(&bulk, &known).0.remove(0);
        assert_eq!((row.campaign.as_str(), row.state, row.after.as_str()), ("Spring", "Not changed", "unchanged"));
    }
}
