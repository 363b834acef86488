//! The authorization endpoint and its consent page.
//!
//! Reddit OAuth2 guide: "Authorization", "Token retrieval (code flow)". The platform has no PKCE and ignores
//! a challenge.

use super::state::{CLIENT, TITLE, Zeta};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{self, Client, Step, listed_words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::RequestContext;

/// Lifetime of an authorization code, in seconds.
const CODE_TTL_S: i64 = 600;

/// The known scopes, with their descriptions.
const SCOPES: &[(&str, &str)] = &[
    ("adsread", "See your ads data"),
    ("adsedit", "Create and change your ads"),
    ("adsconversions", "Send conversion events"),
    ("identity", "See who you are"),
    ("history", "See what you voted on and commented"),
    ("read", "See posts and comments"),
];

const PARAMETERS: &[&str] = &["client_id", "redirect_uri", "response_type", "scope", "state", "duration"];

/// An authorization request with a valid redirect URI.
struct AuthorizationRequest {
    client: Client,
    scopes: Vec<String>,
    permanent: bool,
}

/// The response to an invalid authorization request.
enum Mistake {
    /// An error page.
    Page(consent::Mistake),
    /// A redirect to the client.
    Answer(Reply),
}

/// An error page without a redirect, because the redirect URI is not trusted.
fn page(status: u16, why: impl Into<String>) -> Mistake {
    Mistake::Page(consent::Mistake(status, why.into()))
}

/// Shows the consent page or takes its form.
pub(crate) fn answer(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Reply {
    match serve(zeta, request, context) {
        Ok(reply) | Err(Mistake::Answer(reply)) => reply,
        Err(Mistake::Page(mistake)) => mistake.page("Access was not given (sandbox)"),
    }
}

fn serve(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let authorization = parse(&request.query)?;
    // The platform answers 404 to another method.
    let step = Step::of(request, zeta.account_summaries());
    let step = step.map_err(|consent::Mistake(status, why)| page(if status == 405 { 404 } else { status }, why))?;
    Ok(match step {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &authorization.client.redirect_uri,
            scopes: scope_descriptions(&authorization),
            accounts,
        }),
        Step::Deny => authorization.client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => {
            // Users can deselect scopes. The page has no checkboxes for it, but the form accepts `scope`.
            let form = Pairs::parse(&request.body);
            let kept: Vec<&str> = form.all("scope").collect();
            let is_kept = |scope: &String| kept.is_empty() || kept.contains(&scope.as_str());
            let code = oauth::random();
            let consent = authorization.client.consent(
                CLIENT.id,
                authorization.scopes.into_iter().filter(is_kept).collect(),
                accounts,
                authorization.permanent,
            );
            zeta.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            authorization.client.told(&[("code", &code)])
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(page(400, format!("{name} is given more than once")));
    }
    if query.get("client_id") != Some(CLIENT.id) {
        return Err(page(400, "invalid client id"));
    }
    let redirect_uri = query.get("redirect_uri").unwrap_or_default().to_owned();
    if !is_redirect_uri(&redirect_uri) {
        return Err(page(400, "invalid redirect_uri parameter"));
    }
    let state = query.get("state").unwrap_or_default().to_owned();
    let client = Client { redirect_uri, state: Some(state) };
    let redirect_error = |error| Err(Mistake::Answer(client.told(&[("error", error)])));
    if query.get("state").is_none() {
        return redirect_error("invalid_request");
    }
    if query.get("response_type") != Some("code") {
        return redirect_error("unsupported_response_type");
    }
    let permanent = match query.get("duration") {
        None | Some("temporary") => false,
        Some("permanent") => true,
        Some(_) => return redirect_error("invalid_request"),
    };
    let scopes = query.get("scope").unwrap_or_default().split([',', ' ']).filter(|scope| !scope.is_empty());
    let scopes: Vec<String> = scopes.map(str::to_owned).collect();
    let is_known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
    if scopes.is_empty() || !scopes.iter().all(is_known) {
        return redirect_error("invalid_scope");
    }
    Ok(AuthorizationRequest { client, scopes, permanent })
}

/// The descriptions of the requested scopes.
fn scope_descriptions(authorization: &AuthorizationRequest) -> Vec<String> {
    let mut descriptions = listed_words(&authorization.scopes, SCOPES);
    descriptions.extend(authorization.permanent.then(|| "Keep this access until you withdraw it".to_owned()));
    descriptions
}
