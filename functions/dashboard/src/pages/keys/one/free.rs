//! Takes out of the count of a key what it has added to a campaign.

use crate::client::api::Refusal;
use crate::client::keys::{limited_key, no_limit};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::one_key;
use crate::pages::kept_form::recent_first;
use shared::domain::spending::Spender;
use shared::domain::{CampaignId, KeyId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Takes out of the count what a key has added to the campaign of a form.
pub(crate) async fn free(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key: KeyId = limited_key(person, &form)?.id.clone();
    let page = one_key(&key.0);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let campaign = value(&form, "campaign").and_then(CampaignId::parse).ok_or_else(no_limit)?;
    let freed = request.app.store.free_contribution(person.customer(), &Spender::Key(key), &campaign).await;
    Ok(match freed {
        Ok(true) => Notice::success("The campaign does not count any more: as much may be added elsewhere."),
        Ok(false) => Notice {
            message: "A change of the campaign is under way. Try again when it has its outcome.".to_owned(),
            ..Notice::default()
        },
        Err(error) => Notice::failure(Refusal::of(&error, request), &[]),
    }
    .then(page))
}
