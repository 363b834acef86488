//! What the campaigns of an ad account did by day, as it is read and as it is kept.

use super::kept::fitting;
use crate::client::accounts::ConnectionError;
use crate::client::api::Pagination;
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::store::PartOutcome;
use std::collections::BTreeMap;

/// Days before today that are read: two weeks.
const READ: i64 = 14;

/// A page of `listInsights`.
#[derive(Deserialize)]
pub(super) struct DaysPage {
    pub(super) data: DaysData,
}

#[derive(Deserialize)]
pub(super) struct DaysData {
    pub(super) accounts: Vec<AccountDays>,
    pub(super) pagination: Pagination,
    #[serde(default)]
    pub(super) errors: Vec<ConnectionError>,
}

/// The days of an account, or a part of them.
#[derive(Deserialize)]
pub(super) struct AccountDays {
    connection_id: String,
    rows: Vec<DayRow>,
}

#[derive(Deserialize)]
struct DayRow {
    campaign_id: String,
    date: Option<Date>,
    spend: Option<Box<RawValue>>,
    clicks: Option<i64>,
}

/// A campaign on a day: the days since the first one, spend and clicks. `None` is a number that the platform does not
/// have.
type KeptDay = (i32, Option<Box<RawValue>>, Option<i64>);

/// The days of an account's campaigns as they are kept. A day that is not there is one without spend.
#[derive(Debug, Deserialize)]
pub(super) struct KeptDays {
    from: Date,
    to: Date,
    campaigns: Vec<(String, Vec<KeptDay>)>,
    /// Campaigns are missing.
    is_cut: bool,
}

#[derive(Serialize)]
struct Written {
    from: Date,
    to: Date,
    campaigns: Vec<Box<RawValue>>,
    is_cut: bool,
}

/// The numbers of a campaign. `None` is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Spend of today, as the platform's reports on the account count days.
    pub(crate) today: Option<Decimal>,
    /// Spend of the seven full days before today.
    pub(crate) week: Option<Decimal>,
    /// Spend of the seven days before those.
    pub(crate) week_before: Option<Decimal>,
    /// Clicks of the seven full days before today.
    pub(crate) clicks: Option<i64>,
    /// Spend of the fourteen full days before today, in order.
    pub(crate) days: Vec<Option<Decimal>>,
}

/// The first and the last day to read of ad accounts in whose reports it is this day.
pub(super) fn range(accounts: impl Iterator<Item = Date> + Clone) -> Option<(Date, Date)> {
    let (first, last) = (accounts.clone().min()?, accounts.max()?);
    Some((first.saturating_sub(READ.days()), last))
}

/// The days of each account for the table. The API may bring an account on several pages.
pub(super) fn by_connection(
    accounts: Vec<AccountDays>,
    (from, to): (Date, Date),
    is_cut: bool,
) -> Vec<(String, PartOutcome)> {
    let mut found: BTreeMap<String, BTreeMap<String, Vec<KeptDay>>> = BTreeMap::new();
    for AccountDays { connection_id, rows } in accounts {
        let campaigns = found.entry(connection_id).or_default();
        for DayRow { campaign_id, date, spend, clicks } in rows {
            let Some(date) = date.filter(|date| (from..=to).contains(date)) else { continue };
            let day = date.duration_since(from).as_hours() / 24;
            let day = i32::try_from(day).unwrap_or_default();
            campaigns.entry(campaign_id).or_default().push((day, spend, clicks));
        }
    }
    let written = |campaigns: BTreeMap<String, Vec<KeptDay>>| {
        let (campaigns, is_full) = fitting(campaigns.into_iter());
        let written = Written { from, to, campaigns, is_cut: is_cut || is_full };
        serde_json::to_string(&written).unwrap_or_default()
    };
    found.into_iter().map(|(connection, campaigns)| (connection, Ok(written(campaigns)))).collect()
}

impl KeptDays {
    /// Reads what was kept; `None` for what another release has kept in another form.
    pub(super) fn parse(json: &str) -> Option<KeptDays> {
        serde_json::from_str(json).ok()
    }

    /// The numbers of all campaigns, by id, and those of a campaign without any. `today` is the day in the
    /// platform's reports on the account.
    pub(super) fn numbers(&self, today: Date) -> (BTreeMap<&str, Numbers>, Numbers) {
        let each = self.campaigns.iter().map(|(id, days)| (id.as_str(), self.of(days, today)));
        let none = if self.is_cut { Numbers::default() } else { self.of(&[], today) };
        (each.collect(), none)
    }

    fn of(&self, days: &[KeptDay], today: Date) -> Numbers {
        let at = |back: i64| today.saturating_sub(back.days());
        let spend =
            |back: i64| self.on(days, at(back), Some(Decimal::ZERO), |(_, spend, _)| decimal(spend.as_deref()?));
        let clicks = |back: i64| self.on(days, at(back), Some(0), |(_, _, clicks)| *clicks);
        Numbers {
            today: spend(0),
            week: sum((1..=7).map(spend)),
            week_before: sum((8..=14).map(spend)),
            clicks: (1..=7).map(clicks).try_fold(0_i64, |sum, day| sum.checked_add(day?)),
            days: (1..=14).rev().map(spend).collect(),
        }
    }

    /// The value of a day; `none` for one without a row, and nothing for one that was not read.
    fn on<T>(&self, days: &[KeptDay], date: Date, none: Option<T>, of: impl Fn(&KeptDay) -> Option<T>) -> Option<T> {
        if !(self.from..=self.to).contains(&date) {
            return None;
        }
        let is_meant = |(day, _, _): &&KeptDay| self.from.saturating_add(i64::from(*day).days()) == date;
        days.iter().find(is_meant).map_or(none, of)
    }
}

/// An exact sum; unknown as soon as a part is.
pub(super) fn sum(parts: impl IntoIterator<Item = Option<Decimal>>) -> Option<Decimal> {
    parts.into_iter().try_fold(Decimal::ZERO, |sum, part| sum.checked_add(part?))
}

fn decimal(number: &RawValue) -> Option<Decimal> {
    decimal_from_number(number.get()).ok()
}
