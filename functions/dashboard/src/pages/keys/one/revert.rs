//! Reverts what a key did: gives the ticked campaigns the values back that they had before it, by one bulk change (D175).
//! The same form stops the key first, if the person wants both.

use super::since::Since;
use super::stop_and_revert::stop_and_revert;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{bulk_status, sign_in_again};
use crate::kit::campaign::campaign_count;
use crate::kit::campaign_forms::KEY_FIELD;
use shared::domain::KeyId;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field with the changes of a ticked campaign.
const CHANGES_FIELD: &str = "changes";
/// The button that stops the key first.
const STOP_FIELD: &str = "stop";

/// A revert that a person has asked for.
pub(super) struct Asked<'a> {
    pub(super) api: Api<'a>,
    pub(super) key: KeyId,
    pub(super) since: Since,
    /// The changes of the ticked campaigns.
    pub(super) ids: Vec<String>,
    /// Makes a double click or a reload revert once.
    pub(super) form_key: &'a str,
    pub(super) page: String,
}

/// Reverts the ticked campaigns of a form, once for its idempotency key.
pub(crate) async fn revert(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let since = Since::of(&form, false);
    let page = since.page(&key.0);
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let ticked = form.iter().filter(|(name, _)| name == CHANGES_FIELD);
    let ids: Vec<String> = ticked.flat_map(|(_, ids)| ids.split(',')).map(str::to_owned).collect();
    let form_key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    let Some(form_key) = form_key.filter(|_| !ids.is_empty()) else {
        let message = "Nothing is done: tick at least one campaign.".to_owned();
        return Ok(Notice { message, ..Notice::default() }.then(page));
    };
    let asked = Asked { api: Api::new(request, person), key, since, ids, form_key, page };
    if value(&form, STOP_FIELD).is_some() {
        return Ok(stop_and_revert(request, person, asked).await);
    }
    Ok(match campaigns::undo_set(&asked.api, &asked.ids, form_key).await {
        Ok(started) if started.refused.is_empty() => WebReply::see_other(bulk_status(&started.bulk.to_string())),
        Ok(started) => {
            let stay = campaign_count(started.refused.len());
            let message = format!("{stay} cannot be reverted any more. Look at what was changed since.");
            Notice::part(message).then(bulk_status(&started.bulk.to_string()))
        }
        Err(refusal) => not_reverted(refusal, form_key).then(asked.page),
    })
}

/// What is said of a revert that has not begun.
pub(super) fn not_reverted(refusal: Refusal, form_key: &str) -> Notice {
    // It may have begun: the same form continues it.
    let may_have_begun = refusal.status >= 500 || refusal.status == 409;
    let kept = [(KEY_FIELD.to_owned(), form_key.to_owned())];
    Notice::failure(refusal, if may_have_begun { &kept } else { &[] })
}
