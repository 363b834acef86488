//! Approves a change: the decision is that of the approvals, and what it has made and its undo are those of campaigns.

use crate::client::session::SignedIn;
use crate::pages::{approvals, campaigns};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Approves the change of a form, and leads back to its page with a button that undoes it.
pub(crate) async fn approve(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    approvals::approve(request, person, campaigns::made).await
}
