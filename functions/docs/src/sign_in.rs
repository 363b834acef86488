//! What the program of an agents' host reads, and sends, before a person signs in: the metadata of the endpoint of agents (RFC
//! 9728) and of the sign-in (RFC 8414), and its own registration (RFC 7591). Their addresses come from the public address of
//! the service. Unknown query parameters are no error here, because hosts take any as "there is no sign-in".

use lambda_http::http::StatusCode;
use serde_json::{Value, json};
use shared::assistants::clients::{self, Registered, RegistrationRefusal};
use shared::domain::Scope;
use shared::envelope::{OAuthReply, Reply};
use shared::error::Error;
use shared::routes::{MCP, REGISTER};
use shared::serve::ApiRequest;

/// A program without a secret: PKCE protects its code.
const NO_SECRET: [&str; 1] = ["none"];
const GRANT_TYPES: [&str; 2] = ["authorization_code", "refresh_token"];

/// The metadata of the endpoint of agents. Both of its addresses name it as the resource.
pub(crate) fn resource(request: &ApiRequest) -> Result<Reply, Error> {
    Ok(Reply::Metadata(json!({
        "resource": request.public_url(MCP)?,
        "authorization_servers": [request.public_url("")?],
        "scopes_supported": [Scope::Campaigns.as_str()],
        "bearer_methods_supported": ["header"],
    })))
}

/// The metadata of the sign-in.
pub(crate) fn server(request: &ApiRequest) -> Result<Reply, Error> {
    Ok(Reply::Metadata(json!({
        "issuer": request.public_url("")?,
        "authorization_endpoint": request.public_url("/dashboard/connect")?,
        "token_endpoint": request.public_url("/v1/oauth2/token")?,
        "revocation_endpoint": request.public_url("/v1/oauth2/revoke")?,
        "registration_endpoint": request.public_url(REGISTER)?,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANT_TYPES,
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": NO_SECRET,
        "revocation_endpoint_auth_methods_supported": NO_SECRET,
        "scopes_supported": [Scope::Read.as_str(), Scope::Campaigns.as_str(), "offline_access"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    })))
}

/// Registers a program. Its id is the registration itself, so nothing is stored.
pub(crate) fn register(request: &ApiRequest) -> Reply {
    let registered = match request.json_body() {
        Ok(body) => clients::register(body),
        Err(error) => return Reply::OAuth(OAuthReply::refusal("invalid_client_metadata", &error.message.to_string())),
    };
    Reply::OAuth(match registered {
        Ok(registered) => OAuthReply { status: StatusCode::CREATED, body: registration(&registered) },
        Err(refusal) => refused(&refusal),
    })
}

/// What a program was registered as, whatever it asked for.
fn registration(Registered { client_id, name, redirect_uris }: &Registered) -> Value {
    json!({
        "client_id": client_id,
        "client_name": name,
        "redirect_uris": redirect_uris,
        "token_endpoint_auth_method": NO_SECRET[0],
        "grant_types": GRANT_TYPES,
        "response_types": ["code"],
    })
}

fn refused(refusal: &RegistrationRefusal) -> OAuthReply {
    OAuthReply::refusal(refusal.code(), refusal.description())
}
