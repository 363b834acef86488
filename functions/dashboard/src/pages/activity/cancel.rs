//! Cancels a change that waits for its time.

use super::filter::Filter;
use crate::client::api::Api;
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use shared::domain::Change;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Cancels the change of a form, and leads back to its page: the activity, or that of a campaign or of a bulk change.
pub(crate) async fn cancel(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let canceled = changes::cancel(&Api::new(request, person), value(&form, "id").unwrap_or_default()).await;
    Ok(match canceled {
        Ok(change) => Notice::success(words(&change)),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(page_of(&form)))
}

/// The page of a form in a row: the activity with its filter, or the page of a campaign or of a bulk change.
pub(crate) fn page_of(form: &[(String, String)]) -> String {
    if let Some(bulk) = value(form, addresses::OF_BULK) {
        return addresses::bulk_of_list(bulk, value(form, "list").unwrap_or_default());
    }
    value(form, "campaign").map_or_else(|| Filter::of_form(form).path(), addresses::campaign)
}

/// What was canceled, and what else that does.
fn words(change: &Change) -> String {
    match change.state.error() {
        Some(effect) => format!("The change is canceled. {}", effect.message),
        None => "The change is canceled: nothing more is sent to the platform for it.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::envelope::query::pairs;

    #[test]
    fn a_form_leads_back_to_the_page_of_its_bulk_change() {
        let page = |form: &str| page_of(&pairs(Some(form)));
        assert_eq!(page("id=c&of=blk_1"), addresses::bulk_status("blk_1"));
        let of_list = format!("{}&list=status%3DPAUSED", addresses::bulk_status("blk_1"));
        assert_eq!(page("id=c&of=blk_1&list=status%3DPAUSED"), of_list);
        assert_eq!(page("id=c&campaign=alpha_1_2"), addresses::campaign("alpha_1_2"));
    }
}
