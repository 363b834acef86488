//! Cancels a change that waits for its time.

use super::filter::Filter;
use crate::client::api::Api;
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Cancels the change of a form, and leads back to its page: the activity, or the page of a campaign.
pub(crate) async fn cancel(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let canceled = changes::cancel(&Api::new(request, person), value(&form, "id").unwrap_or_default()).await;
    let page = value(&form, "campaign").map_or_else(|| Filter::of_form(&form).path(), addresses::campaign);
    Ok(match canceled {
        Ok(None) => Notice::success("The change is canceled: nothing more is sent to the platform for it."),
        Ok(Some(effect)) => Notice::success(format!("The change is canceled. {effect}")),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(page))
}
