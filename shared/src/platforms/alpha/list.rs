//! Listing by descending id. A position is the id of a campaign; the next page begins below it.

use super::api::{self, API};
use super::fault::unreadable;
use super::query;
use super::translate::campaign;
use crate::domain::{Campaign, Platform};
use crate::error::Error;
use crate::platforms::engine::call::{Client, Session};
use crate::platforms::engine::list::{CampaignPage, ListRequest, MAX_PAGES, invalid_cursor};
use crate::platforms::rows::readable;

/// One page. Asks for one campaign more than the limit, so that it is certain whether there are more.
///
/// More than one call is needed only where the platform cuts its answer short, or where many campaigns meet the
/// conditions of the query and are not in the requested states.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let mut after = request.after.as_deref().map(position).transpose()?;
    let wanted = request.limit.saturating_add(1);
    let (client, account) = (Client::of(&API, session), &session.account);
    let (mut found, mut token, mut rows_of_query) = (Vec::<Campaign>::new(), None, 0);
    let (mut last, mut is_end) = (after, false);
    for _ in 0..MAX_PAGES {
        let Some(query) = query::list(request.statuses, after, wanted) else { return Ok(CampaignPage::default()) };
        let answer = client.read(api::search_request(&account.id, &query, token.as_deref())?).await?;
        let page = api::read_page(&answer)?;
        rows_of_query += page.rows.len();
        for campaign in readable(Platform::Alpha, &page.rows, |row| campaign(account, row.get()))?.into_iter().flatten()
        {
            last = query::number(&campaign.remote_id);
            found.extend(request.statuses.contains(campaign.status).then_some(campaign));
        }
        token = page.next;
        if found.len() >= wanted {
            break;
        }
        if token.is_none() {
            is_end = rows_of_query < wanted;
            if is_end {
                break;
            }
            (after, rows_of_query) = (last, 0);
        }
    }
    if !is_end && found.is_empty() {
        return Err(unreadable("the list did not end within the allowed pages"));
    }
    let found = found.into_iter().map(|campaign| (campaign.clone(), campaign.remote_id)).collect();
    Ok(CampaignPage::of(found, request.limit, is_end))
}

fn position(after: &str) -> Result<i64, Error> {
    query::number(after).ok_or_else(invalid_cursor)
}

#[cfg(test)]
mod rows;
