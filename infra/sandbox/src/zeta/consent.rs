//! The authorization endpoint and its consent page.
//!
//! Reddit OAuth2 guide: "Authorization", "Token retrieval (code flow)". The platform has no PKCE and ignores
//! a challenge.

use super::state::{CLIENT, TITLE, Zeta};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{AuthorizationRequest, Decision, PageError, describe_scopes_sorted, is_redirect_uri, random_token};
use crate::platform::AdPlatform as _;
use crate::service::RequestContext;

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

/// The response to an invalid authorization request.
enum Rejection {
    Page(PageError),
    /// A redirect to the client.
    Redirect(Response),
}

/// An error page without a redirect, because the redirect URI is not trusted.
fn page_error(message: &str) -> Rejection {
    Rejection::Page(PageError::new(400, message))
}

/// Shows the consent page or takes its form.
pub(crate) fn handle(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Response {
    match serve(zeta, request, context) {
        Ok(response) | Err(Rejection::Redirect(response)) => response,
        Err(Rejection::Page(error)) => error.page("Access was not given (sandbox)"),
    }
}

fn serve(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Result<Response, Rejection> {
    let mut authorization = parse(&request.query)?;
    let accounts = zeta.accounts();
    // The platform responds to another method with 404.
    let with_404 =
        |error: PageError| PageError { status: if error.status == 405 { 404 } else { error.status }, ..error };
    Ok(match Decision::read(request, &accounts).map_err(|error| Rejection::Page(with_404(error)))? {
        Decision::Pending => authorization.consent_page(TITLE, scope_descriptions(&authorization), accounts),
        Decision::Denied => authorization.redirect(&[("error", "access_denied")]),
        Decision::Approved(accounts) => {
            // Users can deselect scopes.
            authorization.keep_ticked(request);
            let expires = context.now.as_second() + CODE_TTL_S;
            authorization.approve(&mut zeta.grants, &random_token(), accounts, expires)
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, Rejection> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(page_error(&format!("{name} is given more than once")));
    }
    if query.get("client_id") != Some(CLIENT.id) {
        return Err(page_error("invalid client id"));
    }
    let redirect_uri = query.get("redirect_uri").unwrap_or_default().to_owned();
    if !is_redirect_uri(&redirect_uri) {
        return Err(page_error("invalid redirect_uri parameter"));
    }
    let state = query.get("state").unwrap_or_default().to_owned();
    let mut authorization = AuthorizationRequest {
        client_id: CLIENT.id,
        redirect_uri,
        state: Some(state),
        scopes: Vec::new(),
        challenge: None,
        refreshable: false,
    };
    let redirect_error = |error| Err(Rejection::Redirect(authorization.redirect(&[("error", error)])));
    if query.get("state").is_none() {
        return redirect_error("invalid_request");
    }
    if query.get("response_type") != Some("code") {
        return redirect_error("unsupported_response_type");
    }
    let refreshable = match query.get("duration") {
        None | Some("temporary") => false,
        Some("permanent") => true,
        Some(_) => return redirect_error("invalid_request"),
    };
    let Some(scopes) = known_scopes(query.get("scope").unwrap_or_default()) else {
        return redirect_error("invalid_scope");
    };
    authorization.scopes = scopes;
    authorization.refreshable = refreshable;
    Ok(authorization)
}

/// Parses scopes, separated by commas or spaces; `None` for an empty list or an unknown scope.
fn known_scopes(text: &str) -> Option<Vec<String>> {
    let scopes: Vec<String> = text.split([',', ' ']).filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
    let is_known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
    (!scopes.is_empty() && scopes.iter().all(is_known)).then_some(scopes)
}

/// The descriptions of the requested scopes.
fn scope_descriptions(authorization: &AuthorizationRequest) -> Vec<String> {
    let mut descriptions = describe_scopes_sorted(&authorization.scopes, SCOPES);
    descriptions.extend(authorization.refreshable.then(|| "Keep this access until you withdraw it".to_owned()));
    descriptions
}
