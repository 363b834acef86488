//! Assistants that people have connected.

use crate::client::session::SignedIn;
use shared::domain::Assistant;
use shared::error::Error;
use shared::serve::WebRequest;

/// The assistants of the account. Without a key of one there is none to read.
pub(crate) async fn all(request: &WebRequest, person: &SignedIn) -> Result<Vec<Assistant>, Error> {
    if person.account.keys.all().iter().any(|key| key.is_of_assistant) {
        return request.app.store.assistants(person.customer()).await;
    }
    Ok(Vec::new())
}
