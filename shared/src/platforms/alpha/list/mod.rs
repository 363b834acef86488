//! Listing by descending id. A position is the id of a campaign; the next page begins below it.

use super::translate::campaign;
use super::{api, query};
use crate::platforms::engine::list::MAX_PAGES;
use crate::platforms::errors::invalid_cursor;
use crate::platforms::prelude::*;

/// One page. Asks for one campaign more than the limit, so that it is certain whether there are more. More than one
/// call is needed only where the platform cuts its response short, or where many campaigns meet the conditions of the
/// query and are not in the requested states.
pub(super) async fn campaigns(session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
    let position = |after: &String| query::number(after).ok_or_else(invalid_cursor);
    let mut after = request.after.as_ref().map(position).transpose()?;
    let wanted = request.limit.saturating_add(1);
    let client = Client::of(&api::API, session);
    let account = &session.account;
    let mut found = Vec::new();
    let mut token = None;
    let mut rows_of_query = 0;
    let mut last = after;
    let mut is_end = false;
    for _ in 0..MAX_PAGES {
        let Some(query) = query::list(request.statuses, after, wanted) else { return Ok(CampaignPage::default()) };
        let response = client.read(api::search_request(&account.id, &query, token.as_deref())?).await?;
        let page = api::read_page(&response)?;
        rows_of_query += page.rows.len();
        let rows = readable(Platform::Alpha, &page.rows, |row| campaign(account, row.get()))?;
        for campaign in rows.into_iter().flatten() {
            last = query::number(&campaign.remote_id);
            let position = campaign.remote_id.clone();
            found.extend(request.statuses.contains(campaign.status).then_some((campaign, position)));
        }
        token = page.next;
        is_end = token.is_none() && rows_of_query < wanted;
        if found.len() >= wanted || is_end {
            break;
        }
        if token.is_none() {
            (after, rows_of_query) = (last, 0);
        }
    }
    if !is_end && found.is_empty() {
        return Err(errors::endless(Platform::Alpha));
    }
    Ok(CampaignPage::of(found, request.limit, is_end))
}

#[cfg(test)]
mod tests;
