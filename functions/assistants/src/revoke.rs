//! `revokeToken`: an assistant signs itself out (RFC 7009).

use crate::form::Form;
use crate::refusal::{Failure, answered};
use crate::seen::Seen;
use http::StatusCode;
use serde_json::json;
use shared::assistants::sign_out;
use shared::auth::IssuedToken;
use shared::domain::{ClientKey, SignOutReason};
use shared::envelope::{OAuthReply, Reply};
use shared::error::Error;
use shared::serve::ApiRequest;

/// Signs out the assistant of a token, with all its tokens. The answer is 200 for anything, so that it tells nothing of a
/// token that was made up.
pub(crate) async fn revoke(request: &ApiRequest) -> Result<Reply, Error> {
    answered(revoked(request).await)
}

async fn revoked(request: &ApiRequest) -> Result<OAuthReply, Failure> {
    let form = Form::of(request)?;
    let token = IssuedToken::open(request.app.vault()?, form.require("token")?).await?;
    if let Some(token) = token {
        let client = form.get("client_id").map(ClientKey::of);
        match end(request, &token, client.as_ref()).await {
            Ok(()) | Err(Failure::Refused(_)) => {}
            Err(failed) => return Err(failed),
        }
    }
    Ok(OAuthReply { status: StatusCode::OK, body: json!({}) })
}

/// Ends a token, unless it has ended already, or another client sends it.
async fn end(request: &ApiRequest, token: &IssuedToken, client: Option<&ClientKey>) -> Result<(), Failure> {
    let (owner, key, mark) = token.parts();
    let seen = Seen::read(request, owner.customer, key).await?;
    if let Some(client) = client {
        seen.check_client(client)?;
    }
    if seen.has_mark(mark) {
        let (store, keys, why) = (&request.app.store, &seen.account.keys, SignOutReason::Revoked);
        sign_out(store, owner.customer, &seen.assistant, keys, why, request.now).await?;
    }
    Ok(())
}
