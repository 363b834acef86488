//! Sign-out: ends the session at once, or all sessions of the person.

use super::return_to;
use crate::client::session;
use crate::kit::addresses::SIGN_IN;
use crate::kit::text::path_segment;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Handles the form. Its field `sessions` is `all`, or missing for this session only; `return_to` is the page that comes after
/// the next sign-in.
pub(crate) async fn sign_out(request: &WebRequest) -> Result<WebReply, Error> {
    let form = request.form()?;
    let to = match value(&form, "return_to") {
        Some(page) => format!("{SIGN_IN}?return_to={}", path_segment(return_to::parse(Some(page)))),
        None => SIGN_IN.to_owned(),
    };
    let signed_out = WebReply::see_other(to).with_cookie(session::removed_cookie());
    let Some(token) = session::token(request) else { return Ok(signed_out) };
    let store = &request.app.store;
    let customer = token.customer();
    let now = request.now;
    // Read directly: people of a disabled account may sign out, too.
    let Some((_, session)) = store.session(customer, &token.hash(), now).await? else { return Ok(signed_out) };
    if value(&form, "sessions") == Some("all") {
        store.end_sessions(customer, Some(&session.person), now).await?;
    }
    store.delete_session(customer, &session.hash).await?;
    Ok(signed_out)
}
