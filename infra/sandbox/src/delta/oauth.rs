//! The platform's token, introspection and revocation addresses.
//!
//! LinkedIn: "Authorization Code Flow (3-legged OAuth)" step 4, "Programmatic Refresh Tokens",
//! "Token Inspection". Revocation is not on these pages; clients in the wild use the address.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CLIENT, Delta};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{Dead, Redemption, random};
use crate::platform::RequestContext;

/// Seconds an access token lives, if nothing else was set: 60 days.
const ACCESS_LIVES: i64 = 5_184_000;
/// Seconds a refresh token lives from the consent on: 365 days. Using it does not prolong it.
const REFRESH_LIVES: i64 = 31_536_000;

/// The quirk that refuses a bad code with the other of the two known answers.
pub(crate) const CODE_QUIRK: &str = "code_refused_401";

const PARAMETERS: &[&str] =
    &["grant_type", "code", "redirect_uri", "client_id", "client_secret", "refresh_token", "token"];

/// When a token was made and when it ends, in Unix seconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Life {
    created: i64,
    ends: i64,
}

/// A refusal in the form of RFC 6749 section 5.2.
pub(crate) fn refusal(status: u16, error: &str, description: &str) -> Reply {
    Reply::json(status, &json!({ "error": error, "error_description": description }))
}

fn invalid_request(description: &str) -> Reply {
    refusal(400, "invalid_request", description)
}

fn missing(name: &str) -> Reply {
    invalid_request(&format!("A required parameter \"{name}\" is missing"))
}

/// The form of a request whose client has proven itself in it; a Basic header counts for nothing.
fn form(request: &Request) -> Result<Pairs, Reply> {
    if request.method != "POST" {
        return Err(refusal(405, "invalid_request", "This address takes POST").with("allow", "POST"));
    }
    if !request.is_form() {
        return Err(invalid_request("The body has to be application/x-www-form-urlencoded"));
    }
    let form = Pairs::parse(&request.body);
    if let Some(name) = form.repeated(PARAMETERS) {
        return Err(invalid_request(&format!("The parameter \"{name}\" is given more than once")));
    }
    let id = form.get("client_id").ok_or_else(|| missing("client_id"))?;
    let secret = form.get("client_secret").ok_or_else(|| missing("client_secret"))?;
    if (id, secret) != (CLIENT.id, CLIENT.secret) {
        return Err(refusal(401, "invalid_client", "Client authentication failed"));
    }
    Ok(form)
}

/// Exchanges a code or a refresh token.
pub(crate) fn token(delta: &mut Delta, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let form = form(request)?;
    match form.get("grant_type") {
        Some("authorization_code") => exchange(delta, &form, moment),
        Some("refresh_token") => refresh(delta, &form, moment),
        Some(_) => Err(refusal(400, "unsupported_grant_type", "The grant_type is not supported")),
        None => Err(missing("grant_type")),
    }
}

fn exchange(delta: &mut Delta, form: &Pairs, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let asked = Redemption {
        code: form.get("code").ok_or_else(|| missing("code"))?,
        client: CLIENT.id,
        redirect_uri: form.get("redirect_uri").ok_or_else(|| missing("redirect_uri"))?,
        // A web application has no challenge here, and a verifier without one does not match.
        verifier: form.get("code_verifier"),
    };
    let now = moment.now.as_second();
    let grant = delta.grants.redeem(&asked, now).map_err(|_| bad_code(moment))?;
    let refresh = format!("AQX{}", long());
    delta.grants.add_refresh(&refresh, grant);
    delta.lives.insert(refresh.clone(), Life { created: now, ends: now + REFRESH_LIVES });
    Ok(issue(delta, grant, &refresh, moment))
}

/// The platform has two answers for a code that is expired, used or of another address.
fn bad_code(moment: &RequestContext<'_>) -> Reply {
    let why = "Unable to retrieve access token: appid/redirect uri/code verifier does not match \
               authorization code. Or authorization code expired.";
    if moment.quirk(CODE_QUIRK) { refusal(401, "invalid_redirect_uri", why) } else { invalid_request(why) }
}

fn refresh(delta: &mut Delta, form: &Pairs, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let token = form.get("refresh_token").ok_or_else(|| missing("refresh_token"))?;
    let dead = || {
        let why = "The provided authorization grant or refresh token is invalid, expired or revoked";
        refusal(400, "invalid_grant", why)
    };
    let grant = delta.grants.by_refresh(token, CLIENT.id).map_err(|_| dead())?;
    let life = delta.lives.get(token).ok_or_else(dead)?;
    if life.ends <= moment.now.as_second() {
        return Err(dead());
    }
    Ok(issue(delta, grant, token, moment))
}

/// A new access token beside the refresh token, which stays what it is and ends when it did.
fn issue(delta: &mut Delta, grant: u64, refresh: &str, moment: &RequestContext<'_>) -> Reply {
    let token = format!("AQV{}", long());
    let now = moment.now.as_second();
    let lives = moment.settings.access_token_ttl_s.unwrap_or(ACCESS_LIVES);
    let life = Life { created: now, ends: now.saturating_add(lives) };
    delta.grants.add_access(&token, grant, now, life.ends);
    delta.lives.retain(|_, known| known.ends > now - 86_400);
    delta.lives.insert(token.clone(), life);
    let scopes = delta.grants.grant(grant).map(|grant| grant.consent.scopes.join(","));
    let remaining = delta.lives.get(refresh).map(|life| life.ends - now);
    let body = json!({
        "access_token": token,
        "expires_in": lives,
        "refresh_token": refresh,
        "refresh_token_expires_in": remaining,
        "scope": scopes,
    });
    Reply::json(200, &body).with("cache-control", "no-store")
}

/// Tokens are long here; clients are told to make room for a thousand characters.
fn long() -> String {
    std::iter::repeat_with(random).take(8).collect()
}

/// Tells whether a token works, and until when.
pub(crate) fn introspect(delta: &Delta, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let form = form(request)?;
    let token = form.get("token").ok_or_else(|| missing("token"))?;
    let now = moment.now.as_second();
    let (Some(life), Some(consent)) = (delta.lives.get(token), consent_of(delta, token, now)) else {
        return Ok(Reply::json(200, &json!({ "active": false })));
    };
    let (status, scope) = match consent {
        Ok(_) if life.ends <= now => ("expired", None),
        Ok(scope) => ("active", Some(scope)),
        Err(Dead::Expired) => ("expired", None),
        Err(_) => ("revoked", None),
    };
    let body = json!({
        "active": status == "active",
        "status": status,
        "client_id": CLIENT.id,
        "created_at": life.created,
        "authorized_at": life.created,
        "expires_at": life.ends,
        "scope": scope,
        "auth_type": "3L",
    });
    Ok(Reply::json(200, &body))
}

/// The scopes of an access or refresh token, or why it is dead; nothing for an unknown one.
fn consent_of(delta: &Delta, token: &str, now: i64) -> Option<Result<String, Dead>> {
    let scopes = match delta.grants.by_access(token, now) {
        Ok(grant) => return Some(Ok(grant.consent.scopes.join(","))),
        Err(Dead::Unknown) => delta.grants.by_refresh(token, CLIENT.id),
        Err(dead) => return Some(Err(dead)),
    };
    match scopes {
        Ok(number) => delta.grants.grant(number).map(|grant| Ok(grant.consent.scopes.join(","))),
        Err(Dead::Unknown) => None,
        Err(dead) => Some(Err(dead)),
    }
}

/// Ends the grant behind an access or refresh token.
pub(crate) fn revoke(delta: &mut Delta, request: &Request) -> Result<Reply, Reply> {
    let form = form(request)?;
    let token = form.get("token").ok_or_else(|| missing("token"))?;
    if delta.grants.revoke(token) {
        return Ok(Reply { status: 200, headers: Vec::new(), body: String::new() });
    }
    Err(invalid_request("The provided token is invalid, expired or revoked"))
}
