//! The answer to a form that begins a bulk change.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::kit::addresses;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::text::path_segment;
use crate::pages::campaigns::filter::Filter;
use shared::domain::BulkId;
use shared::envelope::WebReply;

/// Leads to the page that shows how far the change is. After a failure or during an earlier request it may have begun:
/// the same form continues it.
pub(in super::super) fn reply_started(
    started: Result<BulkId, Refusal>,
    key: &str,
    back: String,
    list: &Filter,
) -> WebReply {
    match started {
        Ok(bulk) => WebReply::see_other(status_page(&bulk.to_string(), list)),
        Err(refusal) => reply_refused(refusal, key, back),
    }
}

/// The page that shows how far a bulk change is, and leads back to a list.
pub(in super::super) fn status_page(bulk: &str, list: &Filter) -> String {
    let page = addresses::bulk_status(bulk);
    let list = list.list();
    if list.is_empty() { page } else { format!("{page}&list={}", path_segment(&list)) }
}

/// Leads back to the form.
pub(in super::super) fn reply_refused(refusal: Refusal, key: &str, back: String) -> WebReply {
    let may_have_begun = refusal.status >= 500 || refusal.status == 409;
    let kept = [(KEY_FIELD.to_owned(), key.to_owned())];
    Notice::failure(refusal, if may_have_begun { &kept } else { &[] }).then(back)
}
