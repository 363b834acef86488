//! Listing in the platform's order. A position is the cursor that a page of the platform begins behind, and how
//! many campaigns of that page have been passed.

use super::client::{Client, of_account, out_of_reach};
use super::fault::{is_about_cursor, unreadable};
use super::{spend, wire};
use crate::domain::{AdAccount, Campaign, CampaignStatus, Platform, StatusSet};
use crate::error::Error;
use crate::platforms::{CampaignPage, ListRequest, Session};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// Most calls for one page. More than two are needed only where many campaigns meet the platform's filter and not
/// the states that were asked for (those that have ended are active ones there).
const MAX_CALLS: usize = 20;
/// Fewest and most campaigns that one call asks for.
const PAGE: (usize, usize) = (25, 200);
/// Longest cursor that is believed to be one.
const MAX_CURSOR: usize = 512;

/// One page, with what its campaigns spent. Goes one campaign beyond the limit, so that it is certain whether there
/// are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let begin = request.after.as_deref().map(Position::read).transpose()?.unwrap_or_default();
    let Some(filter) = effective_statuses(request.statuses) else {
        return Ok(CampaignPage { campaigns: Vec::new(), positions: Vec::new(), has_more: false });
    };
    let mut search = Search { session, request, filter, at: begin, found: Vec::new() };
    let has_more = search.run().await?;
    let (mut campaigns, positions): (Vec<_>, Vec<_>) = search.found.into_iter().take(request.limit).unzip();
    spend::of_page(&Client::of(session), &session.account.id, &mut campaigns).await?;
    Ok(CampaignPage { campaigns, positions: positions.iter().map(Position::written).collect(), has_more })
}

/// `effective_status` for our states (Marketing API: Ad account, campaigns), or `None` for states that the platform
/// does not have.
///
/// A campaign in review or with issues keeps its own switch, so it may be on or off. Deleted ones are not asked for:
/// the platform refuses to list them (Marketing API: Manage your ad object's status).
pub(super) fn effective_statuses(statuses: StatusSet) -> Option<String> {
    let on = statuses.contains(CampaignStatus::Active) || statuses.contains(CampaignStatus::Ended);
    let off = statuses.contains(CampaignStatus::Paused);
    let words: Vec<&str> = [
        ("ACTIVE", on),
        ("PAUSED", off),
        ("IN_PROCESS", on || off),
        ("WITH_ISSUES", on || off),
        ("ARCHIVED", statuses.contains(CampaignStatus::Archived)),
    ]
    .into_iter()
    .filter_map(|(word, wanted)| wanted.then_some(word))
    .collect();
    if words.is_empty() { None } else { serde_json::to_string(&words).ok() }
}

struct Search<'a> {
    session: &'a Session,
    request: &'a ListRequest,
    filter: String,
    at: Position,
    found: Vec<(Campaign, Position)>,
}

impl Search<'_> {
    /// Reads on until there is one campaign more than the limit, or nothing is left. Says whether there is more.
    async fn run(&mut self) -> Result<bool, Error> {
        for call in 0..MAX_CALLS {
            let missing = (self.request.limit + 1).saturating_sub(self.found.len());
            // Where the first calls did not find enough, most of what is there is of no use.
            let size = (self.at.passed + missing).max(PAGE.0 << call.min(3)).min(PAGE.1);
            let (rows, next) = self.read_page(size).await.map_err(|error| self.explained(error, call))?;
            if self.found.len() > self.request.limit {
                return Ok(true);
            }
            let Some(cursor) = next else { return Ok(false) };
            // A page may be shorter than it was.
            self.at = Position { cursor: Some(cursor), passed: self.at.passed.saturating_sub(rows) };
        }
        // Nothing that was asked for lies between the last one and where the reading stopped.
        let last = self.found.last_mut().ok_or_else(|| unreadable("a list without an end"))?;
        last.1 = self.at.clone();
        Ok(true)
    }

    /// Answers how many campaigns the page held, and the cursor of the next one.
    async fn read_page(&mut self, size: usize) -> Result<(usize, Option<String>), Error> {
        let (account, now) = (&self.session.account, self.session.call.now);
        let limit = size.to_string();
        let parameters =
            [("fields", wire::CAMPAIGN_FIELDS), ("effective_status", self.filter.as_str()), ("limit", limit.as_str())];
        let path = of_account(&account.id, "campaigns")?;
        let client = Client::of(self.session);
        let (rows, next) = client.page::<Box<RawValue>>(&path, &parameters, self.at.cursor.as_deref()).await?;
        let whole_page = rows.len();
        for (index, campaign) in read_all(account, &rows, now)? {
            if index >= self.at.passed && self.request.statuses.contains(campaign.status) {
                let behind = match &next {
                    Some(cursor) if index + 1 == whole_page => Position { cursor: Some(cursor.clone()), passed: 0 },
                    _ => Position { cursor: self.at.cursor.clone(), passed: index + 1 },
                };
                self.found.push((campaign, behind));
            }
        }
        Ok((whole_page, next))
    }

    /// A cursor of the caller that the platform does not take is the caller's; the platform's hold for a while only.
    fn explained(&self, error: Error, call: usize) -> Error {
        if call == 0 && self.at.cursor.is_some() && is_about_cursor(&error) {
            return Error::field("cursor", "is no longer valid; begin the list again");
        }
        out_of_reach(error)
    }
}

/// The campaigns of a page, each with its place there. A row that cannot be read must not cost the caller the others;
/// where none can be read, the caller must not take the list for an empty one.
fn read_all(account: &AdAccount, rows: &[Box<RawValue>], now: Timestamp) -> Result<Vec<(usize, Campaign)>, Error> {
    let (mut found, mut failure) = (Vec::new(), None);
    for (index, row) in rows.iter().enumerate() {
        match super::translate::listed(account, row.get(), now) {
            Ok(campaign) => found.push((index, campaign)),
            Err(error) => {
                let source = error.source.as_deref();
                tracing::warn!(platform = %Platform::Beta, %error, source, "a campaign was left out of a list");
                failure = Some(error);
            }
        }
    }
    match failure {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// Where to read on. Written as `passed` or `passed.cursor`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Position {
    /// Where the page begins; `None` for the first.
    cursor: Option<String>,
    /// How many campaigns of the page have been passed, wanted or not.
    passed: usize,
}

impl Position {
    fn written(&self) -> String {
        match &self.cursor {
            Some(cursor) => format!("{}.{cursor}", self.passed),
            None => self.passed.to_string(),
        }
    }

    fn read(text: &str) -> Result<Position, Error> {
        let broken = || Error::field("cursor", "is not one that this list gave out");
        let (passed, cursor) = match text.split_once('.') {
            Some((passed, cursor)) => (passed, Some(cursor)),
            None => (text, None),
        };
        let is_number = !passed.is_empty() && passed.bytes().all(|byte| byte.is_ascii_digit());
        let passed = passed.parse().ok().filter(|passed| is_number && *passed <= PAGE.1).ok_or_else(broken)?;
        let is_cursor =
            |text: &str| (1..=MAX_CURSOR).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !cursor.is_none_or(is_cursor) {
            return Err(broken());
        }
        Ok(Position { cursor: cursor.map(str::to_owned), passed })
    }
}

#[cfg(test)]
mod rows;
#[cfg(test)]
pub(super) mod tests;
