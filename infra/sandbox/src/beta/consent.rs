//! The login dialog and its consent page.
//!
//! Facebook Login: Manually Build a Login Flow; Permissions Reference.

use super::state::{Beta, CLIENT, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step, words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::RequestContext;

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

/// A valid authorization request.
struct AuthorizationRequest {
    client: Client,
    scopes: Vec<String>,
}

fn mistake(why: impl Into<String>) -> Mistake {
    Mistake(400, why.into())
}

/// Shows the consent page or handles its form.
pub(crate) fn answer(beta: &mut Beta, request: &Request, context: &RequestContext<'_>) -> Reply {
    serve(beta, request, context)
        .unwrap_or_else(|mistake| mistake.page("This content isn't available right now (sandbox)"))
}

fn serve(beta: &mut Beta, request: &Request, context: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let authorization = parse(&request.query)?;
    Ok(match Step::of(request, beta.account_summaries())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &authorization.client.redirect_uri,
            scopes: words(&authorization.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => authorization.client.told(&[
            ("error", "access_denied"),
            ("error_code", "200"),
            ("error_description", "Permissions error"),
            ("error_reason", "user_denied"),
        ]),
        Step::Approve(accounts) => {
            let code = format!("AQ{}{}", oauth::random(), oauth::random());
            let AuthorizationRequest { client, scopes } = authorization;
            let consent = client.consent(CLIENT.id, scopes, accounts, false);
            beta.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            client.told(&[("code", &code)])
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(mistake(format!("The parameter {name} is given more than once")));
    }
    if query.get("config_id").is_some() {
        return Err(mistake("The sandbox does not imitate config_id (Facebook Login for Business)"));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| mistake(format!("The parameter {name} is required")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(mistake("Invalid App ID: The provided app ID does not look like a valid app ID."));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let why = "URL Blocked: the redirect URI is not among the app's. It is https, or http on this machine.";
        return Err(mistake(why));
    }
    if query.get("response_type").is_some_and(|kind| kind != "code") {
        return Err(mistake("The sandbox knows response_type code only"));
    }
    let scopes = scopes(query.get("scope").unwrap_or("public_profile"))?;
    let client = Client { redirect_uri, state: query.get("state").map(str::to_owned) };
    Ok(AuthorizationRequest { client, scopes })
}

/// Parses scopes, separated by commas or spaces.
fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let names: Vec<&str> = text.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !SCOPES.iter().any(|(known, _)| known == *name)) {
        None => Ok(names.into_iter().map(str::to_owned).collect()),
        Some(scope) => Err(mistake(format!("Invalid Scopes: {scope}."))),
    }
}
