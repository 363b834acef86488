//! Undoes a bulk change, by another bulk change. A campaign gets its former values back if it still has
//! those that the change has set. The page names the others.

use super::outcome::{changes, done, is_mixed, name, not_changed, reverts, switch};
use super::start::status_page;
use super::undone::undo_adds;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{StartedBulk, bulk_status, undo_many};
use crate::client::notice::Notice;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::campaign::{Switch, campaign_count};
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::form_errors::Detail;
use crate::kit::words;
use crate::pages::campaigns::filter::Filter;
use shared::domain::{BulkId, Change, Reason};
use shared::envelope::query::value;
use shared::envelope::{BulkStatus, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

/// Most campaigns that the notice names.
const MAX_NAMED: usize = 8;

/// An undo that has begun.
struct UndoResult {
    id: BulkId,
    bulk: BulkStatus,
    is_settled: bool,
    /// The campaigns that keep their values, by their names, and why.
    not_undone: Vec<Detail>,
}

/// The form that undoes a bulk change.
pub(super) struct UndoForm {
    /// What the button says: `Undo: activate 2 campaigns again`.
    pub(super) button: String,
    /// `+731.00 USD a day`: what it adds to the budgets that run.
    pub(super) adds: Vec<String>,
}

impl UndoForm {
    /// The form for the changes that are done and not undone; `None` for nothing.
    pub(super) fn of(bulk: &BulkStatus, left: &[&Change]) -> Option<UndoForm> {
        let campaigns = campaign_count(left.len());
        let button = match switch(bulk) {
            Some(Switch::Activate) => format!("Undo: pause {campaigns} again"),
            Some(Switch::Pause) => format!("Undo: activate {campaigns} again"),
            None if reverts(bulk) || is_mixed(bulk) => format!("Undo: restore {campaigns}"),
            None => format!("Undo: restore the budgets of {campaigns}"),
        };
        (!left.is_empty()).then(|| UndoForm { button, adds: undo_adds(left) })
    }
}

/// Undoes the change of a form on its page, once for its idempotency key.
pub(crate) async fn undo_bulk(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let id = value(&form, "id").unwrap_or_default();
    let list = Filter::of_form(&form);
    let page = status_page(id, &list);
    let Some(key) = value(&form, KEY_FIELD).filter(|key| !key.is_empty()) else {
        let message = "The form is incomplete, so nothing is undone. Press Undo again.".to_owned();
        return Ok(Notice { message, ..Notice::default() }.then(page));
    };
    Ok(match undo(request, person, id, Some(key)).await {
        Ok(undone) => undo_notice(&undone).then(status_page(&undone.id.to_string(), &list)),
        Err(refusal) => Notice::failure(refusal, &[]).then(page),
    })
}

/// Undoes the bulk change of budgets that a notice in the list has reported.
pub(in super::super) async fn undo_budgets(
    request: &WebRequest,
    person: &SignedIn,
    form: &[(String, String)],
    id: &str,
) -> WebReply {
    let filter = Filter::of_form(form);
    let list = filter.path();
    match undo(request, person, id, None).await {
        Ok(undone) if undone.is_settled => list_notice(undone).then(list),
        // That page reports what is still open.
        Ok(undone) => WebReply::see_other(status_page(&undone.id.to_string(), &filter)),
        Err(refusal) => Notice::failure(refusal, &[]).then(list),
    }
}

async fn undo(request: &WebRequest, person: &SignedIn, id: &str, key: Option<&str>) -> Result<UndoResult, Refusal> {
    let api = Api::new(request, person);
    let begun = undo_many(&api, id, key).await?;
    let begun_id = begun.bulk.to_string();
    readings::note_undone(request, person.customer(), id).await;
    let (of, bulk) = tokio::join!(bulk_status(&api, id), bulk_status(&api, &begun_id));
    let (of, bulk) = (of?, bulk?);
    let is_settled = bulk.is_settled(request.app.clock.now());
    if is_settled {
        readings::note_end(request, person.customer(), &begun_id).await;
    }
    let not_undone = not_undone(&of, &begun, &bulk);
    Ok(UndoResult { id: begun.bulk, bulk, is_settled, not_undone })
}

/// The campaigns that are not undone. Their names are known of the change that is undone.
fn not_undone(of: &BulkStatus, begun: &StartedBulk, bulk: &BulkStatus) -> Vec<Detail> {
    let details = not_changed(begun, bulk).into_iter().map(|(campaign, error)| {
        let change: Option<&Change> = changes(of).find(|change| change.campaign.as_ref() == Some(campaign));
        let message = match error.reason {
            Some(Reason::ChangedMeanwhile) => "was changed since.".to_owned(),
            _ => words::message(&error.message),
        };
        Detail { field: change.map_or_else(|| campaign.to_string(), name), message }
    });
    details.collect()
}

/// The notice on the page of the change that undoes another one.
fn undo_notice(UndoResult { bulk, is_settled, not_undone, .. }: &UndoResult) -> Notice {
    let count = done(bulk);
    let (campaigns, are) = (campaign_count(count), if count == 1 { "is" } else { "are" });
    let what = match switch(bulk) {
        Some(Switch::Activate) => format!("{campaigns} {are} activated again"),
        Some(Switch::Pause) => format!("{campaigns} {are} paused again"),
        None if is_mixed(bulk) => format!("{campaigns} {are} as before"),
        None => format!("the budgets of {campaigns} are as before"),
    };
    let goes_on = if *is_settled { "" } else { " The rest is undone once its outcome is known." };
    let message = format!("The undo has begun: {what}.{goes_on}");
    if not_undone.is_empty() {
        return Notice::success(message);
    }
    let more = if not_undone.len() > MAX_NAMED { format!(", the first {MAX_NAMED} of them") } else { String::new() };
    let message = format!("{message} Not undone: {}{more}:", campaign_count(not_undone.len()));
    let details = not_undone.iter().take(MAX_NAMED).cloned().collect();
    Notice { is_part: count > 0, message, details, ..Notice::default() }.shorten_to_fit()
}

/// The notice in the list.
fn list_notice(UndoResult { bulk, mut not_undone, .. }: UndoResult) -> Notice {
    let undone = done(&bulk);
    if not_undone.is_empty() {
        return Notice::success(format!("Undone: the budgets of {} are as before.", campaign_count(undone)));
    }
    let mut message = format!("{undone} of {} undone.", campaign_count(undone + not_undone.len()));
    match not_undone.len() {
        0..=MAX_NAMED => message.push_str(" Not undone:"),
        number => message = format!("{message} {number} are not, the first of them:"),
    }
    not_undone.truncate(MAX_NAMED);
    Notice { is_part: undone > 0, message, details: not_undone, ..Notice::default() }.shorten_to_fit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::bulk_sample::bulk;
    use shared::domain::{BulkAction, CampaignStatus, ChangeError, ChangeState};
    use uuid::Uuid;

    fn undone(action: BulkAction, states: Vec<ChangeState>, is_settled: bool, not_undone: usize) -> UndoResult {
        let changed = Detail { field: "Spring".to_owned(), message: "was changed since.".to_owned() };
        let not_undone = vec![changed; not_undone];
        UndoResult { id: BulkId(Uuid::nil()), bulk: bulk(action, states), is_settled, not_undone }
    }

    fn failed() -> ChangeState {
        ChangeState::Failed(ChangeError::default())
    }

    #[test]
    fn the_notice_names_what_is_not_undone() {
        let active = BulkAction::Status(CampaignStatus::Active);
        let open = undo_notice(&undone(active, vec![ChangeState::Sending], false, 0));
        assert!(open.message.ends_with("The rest is undone once its outcome is known."));
        let all = undo_notice(&undone(active, vec![ChangeState::Applied; 2], true, 0));
        let begun = "The undo has begun: 2 campaigns are activated again.";
        assert_eq!((all.is_success, all.message.as_str()), (true, begun));
        let part = undo_notice(&undone(active, vec![ChangeState::Applied, failed()], true, 9));
        let begun = "The undo has begun: 1 campaign is activated again. Not undone: 9 campaigns, the first 8 of them:";
        assert_eq!((part.is_success, part.message.as_str(), part.details.len()), (false, begun, 8));
        assert_eq!(part.details[0].message, "was changed since.");
    }

    #[test]
    fn the_notice_in_the_list_counts() {
        let all = list_notice(undone(BulkAction::Budgets, vec![ChangeState::Applied; 2], true, 0));
        assert_eq!((all.is_success, all.message.as_str()), (true, "Undone: the budgets of 2 campaigns are as before."));
        let part = list_notice(undone(BulkAction::Budgets, vec![ChangeState::Applied, failed()], true, 1));
        assert_eq!((part.is_success, part.message.as_str()), (false, "1 of 2 campaigns undone. Not undone:"));
        assert_eq!((part.details[0].field.as_str(), part.undo.len()), ("Spring", 0));
    }

    #[test]
    fn an_undo_is_offered_for_what_is_done() {
        let button = |action, done| {
            let bulk = bulk(action, vec![ChangeState::Applied; done]);
            UndoForm::of(&bulk, &changes(&bulk).collect::<Vec<_>>()).map(|form| form.button)
        };
        let [active, paused] = [CampaignStatus::Active, CampaignStatus::Paused].map(BulkAction::Status);
        assert_eq!(button(paused, 2).as_deref(), Some("Undo: activate 2 campaigns again"));
        assert_eq!(button(active, 1).as_deref(), Some("Undo: pause 1 campaign again"));
        assert_eq!(button(BulkAction::Budgets, 3).as_deref(), Some("Undo: restore the budgets of 3 campaigns"));
        assert_eq!(button(BulkAction::UndoSet, 2).as_deref(), Some("Undo: restore 2 campaigns"));
        assert_eq!(button(paused, 0), None);
    }
}
