//! What is known of the ad accounts: their campaigns, the age of the rows, and who has not answered.

use super::campaign::Row;
use super::days::{KeptDays, Numbers};
use super::kept::{Changed, KeptCampaigns};
use super::plan::{listed, part_of};
use super::reading::Waiting;
use crate::accounts::Connection;
use crate::layout::readable;
use crate::pages::campaigns::Campaign;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use shared::domain::Platform;
use shared::store::{KeptOverview, OverviewPart};
use std::collections::HashSet;

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

/// The accounts, by platform and in the order of the connections.
pub(super) fn accounts(connections: &[Connection], kept: &KeptOverview, waiting: &Waiting) -> Vec<Account> {
    let account = |connection: &Connection| {
        let part = |part| part_of(kept, part, &connection.id);
        let rows = part(OverviewPart::Campaigns).and_then(|part| part.rows.as_ref());
        let problem = |of| part(of).and_then(|part| part.problem.clone());
        Account {
            connection: connection.id.clone(),
            name: connection.name(),
            read_at: rows.map(|(at, _)| *at),
            is_waiting: waiting.iter().any(|(_, id)| *id == connection.id),
            problem: problem(OverviewPart::Campaigns),
            numbers_problem: problem(OverviewPart::Days),
            is_cut: rows.is_some_and(|(_, rows)| KeptCampaigns::parse(rows).is_cut),
            unknown_in: connection
                .currency
                .clone()
                .filter(|_| part(OverviewPart::Days).is_none_or(|part| part.rows.is_none())),
        }
    };
    Platform::ALL.into_iter().flat_map(|platform| listed(connections, platform)).map(account).collect()
}

/// The campaigns of all accounts, as people have changed them since they were read, with their numbers.
pub(super) fn rows(connections: &[Connection], kept: &KeptOverview, now: Timestamp) -> Vec<Row> {
    let in_order = Platform::ALL.into_iter().flat_map(|platform| listed(connections, platform));
    in_order.flat_map(|connection| rows_of(connection, kept, now)).collect()
}

fn rows_of(connection: &Connection, kept: &KeptOverview, now: Timestamp) -> Vec<Row> {
    let rows = |part| part_of(kept, part, &connection.id).and_then(|part| part.rows.as_ref());
    let Some((read_at, campaigns)) = rows(OverviewPart::Campaigns) else { return Vec::new() };
    let days = rows(OverviewPart::Days).and_then(|(_, days)| KeptDays::parse(days));
    let (mut numbers, none) = match &days {
        Some(days) => days.numbers(today(connection, now)),
        None => Default::default(),
    };
    let account = connection.own_name();
    let row = |campaign: Campaign| Row {
        numbers: numbers.remove(campaign.id.as_str()).unwrap_or_else(|| Numbers::clone(&none)),
        campaign,
        connection: connection.id.clone(),
        account: account.to_owned(),
    };
    let campaigns = KeptCampaigns::parse(campaigns).rows.into_iter();
    campaigns.filter_map(|campaign| changed(campaign, kept, *read_at)).map(row).collect()
}

/// What campaigns did that are in no row, as removed ones: the currency, and the numbers. Their spend stays spent.
pub(super) fn gone(
    connections: &[Connection],
    kept: &KeptOverview,
    rows: &[Row],
    now: Timestamp,
) -> Vec<(String, Numbers)> {
    let known: HashSet<&str> = rows.iter().map(|row| row.campaign.id.as_str()).collect();
    let of_account = |connection: &Connection| {
        let part = part_of(kept, OverviewPart::Days, &connection.id).and_then(|part| part.rows.as_ref());
        let (days, currency) = (part.and_then(|(_, days)| KeptDays::parse(days))?, connection.currency.as_ref()?);
        let (numbers, _) = days.numbers(today(connection, now));
        let others = numbers.into_iter().filter(|(id, _)| !known.contains(id));
        Some(others.map(|(_, numbers)| (currency.clone(), numbers)).collect::<Vec<_>>())
    };
    connections.iter().filter_map(of_account).flatten().collect()
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

/// The day in the time zone of an account. The reports of some platforms count in UTC, as those without a zone do.
fn today(connection: &Connection, now: Timestamp) -> Date {
    let zone = connection.time_zone.as_deref().and_then(|zone| TimeZone::get(zone).ok());
    zone.unwrap_or(TimeZone::UTC).to_datetime(now).date()
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
