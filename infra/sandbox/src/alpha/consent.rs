//! Google's authorization address and the consent page behind it.
//!
//! Google Identity: Using OAuth 2.0 for Web Server Applications, steps 1 to 4.

use super::api::SCOPE;
use super::{Alpha, CLIENT, TITLE};
use crate::html;
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{self, Client, Step, words};
use crate::oauth::consent_page::{ConsentPage, ErrorPage, consent_page};
use crate::oauth::{self, Consent, is_challenge, is_redirect_uri, redirect_with};
use crate::platform::{Platform, RequestContext};

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 600;

/// What the authorization server calls itself (RFC 9207).
const ISSUER: &str = "https://accounts.google.com";

/// Scopes that are known, in words.
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

/// A request that may be answered with a redirect.
struct Asked {
    client: Client,
    scopes: Vec<String>,
    challenge: Option<String>,
    offline: bool,
    /// Consent was asked for although it may have been given before.
    again: bool,
}

/// An error page: it stays with the person, as the address to go to cannot be trusted.
struct Mistake(u16, &'static str, String);

impl From<consent::Mistake> for Mistake {
    fn from(consent::Mistake(status, why): consent::Mistake) -> Self {
        Self(status, "invalid_request", why)
    }
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(alpha: &mut Alpha, request: &Request, moment: &RequestContext<'_>) -> Reply {
    serve(alpha, request, moment).unwrap_or_else(|Mistake(status, error, why)| {
        let title = "Access blocked: authorization error (sandbox)";
        html::page(status, &ErrorPage { title, status, error: Some(error), message: &why })
    })
}

fn serve(alpha: &mut Alpha, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let asked = asked(&request.query)?;
    Ok(match Step::of(request, alpha.accounts())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &asked.client.redirect_uri,
            scopes: words(&asked.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => asked.client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => approve(alpha, asked, accounts, moment.now.as_second()),
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
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
    if let Some(odd) = prompts.iter().find(|one| !matches!(**one, "consent" | "select_account")) {
        return Err(invalid(format!("Invalid parameter value for prompt: {odd}")));
    }
    Ok(Asked {
        client: Client { redirect_uri, state: query.get("state").map(str::to_owned) },
        scopes: scopes(&required("scope")?)?,
        challenge: challenge(&query)?,
        offline: offline(&query)?,
        again: prompts.contains(&"consent"),
    })
}

fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let known = |scope: &str| SCOPES.iter().any(|(name, _)| *name == scope);
    if let Some(odd) = text.split(' ').find(|scope| !known(scope)) {
        return Err(Mistake(400, "invalid_scope", format!("Some requested scopes were invalid: {odd}")));
    }
    Ok(text.split(' ').map(str::to_owned).collect())
}

fn offline(query: &Pairs) -> Result<bool, Mistake> {
    match query.get("access_type") {
        None | Some("online") => Ok(false),
        Some("offline") => Ok(true),
        Some(odd) => {
            let why = format!("Invalid parameter value for access_type: {odd}");
            Err(Mistake(400, "invalid_request", why))
        }
    }
}

/// S256 only: a plain challenge protects nothing from those who see the request.
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

fn approve(alpha: &mut Alpha, asked: Asked, accounts: Vec<String>, now: i64) -> Reply {
    // A refresh token comes with the first consent, and later only when consent is asked again.
    let refreshable = asked.offline && (asked.again || !alpha.grants.has_refresh(CLIENT.id));
    let scope = asked.scopes.join(" ");
    let code = format!("4/0A{}", oauth::random());
    let consent = Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: asked.client.redirect_uri.clone(),
        scopes: asked.scopes,
        accounts,
        challenge: asked.challenge,
        refreshable,
    };
    alpha.grants.add_code(&code, consent, now + CODE_LIVES);
    let mut answer: Vec<(&str, &str)> = Vec::new();
    answer.extend(asked.client.state.as_deref().map(|state| ("state", state)));
    answer.extend([("iss", ISSUER), ("code", code.as_str()), ("scope", scope.as_str())]);
    Reply::redirect(&redirect_with(&asked.client.redirect_uri, &answer))
}
