//! Listing. The platform pages by opaque tokens and filters by nothing, so a position is a page's token and how many
//! of its rows were seen: `{seen}:{token}`, the first page having an empty token.

use super::client::Client;
use super::fault::out_of_reach;
use super::spend;
use super::translate::campaign;
use super::wire::id;
use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::rows::readable;
use crate::platforms::{CampaignPage, ListRequest, Session, answers};

/// Rows of one page. The same for every request, because tokens may belong to a size.
const PAGE_SIZE: usize = 100;
/// Most pages that are read for one request.
const MAX_PAGES: usize = 20;
/// Longest page token that is believed.
const MAX_TOKEN: usize = 1_000;

/// One page, with what each campaign has spent.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let (mut token, mut skip) = request.after.as_deref().map_or(Ok((None, 0)), position)?;
    let has = |status| request.statuses.contains(status);
    let can_be = [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Ended, CampaignStatus::Archived];
    if !can_be.into_iter().any(has) {
        return Ok(CampaignPage { campaigns: Vec::new(), positions: Vec::new(), has_more: false });
    }
    let client = Client::of(session);
    let path = format!("/ad_accounts/{}/campaigns", id(&session.account.id)?);
    let mut found: Vec<(Campaign, String)> = Vec::new();
    for _ in 0..MAX_PAGES {
        let (rows, next) = client.page(&path, PAGE_SIZE, token.as_deref()).await.map_err(out_of_reach)?;
        let rows = readable(Platform::Zeta, &rows, |row| campaign(&session.account, row))?;
        for (index, campaign) in rows.into_iter().enumerate().skip(skip) {
            if let Some(campaign) = campaign.filter(|campaign| has(campaign.status)) {
                found.push((campaign, format!("{}:{}", index + 1, token.as_deref().unwrap_or_default())));
            }
        }
        (token, skip) = (next, 0);
        if found.len() > request.limit || token.is_none() {
            return page(&client, session, request.limit, found).await;
        }
    }
    Err(answers::unreadable(Platform::Zeta, "a listing without an end"))
}

async fn page(
    client: &Client<'_>,
    session: &Session,
    limit: usize,
    mut found: Vec<(Campaign, String)>,
) -> Result<CampaignPage, Error> {
    let has_more = found.len() > limit;
    found.truncate(limit);
    let (mut campaigns, positions): (Vec<Campaign>, Vec<String>) = found.into_iter().unzip();
    spend::fill(client, session, &mut campaigns).await?;
    Ok(CampaignPage { campaigns, positions, has_more })
}

fn position(text: &str) -> Result<(Option<String>, usize), Error> {
    let refused = || Error::field("cursor", "is not one that this list gave out");
    let (seen, token) = text.split_once(':').ok_or_else(refused)?;
    let seen = seen.parse::<usize>().ok().filter(|seen| *seen <= PAGE_SIZE).ok_or_else(refused)?;
    if token.len() > MAX_TOKEN || token.chars().any(char::is_control) {
        return Err(refused());
    }
    Ok(((!token.is_empty()).then(|| token.to_owned()), seen))
}

#[cfg(test)]
mod tests;
