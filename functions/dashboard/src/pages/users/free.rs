//! Frees what counts of a campaign against the limit of a user.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{USER, of_user};
use crate::pages::kept_form::recent_first;
use shared::domain::CampaignId;
use shared::domain::spending::Spender;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Frees the campaign of a form. More may be added then, so the sign-in must be recent.
pub(crate) async fn free(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let user = users::required(&form)?;
    let page = of_user(USER, &user);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let campaign = value(&form, "campaign").and_then(CampaignId::parse).ok_or_else(|| Error::not_found("campaign"))?;
    let freed = request.app.store.free_contribution(person.customer(), &Spender::User(user), &campaign).await;
    Ok(match freed {
        Ok(true) => Notice::success("It does not count any more: as much may be added elsewhere for this user."),
        Ok(false) => Notice {
            message: "A change of the campaign is under way. Try again when it has its outcome.".to_owned(),
            ..Notice::default()
        },
        Err(error) => Notice::failure(Refusal::of(&error, request), &[]),
    }
    .then(page))
}
