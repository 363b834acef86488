//! A form that waits 15 minutes for the page of its preview.
//!
//! The form is not in the address: a link of another site cannot fill it in, and the browser's history does not keep
//! it. It outlives the first look at the page, so a reload shows the preview again.

use crate::client::cookie_values::Kind;
use crate::client::session::SignedIn;
use shared::envelope::WebReply;
use shared::serve::WebRequest;

/// Leads to a page that finds the form; `None` if the form is too long for a cookie.
pub(crate) fn leave(values: &[(String, String)], page: &str) -> Option<WebReply> {
    Kind::PreviewForm.value(&values).map(|value| WebReply::see_other(page).with_unsealed(value))
}

/// Adds the form to a reply, unless the form is too long for a cookie.
pub(crate) fn leave_with(reply: WebReply, values: &[(String, String)]) -> WebReply {
    Kind::PreviewForm.leave(reply, &values)
}

/// The form that waits for this person.
pub(crate) fn find(request: &WebRequest, person: &SignedIn) -> Option<Vec<(String, String)>> {
    person.cookie_values.find(Kind::PreviewForm, request.now)
}
