//! What is known of the ad accounts: their campaigns, the age of the rows, and who has not answered.

use super::campaign::Row;
use super::days::{KeptDays, Numbers};
use super::kept::{Changed, KeptCampaigns};
use super::plan::{listed, part_of};
use super::reading::Waiting;
use crate::client::accounts::Connection;
use crate::client::campaign_json::Campaign;
use crate::pages::layout::readable;
use jiff::{SignedDuration, Timestamp};
use shared::domain::Platform;
use shared::store::{KeptOverview, OverviewPart};

/// An ad account in the overview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    /// The id of the connection.
    pub(crate) connection: String,
    /// The platform and the account for people.
    pub(crate) name: String,
    /// When its campaigns were read; `None` if they are not known.
    pub(crate) read_at: Option<Timestamp>,
    /// Its answer is awaited.
    pub(crate) is_waiting: bool,
    /// Why its campaigns could not be read the last time.
    pub(crate) problem: Option<String>,
    /// Why its numbers could not be read the last time.
    pub(crate) numbers_problem: Option<String>,
    /// It has more campaigns than are read.
    pub(crate) is_cut: bool,
    /// Its currency, if what its campaigns did is not known, and sums leave it out.
    pub(crate) unknown_in: Option<String>,
}

/// What is known of all accounts, by platform and in the order of the connections.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) accounts: Vec<Account>,
    /// Their campaigns, as people have changed them since they were read, with their numbers.
    pub(super) rows: Vec<Row>,
    /// What campaigns did that are in no row, as removed ones: the currency, and the numbers. Their spend stays spent.
    pub(super) gone: Vec<(String, Numbers)>,
}

impl Known {
    /// Takes together what is kept of each account.
    pub(super) fn of(connections: &[Connection], kept: &KeptOverview, waiting: &Waiting, now: Timestamp) -> Known {
        let mut known = Known::default();
        for connection in Platform::ALL.into_iter().flat_map(|platform| listed(connections, platform)) {
            known.add(connection, kept, waiting, now);
        }
        known
    }

    fn add(&mut self, connection: &Connection, kept: &KeptOverview, waiting: &Waiting, now: Timestamp) {
        let part = |part| part_of(kept, part, &connection.id.0);
        let [campaigns, days] = [OverviewPart::Campaigns, OverviewPart::Days].map(part);
        let read = campaigns.and_then(|part| part.rows.as_ref());
        let days_read = days.and_then(|part| part.rows.as_ref());
        let kept_days = days_read.and_then(|(_, days)| KeptDays::parse(days));
        let (mut numbers, none) = match &kept_days {
            Some(days) => days.numbers(connection.today(now)),
            None => Default::default(),
        };
        let KeptCampaigns { rows, is_cut } = read.map(|(_, rows)| KeptCampaigns::parse(rows)).unwrap_or_default();
        let read_at = read.map(|(at, _)| *at);
        let current = rows.into_iter().filter_map(|campaign| changed(campaign, kept, read_at?)?.summary());
        self.rows.extend(current.map(|campaign| Row {
            numbers: numbers.remove(campaign.id.to_string().as_str()).unwrap_or_else(|| Numbers::clone(&none)),
            campaign,
            connection: connection.id.0.clone(),
            account: connection.own_name().to_owned(),
        }));
        if let Some(currency) = &connection.currency {
            self.gone.extend(numbers.into_values().map(|numbers| (currency.code().to_owned(), numbers)));
        }
        self.accounts.push(Account {
            connection: connection.id.0.clone(),
            name: connection.name(),
            read_at,
            is_waiting: waiting.iter().any(|(_, id)| *id == connection.id.0),
            problem: campaigns.and_then(|part| part.problem.clone()),
            numbers_problem: days.and_then(|part| part.problem.clone()),
            is_cut,
            unknown_in: connection.currency.filter(|_| days_read.is_none()).map(|currency| currency.code().to_owned()),
        });
    }
}

/// The campaign after the changes that its reading may not know; `None` if it is removed.
fn changed(campaign: Campaign, kept: &KeptOverview, read_at: Timestamp) -> Option<Campaign> {
    let of_it = |id: &Option<String>| id.as_ref().is_some_and(|id| *id == campaign.id);
    let change = kept.changes.iter().find(|change| read_at <= change.at && of_it(&change.campaign));
    match change.and_then(|change| serde_json::from_str::<Changed>(change.values.as_ref()?).ok()) {
        Some(changed) => changed.applied(campaign),
        None => Some(campaign),
    }
}

/// How long ago something was, for people: `2 minutes ago`; a time for what is older than an hour.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> String {
    let age = now.duration_since(at);
    match age.as_mins() {
        ..1 => "just now".to_owned(),
        1 => "1 minute ago".to_owned(),
        minutes if age < SignedDuration::from_hours(1) => format!("{minutes} minutes ago"),
        _ => format!("at {}", readable(at)),
    }
}
