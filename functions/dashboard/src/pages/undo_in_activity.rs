//! Undoes a change of a row of the activity: the undo is that of campaigns, and the page that of the activity.

use crate::client::session::SignedIn;
use crate::pages::{activity, campaigns};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Undoes the change of a form, and leads back to its page: the activity, or the page of a campaign.
pub(crate) async fn undo(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(campaigns::undone(request, person, &form, false).await.then(activity::page_of(&form)))
}
