//! Listing by falling id: a position is the id of a campaign, and the next page begins below it.

use super::client::Client;
use super::fault::unreadable;
use super::query;
use super::translate::campaign;
use crate::domain::{AdAccount, Campaign, Platform};
use crate::error::Error;
use crate::platforms::{CampaignPage, ListRequest, Session};
use serde_json::value::RawValue;

/// Most calls for one page. More than one is needed only where the platform cuts its answer short, or where many
/// campaigns meet the conditions of the query and not the states that were asked for.
const MAX_CALLS: usize = 20;

/// One page. Asks for one campaign more than the limit, so that it is certain whether there are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let mut after = request.after.as_deref().map(position).transpose()?;
    let wanted = request.limit.saturating_add(1);
    let (client, account) = (Client::of(session), &session.account);
    let (mut found, mut page_token, mut rows_of_query) = (Vec::<Campaign>::new(), None, 0);
    let (mut last, mut has_more) = (after, true);
    for _ in 0..MAX_CALLS {
        let Some(query) = query::list(request.statuses, after, wanted) else { return Ok(page(found, 0, false)) };
        let answer = client.search(&account.id, &query, page_token.as_deref()).await?;
        rows_of_query += answer.results.len();
        for campaign in read_all(account, &answer.results)? {
            last = query::number(&campaign.remote_id);
            if request.statuses.contains(campaign.status) {
                found.push(campaign);
            }
        }
        page_token = answer.next_page_token;
        if found.len() >= wanted {
            break;
        }
        if page_token.is_none() {
            has_more = rows_of_query >= wanted;
            if !has_more {
                break;
            }
            (after, rows_of_query) = (last, 0);
        }
    }
    if has_more && found.is_empty() {
        return Err(unreadable("a list without an end"));
    }
    Ok(page(found, request.limit, has_more))
}

/// The campaigns of a page. A row that cannot be read must not cost the caller the others; where none can be read, the
/// caller must not take the list for an empty one.
fn read_all(account: &AdAccount, rows: &[Box<RawValue>]) -> Result<Vec<Campaign>, Error> {
    let (mut found, mut failure) = (Vec::new(), None);
    for row in rows {
        match campaign(account, row.get()) {
            Ok(campaign) => found.push(campaign),
            Err(error) => {
                let source = error.source.as_deref();
                tracing::warn!(platform = %Platform::Alpha, %error, source, "a campaign was left out of a list");
                failure = Some(error);
            }
        }
    }
    match failure {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

fn position(after: &str) -> Result<i64, Error> {
    query::number(after).ok_or_else(|| Error::field("cursor", "is not one that this list gave out"))
}

fn page(mut campaigns: Vec<Campaign>, limit: usize, has_more: bool) -> CampaignPage {
    campaigns.truncate(limit);
    let positions = campaigns.iter().map(|campaign| campaign.remote_id.clone()).collect();
    CampaignPage { campaigns, positions, has_more }
}

#[cfg(test)]
mod rows;
