//! Insights, from the platform's report of campaigns. Its facts are those of
//! <https://developers.pinterest.com/docs/api/v5/campaigns-analytics/> (OpenAPI description 5.28.0).
//!
//! The report is of campaigns that the request names, at most 250. The campaigns of an account are listed first, by
//! falling id, and each page of the list is one report. A position is the place of a row in that order.
//!
//! Not verified: that a day without delivery has no row; the number of days after which conversions no longer change
//! (the window of a click is taken); that an absent number is a 0, so it is read as not known.

mod rows;

use super::api::{self, API, Columns};
use super::list::MAX_BOOKMARK;
use super::wire::{self, number};
use crate::domain::insights::parse_date;
use crate::platforms::engine::insights::{InsightsFacts, ReadLimits, by_parts};
use crate::platforms::engine::list::AccountPage;
use crate::platforms::engine::page::Progress;
use crate::platforms::errors::invalid_cursor;
use crate::platforms::prelude::*;
use rows::{Key, Scope};
use std::cmp::Reverse;

/// The account's own time zone (`reporting_timezone`) is a closed beta.
pub(super) static FACTS: InsightsFacts = InsightsFacts {
    zone: ReportZone::Utc,
    attribution: "click_window_days 30, engagement_window_days 30, view_window_days 1, TIME_OF_AD_ACTION; conversions \
                  are TOTAL_CONVERSIONS, and their value is that of checkouts",
    restated_days: 30,
    history_days: Some(90),
    max_days: 90,
    max_account_days: 90,
    cut_at: None,
    has_idle_rows: false,
};

/// The windows are the platform's defaults. They are sent, so that they are what the facts say.
const COLUMNS: Columns = Columns {
    names: "SPEND_IN_MICRO_DOLLAR,IMPRESSION_1,CLICKTHROUGH_1,TOTAL_CONVERSIONS,TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR",
    windows: &[
        ("click_window_days", "30"),
        ("engagement_window_days", "30"),
        ("view_window_days", "1"),
        ("conversion_report_time", "TIME_OF_AD_ACTION"),
    ],
};

/// One page of the insights of one campaign, or of all campaigns of the account.
pub(super) async fn page(session: &AccountSession, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    let page = match &request.campaign {
        Some(id) => {
            number(id).ok_or_else(|| Error::not_found("campaign").on(Platform::Epsilon))?;
            let client = Client::of(&API, session);
            by_parts(&client, &FACTS, request, |part| pages(&session.account, request, part)).await
        }
        None => of_account(session, request).await,
    };
    page.map_err(|error| errors::account_error(Platform::Epsilon, error))
}

/// The only page of a report of the requested campaign.
fn pages<'a>(account: &'a AdAccount, request: &InsightsRequest, part: Days) -> Result<Pages<'a, InsightsRow>, Error> {
    let id = request.campaign.as_deref().and_then(number);
    let id = id.ok_or_else(|| Error::internal("a report without the id of a campaign"))?;
    let text = id.to_string();
    let granularity = request.granularity;
    let scope = Scope { account, ids: vec![id], days: part, granularity };
    let sent = move |_: Option<&str>| api::report(&account.id, &[&text], part, granularity, &COLUMNS);
    Ok(Pages::new(sent, move |_, response| {
        let rows = scope.rows(response)?.into_iter().map(|(_, row)| row).collect();
        Ok(Page { rows, next: None })
    }))
}

/// The place of a row, written `{id}.{day}.{bookmark}`: its campaign and day, in the page of campaigns that a bookmark
/// begins. A campaign that was created since, or a day that was added, does not move the others.
struct Position {
    key: Key,
    /// `None` for the first page.
    bookmark: Option<String>,
}

impl Position {
    fn read(text: &str, request: &InsightsRequest) -> Option<Position> {
        let mut parts = text.splitn(3, '.');
        let id = number(parts.next()?)?;
        let day = parts.next()?;
        let day = match request.granularity {
            Granularity::Day => Some(parse_date(day).filter(|day| request.days.contains(*day))?),
            Granularity::Total => day.is_empty().then_some(None)?,
        };
        let bookmark = parts.next()?;
        let is_sound = bookmark.len() <= MAX_BOOKMARK && !bookmark.contains(char::is_control);
        let bookmark = Some(bookmark.to_owned()).filter(|bookmark| !bookmark.is_empty());
        is_sound.then_some(Position { key: (Reverse(id), day), bookmark })
    }

    fn of((Reverse(id), day): Key, bookmark: Option<&str>) -> String {
        let day = day.map(|day| day.to_string()).unwrap_or_default();
        format!("{id}.{day}.{}", bookmark.unwrap_or_default())
    }
}

/// All campaigns in any state, because an archived one may have run. The days are one part: the platform reports no
/// more days than it keeps.
async fn of_account(session: &AccountSession, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    let mut limits = ReadLimits::start(&Client::of(&API, session), request);
    let position = request.after.as_deref().map(|text| Position::read(text, request).ok_or_else(invalid_cursor));
    let (after, mut bookmark) = match position.transpose()? {
        Some(position) => (Some(position.key), position.bookmark),
        None => (None, None),
    };
    let mut found = Vec::new();
    let mut progress = Progress::default();
    while limits.continues(!found.is_empty())? {
        let is_continued = limits.is_first() && bookmark.is_some();
        let listed = campaigns(session, bookmark.as_deref(), is_continued).await;
        let listed = listed.map_err(|error| limits.failure(error))?;
        let (is_empty, is_last) = (listed.rows.is_empty(), listed.next.is_none());
        let rows = report(session, request, listed.rows).await.map_err(|error| limits.failure(error))?;
        let rows = rows.into_iter().filter(|(key, _)| after.is_none_or(|after| *key > after));
        found.extend(rows.map(|(key, row)| (row, Position::of(key, bookmark.as_deref()))));
        let next = match listed.next {
            Some(next) if found.len() <= request.limit => next,
            _ => return Ok(AccountPage::of(found, request.limit, is_last)),
        };
        if !progress.continues(Platform::Epsilon, is_empty, &next)? {
            if limits.may_end(!found.is_empty()) {
                break;
            }
            return Err(errors::endless(Platform::Epsilon));
        }
        bookmark = Some(next);
    }
    Ok(AccountPage::of(found, request.limit, false))
}

/// The ids of a page of the account's campaigns.
async fn campaigns(session: &AccountSession, bookmark: Option<&str>, is_callers: bool) -> Result<Page<u64>, Error> {
    let account = &session.account;
    let statuses = api::entity_statuses(StatusSet::of(&CampaignStatus::ALL));
    let request = api::campaigns_page(&account.id, &statuses, api::LARGEST_PAGE, bookmark)?;
    let page = api::read_page(&Client::of(&API, session).read_at(request, is_callers).await?)?;
    let id = |row: &RawValue| {
        let row: wire::Listed = read_object(Platform::Epsilon, row.get().as_bytes())?;
        let is_own = row.ad_account_id.is_none_or(|id| id == account.id);
        let id = if is_own { number(&row.id) } else { None };
        id.ok_or_else(|| unreadable(Platform::Epsilon, "a list with the campaign of another account"))
    };
    Ok(Page { rows: page.rows.iter().map(|row| id(row)).collect::<Result<_, Error>>()?, next: page.next })
}

/// The rows of some campaigns, in order.
async fn report(
    session: &AccountSession,
    request: &InsightsRequest,
    ids: Vec<u64>,
) -> Result<Vec<(Key, InsightsRow)>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = ids.iter().map(u64::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let account = &session.account;
    let granularity = request.granularity;
    let sent = api::report(&account.id, &texts, request.days, granularity, &COLUMNS)?;
    let response = Client::of(&API, session).read(sent).await?;
    Scope { account, ids, days: request.days, granularity }.rows(&response)
}

#[cfg(test)]
mod tests;
