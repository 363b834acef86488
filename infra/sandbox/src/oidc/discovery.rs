//! The issuer's metadata: Discovery 1.0, section 3.

use super::issuer;
use crate::http::{Request, Response};
use serde_json::json;

pub(super) fn handle(request: &Request) -> Response {
    let issuer = issuer(request);
    let body = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "scopes_supported": ["openid", "email"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "claims_supported": ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "email", "email_verified"],
        "code_challenge_methods_supported": ["S256"],
        // RFC 9207: the redirect names the issuer.
        "authorization_response_iss_parameter_supported": true,
    });
    Response::json(200, &body)
}
