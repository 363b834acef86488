//! Undoes a change of many campaigns: gives those the former status that still have the one it has set, by another change
//! of many. Names the others.

use super::outcome::{done, inverse, name, switch};
use super::undo_form::ACCOUNT_FIELD;
use crate::client::all_pages::{Limits, read_pages};
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{self, Chosen, bulk_status, set_statuses};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::kit::campaign::{Switch, counted};
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::form_errors::Detail;
use jiff::Timestamp;
use shared::domain::{CampaignId, Change, MAX_BULK_IDS};
use shared::envelope::query::value;
use shared::envelope::{BulkStatus, CampaignList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashSet;
use std::time::Duration;

/// The change has to begin in the time of the page, too.
const LIMITS: Limits = Limits { pages: 20, time: Some(Duration::from_secs(8)) };
/// Most campaigns that the notice names.
const MAX_NAMED: usize = 8;

/// Undoes the change of a form, once for its idempotency key.
pub(crate) async fn undo_bulk(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let id = value(&form, "id").unwrap_or_default();
    let page = addresses::bulk_status(id);
    let Some(key) = value(&form, KEY_FIELD).filter(|key| !key.is_empty()) else {
        return Ok(refused("The form is not complete, so nothing is undone. Press Undo again.").then(page));
    };
    let api = Api::new(request, person);
    let bulk = match bulk_status(&api, id).await {
        Ok(bulk) => bulk,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(page)),
    };
    let unchanged = match unchanged(&api, &bulk).await {
        Ok(unchanged) => unchanged,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(page)),
    };
    let is_unchanged = |change: &&Change| change.campaign.as_ref().is_some_and(|id| unchanged.contains(id));
    let done = done(&bulk, value(&form, ACCOUNT_FIELD).unwrap_or_default()).into_iter();
    let (undone, left): (Vec<&Change>, Vec<&Change>) = done.partition(is_unchanged);
    let ids = undone.into_iter().filter_map(|change| change.campaign.as_ref());
    let ids: Vec<String> = ids.take(MAX_BULK_IDS).map(CampaignId::to_string).collect();
    if ids.is_empty() {
        return Ok(refused("Nothing is undone: all of it is undone already, or was changed since.").then(page));
    }
    // A form that is sent again after a part was undone is another request.
    let key = format!("{key}-{}", ids.len());
    Ok(match set_statuses(&api, inverse(&bulk), Chosen::Ids(&ids), &key).await {
        Ok(begun) => {
            let left = left.into_iter().map(name).collect();
            told(&bulk, ids.len(), left, request.now).then(addresses::bulk_status(&begun.to_string()))
        }
        Err(refusal) => Notice::failure(refusal, &[]).then(page),
    })
}

/// The campaigns that have the status that the change has set.
async fn unchanged(api: &Api<'_>, bulk: &BulkStatus) -> Result<HashSet<CampaignId>, Refusal> {
    let first = format!("/v1/campaigns?status={}&limit=100", switch(bulk).status());
    let mut found = HashSet::new();
    let read = |target: String| async move { campaigns::page(api, &target).await };
    let read = read_pages(&first, LIMITS, read, |page: CampaignList| {
        found.extend(page.campaigns.into_iter().map(|campaign| campaign.id));
        page.next_cursor
    });
    read.await.map(|_is_cut| found)
}

/// The notice on the page of the change that undoes another one. `left` are the names of campaigns that are not undone.
fn told(bulk: &BulkStatus, count: usize, left: Vec<String>, now: Timestamp) -> Notice {
    let (participle, status) = match inverse(bulk) {
        Switch::Activate => ("activated", "paused"),
        Switch::Pause => ("paused", "active"),
    };
    let are = if count == 1 { "is" } else { "are" };
    let goes_on = if bulk.is_settled(now) { "" } else { " What is still open of the first change goes on." };
    let message = format!("The undo has begun: {} {are} {participle} again.{goes_on}", counted(count));
    if left.is_empty() {
        return Notice::success(message);
    }
    let more = left.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(", the first {MAX_NAMED} of them") } else { String::new() };
    let message = format!("{message} Not undone: {}{more}:", counted(left.len()));
    let why = format!("is not {status} any more, or could not be read.");
    let details = left.into_iter().take(MAX_NAMED).map(|field| Detail { field, message: why.clone() }).collect();
    Notice { message, details, ..Notice::default() }
}

fn refused(message: &str) -> Notice {
    Notice { message: message.to_owned(), ..Notice::default() }
}

#[cfg(test)]
mod tests {
    use super::super::sample::bulk;
    use super::*;
    use crate::kit::changes::sample::now;
    use shared::domain::{CampaignStatus, ChangeState};

    #[test]
    fn the_notice_names_what_is_not_undone() {
        let told = |state, count, left| told(&bulk(CampaignStatus::Paused, vec![state]), count, left, now());
        let open = told(ChangeState::Sending, 2, Vec::new());
        assert!(open.message.ends_with("What is still open of the first change goes on."));
        let all = told(ChangeState::Applied, 2, Vec::new());
        assert_eq!(
            (all.is_success, all.message.as_str()),
            (true, "The undo has begun: 2 campaigns are activated again.")
        );
        let part = told(ChangeState::Applied, 1, vec!["Spring".to_owned(); 9]);
        let begun = "The undo has begun: 1 campaign is activated again. Not undone: 9 campaigns, the first 8 of them:";
        assert_eq!((part.is_success, part.message.as_str(), part.details.len()), (false, begun, 8));
        assert_eq!(part.details[0].message, "is not paused any more, or could not be read.");
    }
}
