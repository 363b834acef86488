//! Insights: reports of what campaigns did, read live.
//!
//! The requested days are read in parts, oldest first, because platforms limit the days or the rows of one call. Each
//! part is read page by page. A position is `{from}..{to}:{seen}:{token}`: the part, the number of rows of the page
//! that were already read, and the token of the page, empty for the first one. Rows that are left out count too.

use super::call::Client;
use super::list::AccountPage;
use super::page::{Pages, Progress};
use crate::domain::insights::parse_date;
use crate::domain::{Days, Granularity, InsightsRow};
use crate::error::Error;
use crate::platforms::errors::{endless, invalid_cursor, unreadable};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rows::has_delivery;

mod read_limits;
mod rows;
pub(in crate::platforms) use read_limits::ReadLimits;
pub(in crate::platforms) use rows::{Unreadable, count, number, scaled};

/// Longest page token that is accepted.
const MAX_TOKEN: usize = 1_000;

/// The time zone of a report's days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportZone {
    /// The ad account's own.
    Account,
    /// UTC for every account.
    Utc,
}

/// The facts of a platform's reports.
#[derive(Clone, Copy, Debug)]
pub struct InsightsFacts {
    /// The time zone of the days. [`InsightsFacts::zone_name`] and [`InsightsFacts::today`] say it of an ad account.
    pub(in crate::platforms) zone: ReportZone,
    /// How conversions are assigned to days and ads, in the platform's words.
    pub attribution: &'static str,
    /// The numbers of a day may change for so many days after it.
    pub restated_days: i32,
    /// The first day that a report can have is so many days before today; `None` where it is far beyond our limit.
    pub history_days: Option<i32>,
    /// Most days of one call with a row for each day.
    pub max_days: i32,
    /// Most days of one such call for all campaigns of an account.
    pub max_account_days: i32,
    /// A call that returns so many rows was cut by the platform; `None` for one that pages its rows.
    pub cut_at: Option<usize>,
    /// Reports have rows of campaigns without delivery, which are left out.
    pub has_idle_rows: bool,
}

impl InsightsFacts {
    /// Reports in UTC without a limit on days or rows.
    pub const UTC: InsightsFacts = InsightsFacts {
        zone: ReportZone::Utc,
        attribution: "",
        restated_days: 0,
        history_days: None,
        max_days: i32::MAX,
        max_account_days: i32::MAX,
        cut_at: None,
        has_idle_rows: false,
    };

    /// The name of the time zone in which reports count the days of an ad account with this zone.
    pub fn zone_name<'a>(&self, account_zone: &'a str) -> &'a str {
        match self.zone {
            ReportZone::Account => account_zone,
            ReportZone::Utc => "UTC",
        }
    }

    /// The day that it is in the reports on an ad account with this zone; in UTC for a zone that is not known here. What
    /// is called "today", "seven days" or "this month" of a campaign is counted from it.
    pub fn today(&self, account_zone: &str, now: Timestamp) -> Date {
        let zone = TimeZone::get(self.zone_name(account_zone)).unwrap_or(TimeZone::UTC);
        zone.to_datetime(now).date()
    }
}

/// A request for a page of insights.
#[derive(Clone, Debug)]
pub struct InsightsRequest {
    pub days: Days,
    pub granularity: Granularity,
    /// The id of one campaign on the platform; `None` for all of the account.
    pub campaign: Option<String>,
    /// At most this many rows, at least 1.
    pub limit: usize,
    /// A position of an earlier page.
    pub after: Option<String>,
}

/// One page of insights.
pub type InsightsPage = AccountPage<InsightsRow>;

impl InsightsRequest {
    /// The most days of one call.
    fn max_days(&self, facts: &InsightsFacts) -> i32 {
        match (self.granularity, &self.campaign) {
            (Granularity::Total, _) => i32::MAX,
            (Granularity::Day, Some(_)) => facts.max_days,
            (Granularity::Day, None) => facts.max_days.min(facts.max_account_days),
        }
    }
}

/// Reads the parts of the requested days, from the position on. `pages_of` is the report on a part.
pub async fn by_parts<'a>(
    client: &Client<'_>,
    facts: &InsightsFacts,
    request: &InsightsRequest,
    pages_of: impl Fn(Days) -> Result<Pages<'a, InsightsRow>, Error> + Send + Sync,
) -> Result<InsightsPage, Error> {
    let mut limits = ReadLimits::start(client, request);
    let max_days = request.max_days(facts);
    let mut at = match &request.after {
        Some(text) => Position::parse(text, request.days).ok_or_else(invalid_cursor)?,
        None => Position::start_of(request.days.first(max_days)),
    };
    let mut found: Vec<(InsightsRow, String)> = Vec::new();
    let mut progress = Progress::default();
    while limits.continues(!found.is_empty())? {
        let is_callers_token = limits.is_first() && at.token.is_some();
        let page = pages_of(at.part)?.page(client, at.token.as_deref(), is_callers_token).await;
        let page = page.map_err(|error| limits.failure(error))?;
        if facts.cut_at.is_some_and(|most| page.rows.len() >= most) {
            let half = match request.granularity {
                Granularity::Day => at.halved(),
                // Two halves would be two totals of a campaign.
                Granularity::Total => None,
            };
            at = half.ok_or_else(|| unreadable(client.platform(), "more rows than a report has"))?;
            continue;
        }
        let is_empty = page.rows.is_empty();
        let rows = page.rows.into_iter().enumerate().skip(at.seen);
        let rows = rows.filter(|(_, row)| !facts.has_idle_rows || has_delivery(row));
        found.extend(rows.map(|(index, row)| (row, at.after(index + 1))));
        let is_full = found.len() > request.limit;
        at = match (page.next, request.days.after(at.part)) {
            (Some(token), _) if !is_full => {
                if !progress.continues(client.platform(), is_empty, &token)? {
                    // With rows, it is the page of ours after this one that says so.
                    if limits.may_end(!found.is_empty()) {
                        break;
                    }
                    return Err(endless(client.platform()));
                }
                at.at_page(token).ok_or_else(|| unreadable(client.platform(), "no token of a page"))?
            }
            (None, Some(rest)) if !is_full => {
                progress = Progress::default();
                Position::start_of(rest.first(max_days))
            }
            _ => return Ok(AccountPage::of(found, request.limit, true)),
        };
    }
    Ok(AccountPage::of(found, request.limit, false))
}

/// The position at which reading continues.
#[derive(Debug, PartialEq, Eq)]
struct Position {
    part: Days,
    seen: usize,
    token: Option<String>,
}

impl Position {
    fn start_of(part: Days) -> Position {
        Position { part, seen: 0, token: None }
    }

    /// The start of a page; `None` for a token that a position cannot contain.
    fn at_page(self, token: String) -> Option<Position> {
        is_token(&token).then_some(Position { seen: 0, token: Some(token), ..self })
    }

    /// The text of the position after so many rows of this page.
    fn after(&self, seen: usize) -> String {
        let Days { from, to } = self.part;
        format!("{from}..{to}:{seen}:{}", self.token.as_deref().unwrap_or_default())
    }

    fn parse(text: &str, requested: Days) -> Option<Position> {
        let (part, rest) = text.split_once(':')?;
        let (seen, token) = rest.split_once(':')?;
        let (from, to) = part.split_once("..")?;
        let part = Days::new(parse_date(from)?, parse_date(to)?)?;
        let is_within = requested.from <= part.from && part.to <= requested.to;
        let is_token = is_token(token);
        let token = (!token.is_empty()).then(|| token.to_owned());
        (is_within && is_token).then_some(Position { part, seen: seen.parse().ok()?, token })
    }

    /// The first half of the part's days; `None` for a single day, and once rows of the part were returned.
    fn halved(&self) -> Option<Position> {
        let count = self.part.count();
        (count > 1 && self.seen == 0).then(|| Position::start_of(self.part.first(count / 2)))
    }
}

/// A page token that a position may contain.
fn is_token(token: &str) -> bool {
    token.len() <= MAX_TOKEN && !token.contains(char::is_control)
}

#[cfg(test)]
pub(in crate::platforms) mod tests;
