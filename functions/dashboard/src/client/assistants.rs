//! Assistants that people have connected.

use crate::client::session::SignedIn;
use crate::kit::assistant::AssistantView;
use shared::domain::{ApiKeyInfo, Assistant, KeyId};
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;

/// The assistants of the account.
pub(crate) async fn all(request: &WebRequest, person: &SignedIn) -> Result<Vec<Assistant>, Error> {
    request.app.store.assistants_of(person.customer(), &person.account.keys).await
}

/// The assistants of the account by their keys, for people.
pub(crate) async fn views(request: &WebRequest, person: &SignedIn) -> Result<HashMap<KeyId, AssistantView>, Error> {
    let assistants = all(request, person).await?;
    let view = |key: &ApiKeyInfo| {
        let known = assistants.iter().find(|one| one.key == key.id);
        (key.id.clone(), AssistantView::of(key, known, &person.people, request.now))
    };
    Ok(person.account.keys.all().iter().filter(|key| key.is_of_assistant).map(view).collect())
}

/// The assistant of a key; `None` for any other key.
pub(crate) async fn view(
    request: &WebRequest,
    person: &SignedIn,
    key: Option<&ApiKeyInfo>,
) -> Result<Option<AssistantView>, Error> {
    let Some(key) = key.filter(|key| key.is_of_assistant) else { return Ok(None) };
    let known = request.app.store.assistant(person.customer(), &key.id).await?;
    Ok(Some(AssistantView::of(key, known.as_ref(), &person.people, request.now)))
}
