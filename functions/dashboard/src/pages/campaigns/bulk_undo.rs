//! Undoes a change of many campaigns: gives those the former status that still have the one it has set, by another change
//! of many. Names the others.

use super::bulk::{Bulk, Change, ids as change_ids, names, read};
use super::create_form::KEY_FIELD;
use super::many::{SetStatuses, begin, counted};
use super::undo::refused;
use super::wire::CampaignList;
use crate::client::all_pages::read_pages;
use crate::client::api::{Api, Detail, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use shared::domain::MAX_BULK_IDS;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashSet;
use std::time::Duration;

/// The field with the ad account whose campaigns alone are undone.
pub(super) const ACCOUNT_FIELD: &str = "account";
/// Most pages of campaigns that are read, and the time for all but the first: the change has to begin, too.
const MAX_PAGES: usize = 20;
const READ_TIME: Duration = Duration::from_secs(8);
/// Most campaigns that the notice names.
const MAX_NAMED: usize = 8;

/// The form that undoes a change, for all of its ad accounts or for one.
pub(super) struct UndoForm {
    /// The value of the field of the ad account; empty for all.
    pub(super) account: String,
    /// What the button says: `Undo: activate 2 campaigns again`.
    pub(super) button: String,
}

impl UndoForm {
    /// The form for what is done; `None` for nothing, and for more campaigns than one change of many takes.
    pub(super) fn of(bulk: &Bulk, account: String) -> Option<UndoForm> {
        let done = bulk.done(&account).len();
        let verb = if bulk.former() == "ACTIVE" { "activate" } else { "pause" };
        let button = format!("Undo: {verb} {} again", counted(done));
        (1..=MAX_BULK_IDS).contains(&done).then_some(UndoForm { account, button })
    }
}

/// Undoes the change of a form, once for its idempotency key.
pub(crate) async fn undo_bulk(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let id = value(&form, "id").unwrap_or_default();
    let page = addresses::bulk_status(id);
    let Some(key) = value(&form, KEY_FIELD).filter(|key| !key.is_empty()) else {
        return Ok(refused("The form is not complete, so nothing is undone. Press Undo again.").then(page));
    };
    let api = Api::new(request, person);
    let bulk = match read(&api, id).await {
        Ok(bulk) => bulk,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(page)),
    };
    let done = bulk.done(value(&form, ACCOUNT_FIELD).unwrap_or_default());
    let unchanged = match unchanged(&api, &bulk).await {
        Ok(unchanged) => unchanged,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(page)),
    };
    let (back, left): (Vec<&Change>, Vec<&Change>) =
        done.into_iter().partition(|change| change.campaign_id.as_ref().is_some_and(|id| unchanged.contains(id)));
    let mut ids: Vec<String> = back.into_iter().filter_map(|change| change.campaign_id.clone()).collect();
    ids.truncate(MAX_BULK_IDS);
    if ids.is_empty() {
        return Ok(refused("Nothing is undone: all of it is undone already, or was changed since.").then(page));
    }
    let of_left = change_ids(left.iter().take(MAX_NAMED).copied());
    let names = names(request, person, of_left).await;
    let left: Vec<String> = left.iter().map(|change| change.name(&names)).collect();
    // A form that is sent again after a part was undone is another request.
    let key = format!("{key}-{}", ids.len());
    let body = SetStatuses { status: bulk.former(), ids: &ids };
    Ok(match begin(&api, &body, &key).await {
        Ok(begun) => told(&bulk, ids.len(), left).then(addresses::bulk_status(&begun)),
        Err(refusal) => Notice::failure(refusal, &[]).then(page),
    })
}

/// The campaigns that have the status that the change has set.
async fn unchanged(api: &Api<'_>, bulk: &Bulk) -> Result<HashSet<String>, Refusal> {
    let first = format!("/v1/campaigns?status={}&limit=100", bulk.status());
    let mut found = HashSet::new();
    let read = read_pages(api, &first, (MAX_PAGES, READ_TIME), |page: CampaignList| {
        found.extend(page.unified.into_iter().map(|campaign| campaign.id));
        page.pagination.next_cursor
    });
    read.await.map(|_is_cut| found)
}

/// The notice on the page of the change that undoes another one. `left` are the names of campaigns that are not undone.
fn told(bulk: &Bulk, count: usize, left: Vec<String>) -> Notice {
    let (participle, status) = if bulk.former() == "ACTIVE" { ("activated", "paused") } else { ("paused", "active") };
    let are = if count == 1 { "is" } else { "are" };
    let goes_on = if bulk.settled { "" } else { " What is still open of the first change goes on." };
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

#[cfg(test)]
mod tests {
    use super::super::bulk::tests::bulk;
    use super::*;

    #[test]
    fn an_undo_is_offered_for_what_one_change_takes() {
        let button = |status: &str, done| {
            UndoForm::of(&bulk(status, &vec!["applied"; done]), String::new()).map(|form| form.button)
        };
        assert_eq!(button("PAUSED", 2).as_deref(), Some("Undo: activate 2 campaigns again"));
        assert_eq!(button("ACTIVE", 1).as_deref(), Some("Undo: pause 1 campaign again"));
        assert_eq!((button("PAUSED", 0), button("PAUSED", MAX_BULK_IDS + 1)), (None, None));
    }

    #[test]
    fn the_notice_names_what_is_not_undone() {
        let mut paused = bulk("PAUSED", &["unknown"]);
        assert!(told(&paused, 2, Vec::new()).message.ends_with("What is still open of the first change goes on."));
        paused.settled = true;
        let all = told(&paused, 2, Vec::new());
        assert_eq!(
            (all.is_success, all.message.as_str()),
            (true, "The undo has begun: 2 campaigns are activated again.")
        );
        let part = told(&paused, 1, vec!["Spring".to_owned(); 9]);
        let begun = "The undo has begun: 1 campaign is activated again. Not undone: 9 campaigns, the first 8 of them:";
        assert_eq!((part.is_success, part.message.as_str(), part.details.len()), (false, begun, 8));
        assert_eq!(part.details[0].message, "is not paused any more, or could not be read.");
    }
}
