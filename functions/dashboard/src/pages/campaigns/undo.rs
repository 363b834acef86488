//! Undoes a change: the button in its notice. It changes the campaign back only if nobody has changed it since.

use super::change::{back, is_in_list};
use super::one;
use super::saved::Saved;
use super::sent::{Outcome, patch, told_wait};
use super::wire::OneCampaign;
use crate::api::{Api, Refusal};
use crate::changes::{self, Change};
use crate::form_fields::picked;
use crate::notice::Notice;
use crate::session::SignedIn;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field with the id of the change.
const CHANGE_FIELD: &str = "change";
/// The fields with which the form comes back to its page.
const PAGE_FIELDS: [&str; 3] = ["id", "back", "list"];

/// The fields of the form that undoes a change of another form.
pub(super) fn undo_fields(change: &str, form: &[(String, String)]) -> Vec<(String, String)> {
    let page = picked(form, &PAGE_FIELDS);
    [(CHANGE_FIELD.to_owned(), change.to_owned())].into_iter().chain(page).collect()
}

/// Undoes the change of a form: cancels it if it still waits, and makes its inverse otherwise.
pub(crate) async fn undo(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let api = Api::new(request, person);
    let id = value(&form, CHANGE_FIELD).unwrap_or_default();
    let notice = match changes::one(&api, id).await {
        Ok(change) if change.state == "scheduled" => match changes::cancel(&api, id).await {
            Ok(()) => Notice::success("Undone: the change is canceled, and nothing is sent to the platform."),
            Err(refusal) => Notice::failure(refusal, &[]),
        },
        Ok(change) => {
            reverse(&api, &change, is_in_list(&form)).await?.unwrap_or_else(|refusal| Notice::failure(refusal, &[]))
        }
        Err(refusal) => Notice::failure(refusal, &[]),
    };
    Ok(notice.then(back(&form)))
}

async fn reverse(api: &Api<'_>, change: &Change, is_in_list: bool) -> Result<Result<Notice, Refusal>, Error> {
    let inverse = Saved::of(change).and_then(|saved| saved.undone());
    let (Some(inverse), Some(id)) = (inverse, &change.campaign_id) else {
        return Ok(Ok(refused("This cannot be undone here. Change the campaign on its page.")));
    };
    let campaign = match api.read::<OneCampaign>(&one::api_path(id)).await {
        Ok(one) => one.data,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if inverse.holds_in(&campaign) {
        return Ok(Ok(Notice::success("It is undone already.")));
    }
    if !inverse.is_ahead_of(&campaign) {
        return Ok(Ok(refused(
            "Not undone: the campaign was changed since. Look at its values, and change them there.",
        )));
    }
    let body = serde_json::to_string(&inverse.changes()).map_err(Error::internal)?;
    Ok(patch(api, id, body).await.map(|outcome| match outcome {
        Outcome::Waits { at, .. } => Notice::success(told_wait(at, false)),
        Outcome::Checking(_) => refused("It is not known yet whether it is undone. Look at the campaign in a minute."),
        _ => Notice::success(format!("Undone. {}", inverse.words(is_in_list))),
    }))
}

fn refused(message: &str) -> Notice {
    Notice { message: message.to_owned(), ..Notice::default() }
}
