//! Lists. A position is the id of a campaign and the token of the page that it is on: `{id}.{token}`.
//!
//! The id decides, so that a campaign that was created or removed since does not move the rest.

use super::api::{self, API};
use super::translate::{campaign, platform_statuses};
use super::{query, spend};
use crate::platforms::engine::list::{MAX_PAGES, index_after};
use crate::platforms::errors::invalid_cursor;
use crate::platforms::prelude::*;
use std::ops::ControlFlow;

/// Longest position that is accepted. Tokens of the platform are much shorter.
const MAX_POSITION: usize = 2_048;

/// One page, newest first.
pub(super) async fn campaigns(session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
    let account = &session.account;
    let after = request.after.as_deref().map(|text| position(text).ok_or_else(invalid_cursor)).transpose()?;
    let (mut last, token) = after.unwrap_or_default();
    let statuses = platform_statuses(request.statuses);
    if statuses.is_empty() {
        return Ok(CampaignPage::default());
    }
    let mut found: Vec<(PlatformCampaign, String)> = Vec::new();
    let visit = |token: Option<&str>, page: Page| {
        let rows = readable(Platform::Delta, &page.rows, |row| campaign(account, row.get()))?;
        let rows = rows_after(rows.into_iter().flatten().flatten().collect(), &mut last);
        let listed = rows.into_iter().filter(|campaign| request.statuses.contains(campaign.status));
        found.extend(listed.map(|campaign| {
            let position = format!("{}.{}", campaign.remote_id, token.unwrap_or_default());
            (campaign, position)
        }));
        Ok(if found.len() > request.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let pages = api::search(query::campaigns(&account.id, &statuses)?).up_to(MAX_PAGES);
    pages.visit(&Client::of(&API, session), token, visit).await?;
    let mut page = CampaignPage::of(found, request.limit, true);
    spend::fill(session, &mut page.rows).await?;
    Ok(page)
}

/// The rows after a campaign, or none as long as the page ends before it.
fn rows_after(mut rows: Vec<PlatformCampaign>, last: &mut Option<String>) -> Vec<PlatformCampaign> {
    let Some(last_id) = last.as_deref() else { return rows };
    let ids = rows.iter().enumerate().map(|(index, row)| (index, row.remote_id.as_str()));
    let Some(first) = index_after(ids, last_id) else { return Vec::new() };
    *last = None;
    rows.split_off(first)
}

/// The id of the campaign that was seen last, and the token of its page.
fn position(text: &str) -> Option<(Option<String>, Option<String>)> {
    if text.len() > MAX_POSITION {
        return None;
    }
    let (id, token) = text.split_once('.')?;
    Some((Some(query::number(id)?.to_string()), (!token.is_empty()).then(|| token.to_owned())))
}

#[cfg(test)]
mod tests;
