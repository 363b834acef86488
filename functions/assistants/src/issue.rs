//! Tokens, and the answer with them.

use http::StatusCode;
use secrecy::ExposeSecret;
use serde_json::json;
use shared::auth::{ACCESS_LIFETIME, AccessToken, RefreshToken, TokenOwner};
use shared::domain::Assistant;
use shared::envelope::OAuthReply;
use shared::error::Error;
use shared::serve::ApiRequest;

/// Makes the tokens of an assistant with the mark that its key has now.
pub(crate) async fn issue(
    request: &ApiRequest,
    owner: TokenOwner,
    assistant: &Assistant,
    mark: &str,
) -> Result<OAuthReply, Error> {
    let vault = request.app.vault()?;
    let (key, mark) = (assistant.key.clone(), mark.to_owned());
    let expires_at = request.now + ACCESS_LIFETIME;
    let access = AccessToken { owner, key: key.clone(), mark: mark.clone(), expires_at }.seal(vault).await?;
    let refresh = RefreshToken { owner, key, mark, generation: assistant.generation }.seal(vault).await?;
    let body = json!({
        "access_token": access.expose_secret(),
        "token_type": "Bearer",
        "expires_in": ACCESS_LIFETIME.as_secs(),
        "refresh_token": refresh.expose_secret(),
        "scope": assistant.scope.as_str(),
    });
    Ok(OAuthReply { status: StatusCode::OK, body })
}
