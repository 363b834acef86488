//! Undoes a change: the button in its notice. It changes the campaign back only if nobody has changed it since.

use super::change::{back, is_in_list};
use super::many::undo_budgets;
use super::one;
use super::saved::Saved;
use super::sent::{Outcome, patch, told_wait};
use super::wire::OneCampaign;
use crate::client::api::{Api, Refusal};
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::form_fields::picked;
use jiff::Timestamp;
use shared::domain::{CampaignId, Change, ChangeState};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field with the id of the change.
const CHANGE_FIELD: &str = "change";
/// The field with the ids of the changes of many budgets, separated by commas.
pub(super) const CHANGES_FIELD: &str = "changes";
/// The fields with which the form comes back to its page.
const PAGE_FIELDS: [&str; 3] = ["id", "back", "list"];

/// The fields of the form that undoes a change of another form.
pub(super) fn undo_fields(change: &str, form: &[(String, String)]) -> Vec<(String, String)> {
    let page = picked(form, &PAGE_FIELDS);
    [(CHANGE_FIELD.to_owned(), change.to_owned())].into_iter().chain(page).collect()
}

/// What became of the undo of a change.
pub(super) enum Undone {
    /// It is undone: what was saved.
    Made(String),
    /// The campaign has the former values already.
    Already,
    /// The campaign's start is awaited.
    Waits(Timestamp),
    /// It is not known yet.
    Checking,
    /// The campaign has other values by now.
    ChangedSince,
    /// The change has no inverse.
    Impossible,
    Refused(Refusal),
}

/// Undoes the change of a form: cancels it if it still waits, and makes its inverse otherwise. Or undoes the changes of a
/// form that has changed many budgets.
pub(crate) async fn undo(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Some(changes) = value(&form, CHANGES_FIELD) {
        return undo_budgets(request, person, &form, changes).await;
    }
    let api = Api::new(request, person);
    let id = value(&form, CHANGE_FIELD).unwrap_or_default();
    let notice = match changes::one(&api, id).await {
        Ok(change) if change.state == ChangeState::Scheduled => match changes::cancel(&api, id).await {
            Ok(_) => Notice::success("Undone: the change is canceled, and nothing is sent to the platform."),
            Err(refusal) => Notice::failure(refusal, &[]),
        },
        Ok(change) => told(reverse(&api, &change, is_in_list(&form)).await?),
        Err(refusal) => Notice::failure(refusal, &[]),
    };
    Ok(notice.then(back(&form)))
}

/// Makes the inverse of a change, unless somebody has changed the campaign since.
pub(super) async fn reverse(api: &Api<'_>, change: &Change, is_in_list: bool) -> Result<Undone, Error> {
    let inverse = Saved::of(change).and_then(|saved| saved.undone());
    let id = change.campaign.as_ref().map(CampaignId::to_string);
    let (Some(inverse), Some(id)) = (inverse, id) else { return Ok(Undone::Impossible) };
    let campaign = match api.read::<OneCampaign>(&one::api_path(&id)).await {
        Ok(one) => one.data,
        Err(refusal) => return Ok(Undone::Refused(refusal)),
    };
    if inverse.holds_in(&campaign) {
        return Ok(Undone::Already);
    }
    if !inverse.is_ahead_of(&campaign) {
        return Ok(Undone::ChangedSince);
    }
    Ok(match patch(api, &id, &inverse.changes()).await {
        Ok(Outcome::Waits { at, .. }) => Undone::Waits(at),
        Ok(Outcome::Checking(_)) => Undone::Checking,
        Ok(Outcome::Made(_) | Outcome::Several | Outcome::Deleted) => Undone::Made(inverse.words(is_in_list)),
        Err(refusal) => Undone::Refused(refusal),
    })
}

fn told(undone: Undone) -> Notice {
    match undone {
        Undone::Made(saved) => Notice::success(format!("Undone. {saved}")),
        Undone::Already => Notice::success("It is undone already."),
        Undone::Waits(at) => Notice::success(told_wait(at, false)),
        Undone::Checking => refused("It is not known yet whether it is undone. Look at the campaign in a minute."),
        Undone::ChangedSince => {
            refused("Not undone: the campaign was changed since. Look at its values, and change them there.")
        }
        Undone::Impossible => refused("This cannot be undone here. Change the campaign on its page."),
        Undone::Refused(refusal) => Notice::failure(refusal, &[]),
    }
}

pub(super) fn refused(message: &str) -> Notice {
    Notice { message: message.to_owned(), ..Notice::default() }
}
