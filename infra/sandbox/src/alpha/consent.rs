//! Google's authorization endpoint and its consent page.
//!
//! Google Identity: Using OAuth 2.0 for Web Server Applications, steps 1 to 4.

use super::auth::SCOPE;
use super::state::{Alpha, CLIENT, TITLE};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{
    AuthorizationRequest, Decision, PageError, describe_scopes, is_challenge, is_redirect_uri, random_token,
    with_parameters,
};
use crate::platform::AdPlatform as _;
use crate::service::RequestContext;

/// Lifetime of an authorization code, in seconds.
const CODE_TTL_S: i64 = 600;

/// Issuer identifier of the authorization server (RFC 9207).
const ISSUER: &str = "https://accounts.google.com";

/// The known scopes, with their descriptions.
const SCOPES: &[(&str, &str)] = &[
    (SCOPE, "Read and change your ad accounts, campaigns and budgets"),
    ("openid", "Know who you are"),
    ("email", "See your email address"),
    ("profile", "See your name"),
    ("https://www.googleapis.com/auth/userinfo.email", "See your email address"),
    ("https://www.googleapis.com/auth/userinfo.profile", "See your name"),
];

const PARAMETERS: &[&str] = &[
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "access_type",
    "prompt",
    "code_challenge",
    "code_challenge_method",
];

/// An authorization request with Google's own parameters.
struct GoogleRequest {
    authorization: AuthorizationRequest,
    /// `access_type=offline`.
    offline: bool,
    /// `prompt=consent`: ask for consent even if it was given before.
    prompt_consent: bool,
}

fn invalid(error: &'static str, message: impl Into<String>) -> PageError {
    PageError { error: Some(error), ..PageError::new(400, message) }
}

fn invalid_request(message: impl Into<String>) -> PageError {
    invalid("invalid_request", message)
}

/// Shows the consent page or takes its form.
pub(crate) fn handle(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Response {
    serve(alpha, request, context).unwrap_or_else(|error| error.page("Access blocked: authorization error (sandbox)"))
}

fn serve(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Result<Response, PageError> {
    let google = parse(&request.query)?;
    let accounts = alpha.accounts();
    let decision = Decision::read(request, &accounts);
    let decision = decision.map_err(|error| PageError { error: Some("invalid_request"), ..error })?;
    Ok(match decision {
        Decision::Pending => {
            let scopes = describe_scopes(&google.authorization.scopes, SCOPES);
            google.authorization.consent_page(TITLE, scopes, accounts)
        }
        Decision::Denied => google.authorization.redirect(&[("error", "access_denied")]),
        Decision::Approved(accounts) => approve(alpha, google, accounts, context.now.as_second()),
    })
}

fn parse(query: &str) -> Result<GoogleRequest, PageError> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(invalid_request(format!("OAuth 2 parameters can only have a single value: {name}")));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| invalid_request(format!("Required parameter is missing: {name}")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(PageError { status: 401, ..invalid("invalid_client", "The OAuth client was not found.") });
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let message = format!("{redirect_uri} is not registered: https, or http on this machine");
        return Err(invalid("redirect_uri_mismatch", message));
    }
    if required("response_type")? != "code" {
        return Err(invalid("unsupported_response_type", "The sandbox supports response_type code only."));
    }
    let prompt_consent = prompts(&query)?.contains(&"consent");
    let authorization = AuthorizationRequest {
        client_id: CLIENT.id,
        redirect_uri,
        state: query.get("state").map(str::to_owned),
        scopes: scopes(&required("scope")?)?,
        challenge: challenge(&query)?,
        refreshable: false,
    };
    Ok(GoogleRequest { authorization, offline: offline(&query)?, prompt_consent })
}

fn prompts(query: &Pairs) -> Result<Vec<&str>, PageError> {
    let prompts: Vec<&str> = query.get("prompt").unwrap_or_default().split_whitespace().collect();
    match prompts.iter().find(|prompt| !matches!(**prompt, "consent" | "select_account")) {
        Some(unknown) => Err(invalid_request(format!("Invalid parameter value for prompt: {unknown}"))),
        None => Ok(prompts),
    }
}

fn scopes(text: &str) -> Result<Vec<String>, PageError> {
    let is_known = |scope: &str| SCOPES.iter().any(|(name, _)| *name == scope);
    if let Some(unknown) = text.split(' ').find(|scope| !is_known(scope)) {
        return Err(invalid("invalid_scope", format!("Some requested scopes were invalid: {unknown}")));
    }
    Ok(text.split(' ').map(str::to_owned).collect())
}

fn offline(query: &Pairs) -> Result<bool, PageError> {
    match query.get("access_type") {
        None | Some("online") => Ok(false),
        Some("offline") => Ok(true),
        Some(other) => Err(invalid_request(format!("Invalid parameter value for access_type: {other}"))),
    }
}

/// Reads the PKCE challenge. The sandbox supports S256 only: a plain challenge is no protection against anyone who
/// reads the request.
fn challenge(query: &Pairs) -> Result<Option<String>, PageError> {
    match (query.get("code_challenge"), query.get("code_challenge_method")) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(invalid_request("code_challenge_method without code_challenge")),
        (Some(_), None | Some("plain")) => Err(invalid_request("the sandbox supports code_challenge_method S256 only")),
        (Some(challenge), Some("S256")) if is_challenge(challenge) => Ok(Some(challenge.to_owned())),
        (Some(_), Some("S256")) => Err(invalid_request("code_challenge is not an S256 challenge")),
        (Some(_), Some(_)) => Err(invalid_request("unknown code_challenge_method")),
    }
}

fn approve(alpha: &mut Alpha, google: GoogleRequest, accounts: Vec<String>, now: i64) -> Response {
    let GoogleRequest { mut authorization, offline, prompt_consent } = google;
    // Google issues a refresh token with the first consent, and later only for `prompt=consent`.
    authorization.refreshable = offline && (prompt_consent || !alpha.grants.has_refresh_token(CLIENT.id));
    let scope = authorization.scopes.join(" ");
    let code = format!("4/0A{}", random_token());
    let mut parameters: Vec<(&str, &str)> = Vec::new();
    parameters.extend(authorization.state.as_deref().map(|state| ("state", state)));
    parameters.extend([("iss", ISSUER), ("code", code.as_str()), ("scope", scope.as_str())]);
    let response = Response::redirect(&with_parameters(&authorization.redirect_uri, &parameters));
    alpha.grants.add_code(&code, authorization.into_consent(accounts), now + CODE_TTL_S);
    response
}
