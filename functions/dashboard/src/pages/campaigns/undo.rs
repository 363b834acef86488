//! Undoes a change, or a bulk change of budgets: the button in its notice. The API changes a campaign back only if nobody
//! has changed it since.

use super::bulk::undo_budgets;
use super::filter::Filter;
use super::form_page;
use super::saved_notice::{SavedFields, waiting_words};
use crate::client::api::{Api, Refusal};
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::BACK;
use crate::kit::form_fields::pick;
use crate::kit::text::isolated;
use shared::domain::{Action, BulkId, Change, ChangeId, ChangeState, Reason};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field with the id of the change.
const CHANGE_FIELD: &str = "change";
/// The field with the id of a bulk change of budgets.
const BULK_FIELD: &str = "bulk";
/// The fields with which the form comes back to its page.
const PAGE_FIELDS: [&str; 3] = ["id", "back", "list"];

/// Undoes the change of a form, or the bulk change of budgets.
pub(crate) async fn undo(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Some(bulk) = value(&form, BULK_FIELD) {
        return Ok(undo_budgets(request, person, &form, bulk).await);
    }
    let notice = undone(request, person, &form, form_page::is_in_list(&form)).await;
    Ok(notice.then(form_page::path(&form)))
}

/// Undoes the change of a form; the notice says what became of it. `is_in_list` says that the page shows the campaign.
pub(crate) async fn undone(
    request: &WebRequest,
    person: &SignedIn,
    form: &[(String, String)],
    is_in_list: bool,
) -> Notice {
    let api = Api::new(request, person);
    match changes::one(&api, value(form, CHANGE_FIELD).unwrap_or_default()).await {
        Ok(change) => undo_change(&api, &change, is_in_list).await,
        Err(refusal) => Notice::failure(refusal, &[]),
    }
}

async fn undo_change(api: &Api<'_>, change: &Change, is_in_list: bool) -> Notice {
    let is_canceled = matches!(change.state, ChangeState::Canceled(_));
    let has_ended = !change.is_open() && change.state != ChangeState::Sending;
    if has_ended && !is_canceled && change.inverse().is_none() {
        return refused("This cannot be undone here. Change the campaign on its page.");
    }
    match changes::undo(api, change.id).await {
        Ok(undoing) => undo_notice(change, &undoing, is_in_list),
        Err(refusal) => not_undone(refusal, change),
    }
}

fn undo_notice(change: &Change, undoing: &Change, is_in_list: bool) -> Notice {
    match (&undoing.state, undoing.apply_at) {
        (ChangeState::Canceled(_), _) => {
            Notice::success("Undone: the change is canceled, and nothing is sent to the platform.")
        }
        (ChangeState::Scheduled, Some(at)) => Notice::success(waiting_words(at, false)),
        _ if undoing.id == change.id => Notice::success("It is undone already."),
        _ => {
            let saved = SavedFields::of(undoing).map(|saved| format!(" {}", saved.words(is_in_list)));
            Notice::success(format!("Undone.{}", saved.unwrap_or_default()))
        }
    }
}

fn not_undone(refusal: Refusal, change: &Change) -> Notice {
    match refusal.status {
        409 if refusal.reason == Some(Reason::ChangedMeanwhile) && change.inverse().is_some() => {
            refused("Not undone: the campaign was changed since. Look at its values, and change them there.")
        }
        502 | 504 => refused("It is not known yet whether it is undone. Look at the campaign in a minute."),
        _ => Notice::failure(refusal, &[]),
    }
}

fn refused(message: &str) -> Notice {
    Notice { message: message.to_owned(), ..Notice::default() }
}

/// What a change that a person has approved has made, and the fields that undo it and lead to the page of its campaign; no
/// fields where nothing undoes it.
pub(crate) fn made(change: &Change) -> (Option<String>, Vec<(String, String)>) {
    let has_inverse = change.inverse().is_some();
    let words = match &change.action {
        Action::Create(new) if change.state == ChangeState::Applied => {
            let name = isolated(&new.draft.name);
            Some(format!("Created {name}, paused: it spends nothing until somebody activates it."))
        }
        _ => SavedFields::of(change).map(|saved| saved.words(true)),
    };
    let undo = if has_inverse && change.activates() { " Undo pauses it again." } else { "" };
    let page = change.campaign.as_ref().filter(|_| has_inverse || change.state == ChangeState::Scheduled);
    let page = page.map(|id| [("id".to_owned(), id.to_string()), (BACK.to_owned(), "one".to_owned())]);
    let fields = page.map(|page| fields_for_change(change.id, &page)).unwrap_or_default();
    (words.map(|words| format!("{words}{undo}")), fields)
}

/// The fields that undo a change of another form.
pub(super) fn fields_for_change(change: ChangeId, form: &[(String, String)]) -> Vec<(String, String)> {
    let page = pick(form, &PAGE_FIELDS);
    [(CHANGE_FIELD.to_owned(), change.to_string())].into_iter().chain(page).collect()
}

/// The fields that undo a bulk change of budgets, and lead back to a list.
pub(super) fn fields_for_bulk(bulk: BulkId, list: &Filter) -> Vec<(String, String)> {
    vec![(BULK_FIELD.to_owned(), bulk.to_string()), ("list".to_owned(), list.list())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::{create, draft, update, values};
    use shared::domain::{CampaignChanges, CampaignStatus, CampaignValues};

    #[test]
    fn an_approved_change_says_what_it_has_made_and_how_it_is_undone() {
        let (paused, active) =
            (values("Spring"), CampaignValues { status: CampaignStatus::Active, ..values("Spring") });
        let activated = Change {
            state: ChangeState::Applied,
            before: Some(paused),
            after: Some(active),
            ..update(CampaignChanges::of_status(CampaignStatus::Active))
        };
        let (words, undo) = made(&activated);
        let told = "Activated “\u{2068}Spring\u{2069}”: its platform may spend 50.00 USD a day. Undo pauses it again.";
        assert_eq!(words.as_deref(), Some(told));
        let of = |name: &str| value(&undo, name).map(str::to_owned);
        assert_eq!((of("id").as_deref(), of("back").as_deref()), (Some("alpha_1_2"), Some("one")));
        assert_eq!(of("change"), Some(activated.id.to_string()));
        let created = Change { state: ChangeState::Applied, ..create(draft("Autumn")) };
        let (words, undo) = made(&created);
        assert!(words.is_some_and(|words| words.contains("paused: it spends nothing")) && undo.is_empty());
        let failed = Change { state: ChangeState::Sending, ..update(CampaignChanges::default()) };
        assert_eq!(made(&failed), (None, Vec::new()));
    }

    #[test]
    fn a_conflict_says_what_it_is_about() {
        let renamed = CampaignChanges { name: Some("Summer".to_owned()), ..CampaignChanges::default() };
        let change = Change {
            state: ChangeState::Applied,
            before: Some(values("Spring")),
            after: Some(values("Summer")),
            ..update(renamed)
        };
        assert!(change.inverse().is_some());
        let message = |reason| {
            let message = "It is being changed now.".to_owned();
            let refusal = Refusal { status: 409, message, details: Vec::new(), reason, request_id: "r".to_owned() };
            not_undone(refusal, &change).message
        };
        assert!(message(Some(Reason::ChangedMeanwhile)).starts_with("Not undone: the campaign was changed since."));
        for reason in [Some(Reason::StateConflict), None] {
            assert_eq!(message(reason), "It is being changed now.");
        }
    }
}
