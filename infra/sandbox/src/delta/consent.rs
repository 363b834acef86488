//! The authorization endpoint and its consent page.
//!
//! LinkedIn: "Authorization Code Flow (3-legged OAuth)", steps 2 and 3.

use super::state::{CLIENT, Delta, TITLE};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{AuthorizationRequest, Decision, PageError, describe_scopes, is_redirect_uri, random_token};
use crate::platform::AdPlatform as _;
use crate::service::RequestContext;

/// Lifetime of an authorization code, in seconds.
const CODE_TTL_S: i64 = 1_800;

/// Scopes that the client is approved for, with their descriptions.
const SCOPES: &[(&str, &str)] = &[
    ("r_ads", "Read your advertising accounts"),
    ("rw_ads", "Manage your advertising accounts"),
    ("r_ads_reporting", "Read reports of your advertising accounts"),
    ("openid", "Know who you are"),
    ("profile", "Use your name and photo"),
    ("email", "Use your email address"),
];

const PARAMETERS: &[&str] = &["response_type", "client_id", "redirect_uri", "state", "scope"];

/// Shows the consent page or takes its form.
pub(crate) fn handle(delta: &mut Delta, request: &Request, context: &RequestContext<'_>) -> Response {
    serve(delta, request, context).unwrap_or_else(|error| error.page("Network will not be accessed (sandbox)"))
}

fn serve(delta: &mut Delta, request: &Request, context: &RequestContext<'_>) -> Result<Response, PageError> {
    let authorization = parse(&request.query)?;
    if let Some(error) = scope_error(&authorization) {
        return Ok(error);
    }
    let accounts = delta.accounts();
    Ok(match Decision::read(request, &accounts)? {
        Decision::Pending => {
            let scopes = describe_scopes(&authorization.scopes, SCOPES);
            authorization.consent_page(TITLE, scopes, accounts)
        }
        Decision::Denied => {
            redirect_error(&authorization, "user_cancelled_authorize", "The user cancelled the authorization")
        }
        Decision::Approved(accounts) => {
            let code = format!("AQ{}{}", random_token(), random_token());
            authorization.approve(&mut delta.grants, &code, accounts, context.now.as_second() + CODE_TTL_S)
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, PageError> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(PageError::new(400, format!("The parameter {name} is given more than once")));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| PageError::new(400, format!("You need to pass the \"{name}\" parameter")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(PageError::new(400, "The application of this client_id was not found"));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let why = format!("The redirect_uri {redirect_uri} does not match the registered value");
        return Err(PageError::new(400, why));
    }
    if required("response_type")? != "code" {
        return Err(PageError::new(400, "The response_type must be code"));
    }
    Ok(AuthorizationRequest {
        client_id: CLIENT.id,
        redirect_uri,
        state: query.get("state").map(str::to_owned),
        scopes: required("scope")?.split(' ').map(str::to_owned).collect(),
        challenge: None,
        refreshable: true,
    })
}

/// The redirect for a scope that the application does not have.
fn scope_error(authorization: &AuthorizationRequest) -> Option<Response> {
    let is_known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
    let unknown = authorization.scopes.iter().find(|scope| !is_known(scope))?;
    let why = format!("Scope \"{unknown}\" is not authorized for your application");
    Some(redirect_error(authorization, "unauthorized_scope_error", &why))
}

fn redirect_error(authorization: &AuthorizationRequest, error: &str, description: &str) -> Response {
    authorization.redirect(&[("error", error), ("error_description", description)])
}
