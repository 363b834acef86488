//! The authorization endpoint and its consent page.
//!
//! Pinterest API: "Set up authentication and authorization", step 1 of the OAuth flow; "Scopes".

use super::state::{CLIENT, Epsilon, TITLE};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{AuthorizationRequest, Decision, PageError, describe_scopes_sorted, is_redirect_uri, random_token};
use crate::platform::AdPlatform as _;
use crate::service::RequestContext;

/// Lifetime of an authorization code, in seconds.
const CODE_TTL_S: i64 = 600;

/// The known scopes, with their descriptions.
const SCOPES: &[(&str, &str)] = &[
    ("ads:read", "See your advertising data"),
    ("ads:write", "Create, update and delete ads, ad groups, campaigns"),
    ("user_accounts:read", "See your user account"),
    ("billing:read", "See your billing data"),
    ("biz_access:read", "See who has access to your business"),
    ("boards:read", "See your boards"),
    ("catalogs:read", "See your catalogs"),
    ("pins:read", "See your Pins"),
];

const PARAMETERS: &[&str] = &["client_id", "redirect_uri", "response_type", "scope", "state"];

/// Shows the consent page or takes its form.
pub(crate) fn handle(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Response {
    serve(epsilon, request, context).unwrap_or_else(|error| error.page("Access was not given (sandbox)"))
}

fn serve(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Result<Response, PageError> {
    let authorization = parse(&request.query)?;
    let accounts = epsilon.accounts();
    Ok(match Decision::read(request, &accounts)? {
        Decision::Pending => {
            let scopes = describe_scopes_sorted(&authorization.scopes, SCOPES);
            authorization.consent_page(TITLE, scopes, accounts)
        }
        Decision::Denied => authorization.redirect(&[("error", "access_denied")]),
        Decision::Approved(accounts) => {
            let expires = context.now.as_second() + CODE_TTL_S;
            authorization.approve(&mut epsilon.grants, &random_token(), accounts, expires)
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, PageError> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(PageError::new(400, format!("{name} is given more than once")));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| PageError::new(400, format!("{name} is missing")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(PageError::new(401, "client_id is not a registered app"));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        return Err(PageError::new(400, format!("{redirect_uri} is not registered; use https, or http on localhost")));
    }
    if required("response_type")? != "code" {
        return Err(PageError::new(400, "response_type must be code"));
    }
    Ok(AuthorizationRequest {
        client_id: CLIENT.id,
        redirect_uri,
        state: query.get("state").map(str::to_owned),
        scopes: scopes(&required("scope")?)?,
        challenge: None,
        refreshable: true,
    })
}

/// Clients separate scopes by commas or, as OAuth requires, by spaces.
fn scopes(text: &str) -> Result<Vec<String>, PageError> {
    let scopes: Vec<&str> = text.split([',', ' ']).filter(|scope| !scope.is_empty()).collect();
    let is_known = |scope: &str| SCOPES.iter().any(|(name, _)| *name == scope);
    match scopes.iter().find(|scope| !is_known(scope)) {
        Some(invalid) => Err(PageError::new(400, format!("scope {invalid} is unknown"))),
        None if scopes.is_empty() => Err(PageError::new(400, "scope is missing")),
        None => Ok(scopes.into_iter().map(str::to_owned).collect()),
    }
}
