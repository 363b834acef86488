//! Undoes a change: the button in its notice. It changes the campaign back only if nobody has changed it since.

use super::form_page;
use super::many::undo_budgets;
use super::reversal::{Undone, reverse};
use super::saved::waits;
use super::undo_form::{CHANGE_FIELD, CHANGES_FIELD};
use crate::client::api::Api;
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use shared::domain::ChangeState;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

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
        Ok(change) => told(reverse(&api, &change, form_page::is_in_list(&form)).await),
        Err(refusal) => Notice::failure(refusal, &[]),
    };
    Ok(notice.then(form_page::path(&form)))
}

fn told(undone: Undone) -> Notice {
    match undone {
        Undone::Made(saved) => Notice::success(format!("Undone. {saved}")),
        Undone::Already => Notice::success("It is undone already."),
        Undone::Waits(at) => Notice::success(waits(at, false)),
        Undone::Checking => refused("It is not known yet whether it is undone. Look at the campaign in a minute."),
        Undone::ChangedSince => {
            refused("Not undone: the campaign was changed since. Look at its values, and change them there.")
        }
        Undone::Impossible => refused("This cannot be undone here. Change the campaign on its page."),
        Undone::Refused(refusal) => Notice::failure(refusal, &[]),
    }
}

fn refused(message: &str) -> Notice {
    Notice { message: message.to_owned(), ..Notice::default() }
}
