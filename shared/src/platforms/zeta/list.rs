//! Listing. The platform pages by opaque tokens and has no filters, so a position is a page's token and how many of
//! its rows were seen: `{seen}:{token}`. The first page has an empty token.

use super::api::{self, API, PAGE_SIZE};
use super::fault::account_error;
use super::spend;
use super::translate::campaign;
use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::engine::call::{Client, Session};
use crate::platforms::engine::list::{CampaignPage, ListRequest, MAX_PAGES, invalid_cursor};
use crate::platforms::engine::page::Page;
use crate::platforms::rows::readable;
use std::mem;
use std::ops::ControlFlow;

/// Longest page token that is accepted.
const MAX_TOKEN: usize = 1_000;

/// One page, with what each campaign has spent.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let (token, mut skip) = request.after.as_deref().map_or(Ok((None, 0)), position)?;
    let has = |status| request.statuses.contains(status);
    let can_be = [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Ended, CampaignStatus::Archived];
    if !can_be.into_iter().any(has) {
        return Ok(CampaignPage::default());
    }
    let mut found: Vec<(Campaign, String)> = Vec::new();
    let visit = |token: Option<&str>, page: Page| {
        let rows = readable(Platform::Zeta, &page.rows, |row| campaign(&session.account, row))?;
        for (index, campaign) in rows.into_iter().enumerate().skip(mem::take(&mut skip)) {
            let listed = campaign.filter(|campaign| has(campaign.status));
            found.extend(listed.map(|row| (row, format!("{}:{}", index + 1, token.unwrap_or_default()))));
        }
        Ok(if found.len() > request.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let client = Client::of(&API, session);
    let pages = api::listing(api::of_account(&session.account.id, "campaigns")?).up_to(MAX_PAGES);
    pages.visit(&client, token, visit).await.map_err(account_error)?;
    let mut page = CampaignPage::of(found, request.limit, true);
    spend::fill(&client, session, &mut page.campaigns).await?;
    Ok(page)
}

fn position(text: &str) -> Result<(Option<String>, usize), Error> {
    let (seen, token) = text.split_once(':').ok_or_else(invalid_cursor)?;
    let seen = seen.parse::<usize>().ok().filter(|seen| *seen <= PAGE_SIZE).ok_or_else(invalid_cursor)?;
    if token.len() > MAX_TOKEN || token.chars().any(char::is_control) {
        return Err(invalid_cursor());
    }
    Ok(((!token.is_empty()).then(|| token.to_owned()), seen))
}

#[cfg(test)]
mod tests;
