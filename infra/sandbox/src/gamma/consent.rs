//! The authorization endpoint and its consent page.
//!
//! TikTok API for Business v1.3: "Authorization". The endpoint takes `app_id`, `state` and `redirect_uri`; the scopes
//! are fixed at the app's registration, and a token names those that the person has approved; the sandbox refuses no call
//! for a missing one. TikTok does not document a denied consent. The sandbox redirects with `error=access_denied` and the
//! state, as OAuth 2.0 does.

use super::state::{CLIENT, Gamma, TITLE};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{AuthorizationRequest, Consent, Decision, PageError, is_redirect_uri, random_token};
use crate::platform::AdPlatform as _;
use crate::service::RequestContext;

/// Lifetime of an auth code in seconds.
const CODE_TTL_S: i64 = 3600;

/// The scopes of the app: ad account management and information, ads management and campaigns, reporting and its campaign
/// level.
const SCOPES: &[u32] = &[1, 10, 2, 20, 4, 41];
/// Their descriptions.
const DESCRIPTIONS: &[&str] =
    &["See your ad accounts", "Create, change and delete campaigns", "See reports about what they cost"];

/// Shows the consent page or handles its form.
pub(crate) fn handle(gamma: &mut Gamma, request: &Request, context: &RequestContext<'_>) -> Response {
    serve(gamma, request, context).unwrap_or_else(|error| error.page("Authorization failed (sandbox)"))
}

fn serve(gamma: &mut Gamma, request: &Request, context: &RequestContext<'_>) -> Result<Response, PageError> {
    let mut authorization = parse(&request.query)?;
    let accounts = gamma.accounts();
    Ok(match Decision::read(request, &accounts)? {
        Decision::Pending => {
            let scopes = DESCRIPTIONS.iter().map(|&description| description.to_owned()).collect();
            authorization.consent_page(TITLE, scopes, accounts)
        }
        Decision::Denied => authorization.redirect(&[("error", "access_denied")]),
        Decision::Approved(accounts) => {
            authorization.keep_ticked(request);
            let code = random_token();
            let response = authorization.redirect(&[("auth_code", &code)]);
            // The exchange has no redirect URI, so the code is not bound to one.
            let consent = Consent { redirect_uri: String::new(), ..authorization.into_consent(accounts) };
            gamma.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            response
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, PageError> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(&["app_id", "state", "redirect_uri"]) {
        return Err(PageError::new(400, format!("{name} is given more than once")));
    }
    let required = |name: &str| query.get(name).ok_or_else(|| PageError::new(400, format!("{name} is missing")));
    if required("app_id")? != CLIENT.id {
        return Err(PageError::new(400, "The app_id is unknown"));
    }
    let redirect_uri = required("redirect_uri")?.to_owned();
    if !is_redirect_uri(&redirect_uri) {
        let message = format!("{redirect_uri} is not registered: https, or http on this machine");
        return Err(PageError::new(400, message));
    }
    Ok(AuthorizationRequest {
        client_id: CLIENT.id,
        redirect_uri,
        state: query.get("state").map(str::to_owned),
        scopes: SCOPES.iter().map(u32::to_string).collect(),
        challenge: None,
        refreshable: false,
    })
}
