//! Listing: the platform pages by tokens, so a position is a campaign and the token of the page that it is on.

use super::client::Client;
use super::fault::unreadable;
use super::translate::{campaign, words_for};
use super::{query, spend};
use crate::domain::{Campaign, Platform};
use crate::error::Error;
use crate::platforms::rows::readable;
use crate::platforms::{CampaignPage, ListRequest, Session};

/// Most calls for one page. More than two are needed only where the platform answers with half-empty pages.
const MAX_CALLS: usize = 20;
/// No token of the platform is nearly as long.
const MAX_POSITION: usize = 2_048;

/// One page, newest first.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?.unwrap_or_default();
    let mut page = CampaignPage { campaigns: Vec::new(), positions: Vec::new(), has_more: false };
    let words = words_for(request.statuses);
    if words.is_empty() {
        return Ok(page);
    }
    let search = query::campaigns(&session.account.id, &words)?;
    fill(&mut page, session, request, &search, after).await?;
    spend::add(session, &mut page.campaigns).await?;
    Ok(page)
}

/// Reads on until the page is full and it is certain whether there are more.
async fn fill(
    page: &mut CampaignPage,
    session: &Session,
    request: &ListRequest,
    search: &str,
    after: Position,
) -> Result<(), Error> {
    let (client, Position { mut behind, mut token }) = (Client::of(session), after);
    for _ in 0..MAX_CALLS {
        let (elements, next) = client.page(search, token.as_deref()).await?;
        let rows = readable(Platform::Delta, &elements, |row| campaign(&session.account, row.get()))?;
        for found in unseen(rows.into_iter().flatten().flatten().collect(), &mut behind) {
            if !request.statuses.contains(found.status) {
                continue;
            }
            if page.campaigns.len() == request.limit {
                page.has_more = true;
                return Ok(());
            }
            page.positions.push(Position::write(&found, token.as_deref()));
            page.campaigns.push(found);
        }
        token = next;
        if token.is_none() {
            return Ok(());
        }
    }
    Err(unreadable("a list without an end"))
}

/// The rows behind a campaign: behind its own row, or, when it has left the list, below its id.
fn unseen(mut rows: Vec<Campaign>, behind: &mut Option<i64>) -> Vec<Campaign> {
    let Some(last) = *behind else { return rows };
    let id = |row: &Campaign| query::number(&row.remote_id);
    let own = rows.iter().position(|row| id(row) == Some(last)).map(|index| index + 1);
    let below = || rows.iter().position(|row| id(row).is_some_and(|id| id < last));
    let Some(first) = own.or_else(below) else { return Vec::new() };
    *behind = None;
    rows.split_off(first)
}

/// Where a page begins: behind a campaign, which is on the page with this token. Written `{id}.{token}`.
#[derive(Debug, Default)]
struct Position {
    behind: Option<i64>,
    token: Option<String>,
}

impl Position {
    fn write(campaign: &Campaign, token: Option<&str>) -> String {
        format!("{}.{}", campaign.remote_id, token.unwrap_or_default())
    }

    fn read(text: &str) -> Result<Position, Error> {
        let parts = text.split_once('.').filter(|_| text.len() <= MAX_POSITION);
        let parts = parts.and_then(|(id, token)| Some((query::number(id)?, token)));
        let (id, token) = parts.ok_or_else(|| Error::field("cursor", "is not one that this list gave out"))?;
        Ok(Position { behind: Some(id), token: (!token.is_empty()).then(|| token.to_owned()) })
    }
}

#[cfg(test)]
mod tests;
