//! The authorization endpoint and its consent page.
//!
//! Google Identity: Using OAuth 2.0 for Web Server Applications, steps 1 to 4.

use super::auth::SCOPE;
use super::state::{Alpha, CLIENT, TITLE};
use crate::html;
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{self, Client, Step, words};
use crate::oauth::consent_page::{ConsentPage, ErrorPage, consent_page};
use crate::oauth::{self, Consent, is_challenge, is_redirect_uri, redirect_with};
use crate::platform::RequestContext;

/// Lifetime of an authorization code in seconds.
const CODE_TTL_S: i64 = 600;

/// The issuer identifier (RFC 9207).
const ISSUER: &str = "https://accounts.google.com";

/// Known scopes and their descriptions.
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

/// A valid authorization request.
struct AuthorizationRequest {
    client: Client,
    scopes: Vec<String>,
    challenge: Option<String>,
    offline: bool,
    /// Whether `prompt=consent` forces a new consent.
    forces_consent: bool,
}

/// Status, error code and message of an error page. It does not redirect: the redirect URI is not verified.
struct Mistake(u16, &'static str, String);

impl From<consent::Mistake> for Mistake {
    fn from(consent::Mistake(status, why): consent::Mistake) -> Self {
        Self(status, "invalid_request", why)
    }
}

/// Shows the consent page or handles its form.
pub(crate) fn answer(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Reply {
    serve(alpha, request, context).unwrap_or_else(|Mistake(status, error, why)| {
        let title = "Access blocked: authorization error (sandbox)";
        html::page(status, &ErrorPage { title, status, error: Some(error), message: &why })
    })
}

fn serve(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let authorization = parse(&request.query)?;
    Ok(match Step::of(request, alpha.account_summaries())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &authorization.client.redirect_uri,
            scopes: words(&authorization.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => authorization.client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => approve(alpha, authorization, accounts, context.now.as_second()),
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, Mistake> {
    let invalid = |why: String| Mistake(400, "invalid_request", why);
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(invalid(format!("OAuth 2 parameters can only have a single value: {name}")));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| invalid(format!("Required parameter is missing: {name}")))
    };
    if required("client_id")? != CLIENT.id {
        let why = "The OAuth client was not found.".to_owned();
        return Err(Mistake(401, "invalid_client", why));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let why = format!("{redirect_uri} is not registered: https, or http on this machine");
        return Err(Mistake(400, "redirect_uri_mismatch", why));
    }
    if required("response_type")? != "code" {
        let why = "The sandbox knows response_type code only.".to_owned();
        return Err(Mistake(400, "unsupported_response_type", why));
    }
    let prompts: Vec<&str> = query.get("prompt").unwrap_or_default().split_whitespace().collect();
    if let Some(prompt) = prompts.iter().find(|one| !matches!(**one, "consent" | "select_account")) {
        return Err(invalid(format!("Invalid parameter value for prompt: {prompt}")));
    }
    Ok(AuthorizationRequest {
        client: Client { redirect_uri, state: query.get("state").map(str::to_owned) },
        scopes: scopes(&required("scope")?)?,
        challenge: challenge(&query)?,
        offline: offline(&query)?,
        forces_consent: prompts.contains(&"consent"),
    })
}

fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let is_known = |scope: &str| SCOPES.iter().any(|(name, _)| *name == scope);
    if let Some(unknown) = text.split(' ').find(|scope| !is_known(scope)) {
        return Err(Mistake(400, "invalid_scope", format!("Some requested scopes were invalid: {unknown}")));
    }
    Ok(text.split(' ').map(str::to_owned).collect())
}

fn offline(query: &Pairs) -> Result<bool, Mistake> {
    match query.get("access_type") {
        None | Some("online") => Ok(false),
        Some("offline") => Ok(true),
        Some(other) => {
            let why = format!("Invalid parameter value for access_type: {other}");
            Err(Mistake(400, "invalid_request", why))
        }
    }
}

/// The PKCE challenge. The sandbox supports S256 only: anyone who sees the request can answer a plain challenge.
fn challenge(query: &Pairs) -> Result<Option<String>, Mistake> {
    let wrong = |why: &str| Err(Mistake(400, "invalid_request", why.to_owned()));
    match (query.get("code_challenge"), query.get("code_challenge_method")) {
        (None, None) => Ok(None),
        (None, Some(_)) => wrong("code_challenge_method without code_challenge"),
        (Some(_), None | Some("plain")) => wrong("the sandbox takes code_challenge_method S256 only"),
        (Some(challenge), Some("S256")) if is_challenge(challenge) => Ok(Some(challenge.to_owned())),
        (Some(_), Some("S256")) => wrong("code_challenge is no S256 challenge"),
        (Some(_), Some(_)) => wrong("unknown code_challenge_method"),
    }
}

fn approve(alpha: &mut Alpha, authorization: AuthorizationRequest, accounts: Vec<String>, now: i64) -> Reply {
    let AuthorizationRequest { client, scopes, challenge, offline, forces_consent } = authorization;
    // Google issues a refresh token with the first consent, and later only with `prompt=consent`.
    let refreshable = offline && (forces_consent || !alpha.grants.has_refresh(CLIENT.id));
    let scope = scopes.join(" ");
    let code = format!("4/0A{}", oauth::random());
    let consent = Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: client.redirect_uri.clone(),
        scopes,
        accounts,
        challenge,
        refreshable,
    };
    alpha.grants.add_code(&code, consent, now + CODE_TTL_S);
    let mut parameters: Vec<(&str, &str)> = Vec::new();
    parameters.extend(client.state.as_deref().map(|state| ("state", state)));
    parameters.extend([("iss", ISSUER), ("code", code.as_str()), ("scope", scope.as_str())]);
    Reply::redirect(&redirect_with(&client.redirect_uri, &parameters))
}
