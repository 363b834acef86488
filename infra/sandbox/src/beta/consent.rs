//! The login dialog and the consent page behind it.
//!
//! Facebook Login: Manually Build a Login Flow; Permissions Reference.

use super::{Beta, CLIENT, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step, words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::{Platform, RequestContext};

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 600;

/// Permissions that are known, in words.
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

/// A request that may be answered with a redirect.
struct Asked {
    client: Client,
    scopes: Vec<String>,
}

fn mistake(why: impl Into<String>) -> Mistake {
    Mistake(400, why.into())
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(beta: &mut Beta, request: &Request, moment: &RequestContext<'_>) -> Reply {
    serve(beta, request, moment)
        .unwrap_or_else(|mistake| mistake.page("This content isn't available right now (sandbox)"))
}

fn serve(beta: &mut Beta, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let asked = asked(&request.query)?;
    Ok(match Step::of(request, beta.accounts())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &asked.client.redirect_uri,
            scopes: words(&asked.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => asked.client.told(&[
            ("error", "access_denied"),
            ("error_code", "200"),
            ("error_description", "Permissions error"),
            ("error_reason", "user_denied"),
        ]),
        Step::Approve(accounts) => {
            let code = format!("AQ{}{}", oauth::random(), oauth::random());
            let consent = asked.client.consent(CLIENT.id, asked.scopes, accounts, false);
            beta.grants.add_code(&code, consent, moment.now.as_second() + CODE_LIVES);
            asked.client.told(&[("code", &code)])
        }
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
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
    Ok(Asked { client, scopes })
}

/// Separated by commas or spaces.
fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let names: Vec<&str> = text.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !SCOPES.iter().any(|(known, _)| known == *name)) {
        None => Ok(names.into_iter().map(str::to_owned).collect()),
        Some(odd) => Err(mistake(format!("Invalid Scopes: {odd}."))),
    }
}
