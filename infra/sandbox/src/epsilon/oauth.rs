//! The token and revocation addresses.
//!
//! Pinterest API v5 reference: "Generate OAuth access token", "Revoke OAuth token"; the page on
//! authentication for continuous refresh. A dead grant and a wrong secret are both 401 and differ
//! by code: recorded live, 2026-08.

use serde_json::json;

use super::error::Refusal;
use super::{CLIENT, Epsilon};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{Redemption, basic, random};
use crate::platform::RequestContext;

/// Seconds an access token lives, if nothing else was set: thirty days.
const ACCESS_LIVES: i64 = 2_592_000;
/// Seconds a refresh token lives, as it says: sixty days. The sandbox does not count them.
const REFRESH_LIVES: i64 = 5_184_000;

const PARAMETERS: &[&str] =
    &["grant_type", "code", "redirect_uri", "refresh_token", "scope", "continuous_refresh", "token", "token_type_hint"];

/// Exchanges a code or a refresh token.
pub(crate) fn token(epsilon: &mut Epsilon, request: &Request, moment: &RequestContext<'_>) -> Reply {
    exchange(epsilon, request, moment).unwrap_or_else(|refusal| refusal.reply())
}

fn exchange(epsilon: &mut Epsilon, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Refusal> {
    let form = form(request)?;
    match required(&form, "grant_type")? {
        "authorization_code" => redeem(epsilon, &form, moment),
        "refresh_token" => refresh(epsilon, &form, moment),
        other => Err(Refusal::invalid(format!("Invalid request: grant_type cannot be {other}"))),
    }
}

/// Tokens of system users alone can be revoked, and the sandbox gives out none of those.
pub(crate) fn revoke(request: &Request) -> Reply {
    let outcome = form(request).and_then(|form| {
        required(&form, "token")?;
        match form.get("token_type_hint") {
            None | Some("access_token" | "refresh_token") => Err(Refusal::forbidden()),
            Some(odd) => Err(Refusal::invalid(format!("Invalid request: token_type_hint cannot be {odd}"))),
        }
    });
    outcome.unwrap_or_else(|refusal| refusal.reply())
}

/// The form of a client that named itself in a Basic header, which is the only way.
fn form(request: &Request) -> Result<Pairs, Refusal> {
    if request.method != "POST" {
        return Err(Refusal::new(405, 405, format!("{} is not allowed on this address.", request.method)));
    }
    let (id, secret) = basic(request).ok_or_else(Refusal::unauthenticated)?;
    if id != CLIENT.id || secret != CLIENT.secret {
        return Err(Refusal::unauthenticated());
    }
    if !request.is_form() {
        return Err(Refusal::invalid("Invalid request: the body has to be application/x-www-form-urlencoded"));
    }
    let form = Pairs::parse(&request.body);
    if form.get("client_secret").is_some() {
        return Err(Refusal::invalid("Invalid request: client_secret does not belong into the body"));
    }
    if let Some(name) = form.repeated(PARAMETERS) {
        return Err(Refusal::invalid(format!("Invalid request: {name} is given more than once")));
    }
    Ok(form)
}

fn required<'f>(form: &'f Pairs, name: &str) -> Result<&'f str, Refusal> {
    form.get(name).ok_or_else(|| Refusal::invalid(format!("Invalid request: {name} is required")))
}

fn redeem(epsilon: &mut Epsilon, form: &Pairs, moment: &RequestContext<'_>) -> Result<Reply, Refusal> {
    // The platform has no PKCE: a verifier would not be looked at.
    let asked = Redemption {
        code: required(form, "code")?,
        client: CLIENT.id,
        redirect_uri: required(form, "redirect_uri")?,
        verifier: None,
    };
    let grant = epsilon.grants.redeem(&asked, moment.now.as_second());
    let grant = grant.map_err(|_| Refusal::dead_grant())?;
    Ok(issue(epsilon, grant, "authorization_code", moment))
}

/// Continuous refresh: the token that is used is replaced and worth nothing from then on.
fn refresh(epsilon: &mut Epsilon, form: &Pairs, moment: &RequestContext<'_>) -> Result<Reply, Refusal> {
    let token = required(form, "refresh_token")?;
    let number = epsilon.grants.by_refresh(token, CLIENT.id).map_err(|_| Refusal::dead_grant())?;
    let granted = epsilon.grants.grant(number).map(|grant| grant.consent.scopes.clone()).unwrap_or_default();
    let asked = form.get("scope").unwrap_or_default().split([',', ' ']);
    if let Some(odd) = asked.filter(|scope| !scope.is_empty()).find(|scope| !granted.iter().any(|one| one == scope)) {
        return Err(Refusal::invalid(format!("Invalid request: scope {odd} was not granted")));
    }
    epsilon.grants.drop_refresh(token);
    Ok(issue(epsilon, number, "refresh_token", moment))
}

fn issue(epsilon: &mut Epsilon, grant: u64, response_type: &str, moment: &RequestContext<'_>) -> Reply {
    let access = format!("pina_{}{}", random(), random());
    let refresh = format!("pinr.{}{}", random(), random());
    let now = moment.now.as_second();
    let lives = moment.settings.access_token_ttl_s.unwrap_or(ACCESS_LIVES);
    epsilon.grants.add_access(&access, grant, now, now.saturating_add(lives));
    epsilon.grants.add_refresh(&refresh, grant);
    let scopes = epsilon.grants.grant(grant).map(|grant| grant.consent.scopes.join(" "));
    let body = json!({
        "access_token": access,
        "refresh_token": refresh,
        "response_type": response_type,
        "token_type": "bearer",
        "expires_in": lives,
        "refresh_token_expires_in": REFRESH_LIVES,
        "refresh_token_expires_at": now.saturating_add(REFRESH_LIVES),
        "scope": scopes,
    });
    Reply::json(200, &body).with("cache-control", "no-store")
}
