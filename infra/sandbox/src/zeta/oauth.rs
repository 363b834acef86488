//! The token and revocation addresses.
//!
//! Reddit OAuth2 guide: "Retrieving the access token", "Refreshing the token", "Manually revoking
//! a token". The mistakes come in two forms: some as status 200 with an `error`, some by status.

use serde_json::json;

use super::error::plain;
use super::{CLIENT, Zeta, agent};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{Redemption, basic, random};
use crate::platform::RequestContext;

/// Seconds an access token lives, if nothing else was set: a day.
const ACCESS_LIVES: i64 = 86_400;

/// Exchanges a code or a refresh token.
pub(crate) fn token(zeta: &mut Zeta, request: &Request, moment: &RequestContext<'_>) -> Reply {
    let exchanged = form(request).and_then(|form| match form.get("grant_type") {
        Some("authorization_code") => redeem(zeta, &form, moment),
        Some("refresh_token") => refresh(zeta, &form, moment),
        _ => Err(said("unsupported_grant_type")),
    });
    exchanged.unwrap_or_else(|refusal| refusal)
}

/// Ends a token. What is no token any more is no mistake; with a refresh token its access tokens
/// end too, an access token ends alone.
pub(crate) fn revoke(zeta: &mut Zeta, request: &Request) -> Reply {
    let form = match form(request) {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    let hint = form.get("token_type_hint");
    let token = form.get("token").filter(|_| matches!(hint, None | Some("access_token" | "refresh_token")));
    let Some(token) = token else { return plain(400, "Bad Request") };
    if zeta.grants.is_refresh(token) {
        zeta.grants.revoke(token);
    } else {
        zeta.grants.drop_access(token);
    }
    Reply { status: 204, headers: Vec::new(), body: String::new() }
}

/// A mistake that is told with a good status.
fn said(error: &str) -> Reply {
    Reply::json(200, &json!({ "error": error })).with("cache-control", "no-store")
}

/// The form of a client that says what it is and named itself in a Basic header, which is the
/// only way.
fn form(request: &Request) -> Result<Pairs, Reply> {
    if !agent::is_descriptive(request) {
        return Err(plain(429, "Too Many Requests"));
    }
    if request.method != "POST" {
        return Err(plain(404, "Not Found"));
    }
    let named = basic(request);
    if named.is_none_or(|(id, secret)| id != CLIENT.id || secret != CLIENT.secret) {
        return Err(plain(401, "Unauthorized"));
    }
    if !request.is_form() {
        return Err(plain(400, "Bad Request"));
    }
    Ok(Pairs::parse(&request.body))
}

fn redeem(zeta: &mut Zeta, form: &Pairs, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let asked = Redemption {
        code: form.get("code").unwrap_or_default(),
        client: CLIENT.id,
        redirect_uri: form.get("redirect_uri").unwrap_or_default(),
        verifier: None,
    };
    let grant = zeta.grants.redeem(&asked, moment.now.as_second());
    let grant = grant.map_err(|_| said("invalid_grant"))?;
    let permanent = zeta.grants.grant(grant).is_some_and(|grant| grant.consent.refreshable);
    let renew = permanent.then(|| format!("{grant}-{}", random()));
    if let Some(renew) = &renew {
        zeta.grants.add_refresh(renew, grant);
    }
    Ok(issue(zeta, grant, renew, moment))
}

/// The refresh token stays as it is, and does not come again.
fn refresh(zeta: &mut Zeta, form: &Pairs, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let token = form.get("refresh_token").unwrap_or_default();
    let grant = zeta.grants.by_refresh(token, CLIENT.id).map_err(|_| plain(400, "Bad Request"))?;
    Ok(issue(zeta, grant, None, moment))
}

fn issue(zeta: &mut Zeta, grant: u64, renew: Option<String>, moment: &RequestContext<'_>) -> Reply {
    let access = format!("eyJ{}.{}", random(), random());
    let now = moment.now.as_second();
    let lives = moment.settings.access_token_ttl_s.unwrap_or(ACCESS_LIVES);
    zeta.grants.add_access(&access, grant, now, now.saturating_add(lives));
    let scopes = zeta.grants.grant(grant).map(|grant| grant.consent.scopes.join(" "));
    let mut body = json!({ "access_token": access, "token_type": "bearer", "expires_in": lives, "scope": scopes });
    if let (Some(body), Some(renew)) = (body.as_object_mut(), renew) {
        body.insert("refresh_token".to_owned(), renew.into());
    }
    Reply::json(200, &body).with("cache-control", "no-store")
}
