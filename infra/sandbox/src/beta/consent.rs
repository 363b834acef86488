//! The login dialog and its consent page.
//!
//! Facebook Login: Manually Build a Login Flow; Permissions Reference.

use super::quirks::dialog_error;
use super::state::{Beta, CLIENT, TITLE};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{
    AuthorizationRequest, Consent, Decision, PageError, describe_scopes, is_redirect_uri, random_token,
};
use crate::platform::AdPlatform as _;
use crate::service::RequestContext;

/// Lifetime of an authorization code in seconds.
const CODE_TTL_S: i64 = 600;

/// Known permissions and their descriptions.
const SCOPES: &[(&str, &str)] = &[
    ("ads_management", "Manage ads for the ad accounts that you choose"),
    ("ads_read", "Read the ads and reports of the ad accounts that you choose"),
    ("business_management", "Manage your business"),
    ("public_profile", "See your name and picture"),
    ("email", "See your email address"),
    ("pages_show_list", "See a list of the Pages that you manage"),
    ("pages_read_engagement", "Read content posted on your Pages"),
];

const PARAMETERS: &[&str] = &["client_id", "redirect_uri", "response_type", "scope", "state"];

fn invalid(message: impl Into<String>) -> PageError {
    PageError::new(400, message)
}

/// Shows the consent page or handles its form.
pub(crate) fn handle(beta: &mut Beta, request: &Request, context: &RequestContext<'_>) -> Response {
    serve(beta, request, context).unwrap_or_else(|error| error.page("This content isn't available right now (sandbox)"))
}

fn serve(beta: &mut Beta, request: &Request, context: &RequestContext<'_>) -> Result<Response, PageError> {
    let mut authorization = parse(&request.query)?;
    if let Some(error) = dialog_error(context) {
        return Ok(authorization.redirect(&error));
    }
    let accounts = beta.accounts();
    Ok(match Decision::read(request, &accounts)? {
        Decision::Pending => {
            let scopes = describe_scopes(&authorization.scopes, SCOPES);
            authorization.consent_page(TITLE, scopes, accounts)
        }
        Decision::Denied => authorization.redirect(&[
            ("error", "access_denied"),
            ("error_code", "200"),
            ("error_description", "Permissions error"),
            ("error_reason", "user_denied"),
        ]),
        Decision::Approved(accounts) => {
            let code = format!("AQ{}{}", random_token(), random_token());
            let response = authorization.redirect(&[("code", &code)]);
            // Users can opt out of permissions, which stay named as declined.
            let declined = authorization.keep_ticked(request);
            let consent = Consent { declined, ..authorization.into_consent(accounts) };
            beta.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            response
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, PageError> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(invalid(format!("The parameter {name} is given more than once")));
    }
    if query.get("config_id").is_some() {
        return Err(invalid("The sandbox does not imitate config_id (Facebook Login for Business)"));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| invalid(format!("The parameter {name} is required")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(invalid("Invalid App ID: The provided app ID does not look like a valid app ID."));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let why = "URL Blocked: the redirect URI is not among the app's. It is https, or http on this machine.";
        return Err(invalid(why));
    }
    if query.get("response_type").is_some_and(|kind| kind != "code") {
        return Err(invalid("The sandbox knows response_type code only"));
    }
    Ok(AuthorizationRequest {
        client_id: CLIENT.id,
        redirect_uri,
        state: query.get("state").map(str::to_owned),
        scopes: scopes(query.get("scope").unwrap_or("public_profile"))?,
        challenge: None,
        refreshable: false,
    })
}

/// Parses scopes, separated by commas or spaces.
fn scopes(text: &str) -> Result<Vec<String>, PageError> {
    let names: Vec<&str> = text.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !SCOPES.iter().any(|(known, _)| known == *name)) {
        None => Ok(names.into_iter().map(str::to_owned).collect()),
        Some(scope) => Err(invalid(format!("Invalid Scopes: {scope}."))),
    }
}
