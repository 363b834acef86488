//! A person signs out an assistant.

use crate::client::keys::{limited_key, no_limit};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, one_key};
use crate::kit::key_stop::goes_on;
use crate::kit::text::isolated;
use shared::assistants;
use shared::domain::SignOutReason;
use shared::domain::spending::Spender;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Ends all tokens of an assistant. What it runs goes on, and its limit stays for another sign-in.
pub(crate) async fn sign_out(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = limited_key(person, &form)?;
    let (store, customer, now) = (&request.app.store, person.customer(), request.now);
    let assistant = store.assistant(customer, &key.id).await?.ok_or_else(no_limit)?;
    let (keys, why) = (&person.account.keys, SignOutReason::ByPerson);
    assistants::sign_out(store, customer, &assistant, keys, why, now).await?;
    let spending = store.spending(customer, &Spender::Key(key.id.clone())).await?;
    let runs = spending.as_ref().map(goes_on).unwrap_or_default();
    let message = format!(
        "{} is signed out: it sees and changes nothing from now on. {runs} Stop it to end that, too, or connect it again.",
        isolated(&key.name)
    );
    let is_of_key = value(&form, "back") == Some("key");
    Ok(Notice::success(message).then(if is_of_key { one_key(&key.id.0) } else { AGENTS.to_owned() }))
}
