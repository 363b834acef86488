//! The token endpoints of assistants, as OAuth 2.1 has them for public clients: a code of a consent or a refresh token leads
//! to tokens (RFC 6749, RFC 7636), and a token signs out its assistant (RFC 7009). The seal of the
//! vault proves a code or a token, which costs no read of the table; there is no password and no key.

mod code;
mod form;
mod issue;
mod pkce;
mod refresh;
mod refusal;
mod revoke;
mod seen;
mod token;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{AssistantsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, IncomingRequest, serve_public};
use std::sync::Arc;

/// The function opens and seals tokens, and calls no platform.
pub const SECRETS: SecretAccess = SecretAccess::TOKEN_KEYS;

/// Attempts against other writers of the same record.
const ATTEMPTS: u64 = 8;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::Assistants(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        AssistantsEndpoint::CreateToken => serve_public(incoming, token::create).await,
        AssistantsEndpoint::RevokeToken => serve_public(incoming, revoke::revoke).await,
    }
}
