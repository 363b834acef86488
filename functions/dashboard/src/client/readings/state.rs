//! What is known of the ad accounts: their campaigns, the age of the rows, and who has not answered.

use super::kept::{self, KeptCampaigns};
use super::overview::CampaignRow;
use super::recent::{RecentNumbers, RecentReading, RecentSpend};
use super::refresh::{listed, part_of};
use super::tasks::PendingParts;
use crate::client::accounts::Connection;
use crate::kit::campaign::CampaignSummary;
use crate::kit::changes::OnItsWay;
use crate::kit::forecast::MonthClock;
use jiff::Timestamp;
use shared::domain::{Currency, Platform};
use shared::store::{KeptOverview, OverviewPart};

/// An ad account in the overview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccountState {
    /// The id of the connection.
    pub(crate) connection: String,
    /// `None` in a sample.
    pub(crate) platform: Option<Platform>,
    /// The platform and the account for people.
    pub(crate) name: String,
    /// `None` while the platform has not returned it.
    pub(crate) currency: Option<Currency>,
    /// What its campaigns spent, also those that are removed; `None` if that is not known.
    pub(crate) spend: Option<RecentSpend>,
    /// Whether a campaign did something in these days.
    pub(crate) has_numbers: bool,
    /// When its campaigns were read; `None` if they are not known.
    pub(crate) read_at: Option<Timestamp>,
    /// When its numbers were read; `None` if they are not known.
    pub(crate) numbers_at: Option<Timestamp>,
    /// Its answer is still to come.
    pub(crate) is_waiting: bool,
    /// Its numbers are being read for the first time: nothing came before, or nothing but emptiness of a moment ago.
    pub(crate) is_first: bool,
    /// Why its campaigns could not be read the last time.
    pub(crate) problem: Option<String>,
    /// Why its numbers could not be read the last time.
    pub(crate) numbers_problem: Option<String>,
    /// When its last reading began, if that has failed.
    pub(crate) failed_at: Option<Timestamp>,
    /// It has more campaigns than are read.
    pub(crate) is_cut: bool,
    /// How far the month is in the platform's reports on it.
    pub(crate) month: Option<MonthClock>,
}

/// What is known of all accounts, by platform and in the order of the connections.
#[derive(Debug, Default)]
pub(super) struct KnownAccounts {
    pub(super) accounts: Vec<AccountState>,
    /// Their campaigns, as people have changed them since they were read, with their numbers.
    pub(super) rows: Vec<CampaignRow>,
}

impl KnownAccounts {
    /// Takes together what is kept of each account.
    pub(super) fn of(
        connections: &[Connection],
        kept: &KeptOverview,
        waiting: &PendingParts,
        now: Timestamp,
    ) -> KnownAccounts {
        let mut known = KnownAccounts::default();
        for connection in Platform::ALL.into_iter().flat_map(|platform| listed(connections, platform)) {
            known.add(connection, kept, waiting, now);
        }
        known
    }

    fn add(&mut self, connection: &Connection, kept: &KeptOverview, waiting: &PendingParts, now: Timestamp) {
        let part = |part| part_of(kept, part, &connection.id.0);
        let [campaigns, days] = [OverviewPart::Campaigns, OverviewPart::Days].map(part);
        // What cannot be read counts as never read.
        let read = campaigns.and_then(|part| {
            let (at, json) = part.rows.as_ref()?;
            Some((*at, KeptCampaigns::read(json)?))
        });
        let recent = days.and_then(|part| {
            let (at, json) = part.rows.as_ref()?;
            let reading = kept::read_days(json, &connection.id)?;
            Some((*at, RecentReading::of(reading, connection.today(*at), connection.today(now))))
        });
        let is_waiting =
            |asked: OverviewPart| waiting.iter().any(|(part, id)| asked == *part && *id == connection.id.0);
        let is_told = |(_, recent): &(Timestamp, RecentReading)| recent.has_rows() || !connection.is_new(now);
        let has_failed = days.is_some_and(|part| part.problem.is_some());
        let is_first = is_waiting(OverviewPart::Days) && !has_failed && !recent.as_ref().is_some_and(is_told);
        let (numbers_at, recent) = recent.filter(|_| !is_first).unzip();
        let (read_at, KeptCampaigns { rows, is_cut }) = match read {
            Some((at, campaigns)) => (Some(at), campaigns),
            None => (None, KeptCampaigns::default()),
        };
        let failed = [campaigns, days].into_iter().flatten().find(|part| part.problem.is_some());
        let account = AccountState {
            connection: connection.id.0.clone(),
            platform: Some(connection.platform),
            name: connection.name(),
            currency: connection.currency,
            spend: recent.as_ref().map(RecentReading::spend),
            has_numbers: recent.as_ref().is_some_and(RecentReading::has_rows),
            read_at,
            numbers_at,
            is_waiting: [OverviewPart::Campaigns, OverviewPart::Days].into_iter().any(is_waiting),
            is_first,
            problem: campaigns.and_then(|part| part.problem.clone()),
            numbers_problem: days.and_then(|part| part.problem.clone()),
            failed_at: failed.map(|part| part.tried_at),
            is_cut,
            month: MonthClock::at(now, &connection.report_zone()),
        };
        let current = rows.into_iter().filter_map(|campaign| changed(campaign, kept, read_at?));
        self.rows.extend(current.map(|campaign| CampaignRow {
            numbers: recent.as_ref().map_or(RecentNumbers::UNKNOWN, |recent| recent.of_campaign(&campaign.id)),
            campaign,
            connection: connection.id.0.clone(),
            account: connection.own_name().to_owned(),
            on_its_way: OnItsWay::default(),
            as_of: account.kept_since(now),
        }));
        self.accounts.push(account);
    }
}

/// The campaign after the changes that its reading may not know; `None` if it is removed.
pub(super) fn changed(campaign: CampaignSummary, kept: &KeptOverview, read_at: Timestamp) -> Option<CampaignSummary> {
    let id = campaign.id.to_string();
    let change = kept.changes.iter().find(|change| read_at <= change.at && change.campaign.as_ref() == Some(&id));
    match change.and_then(|change| change.values.as_deref()) {
        Some(values) => kept::changed(campaign, values),
        None => Some(campaign),
    }
}
