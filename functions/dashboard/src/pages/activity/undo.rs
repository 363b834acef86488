//! Undoes a change of a row.

use super::filter::Filter;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::pages::campaigns;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Undoes the change of a form, and leads back to its page: the activity, or the page of a campaign.
pub(crate) async fn undo(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = value(&form, "campaign").map_or_else(|| Filter::of_form(&form).path(), addresses::campaign);
    Ok(campaigns::undone(request, person, &form, false).await.then(page))
}
