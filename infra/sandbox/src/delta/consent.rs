//! The platform's authorization address and the consent page behind it.
//!
//! LinkedIn: "Authorization Code Flow (3-legged OAuth)", steps 2 and 3.

use super::{CLIENT, Delta, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step, words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::{Platform, RequestContext};

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 1_800;

/// Scopes that the client was approved for, in words.
const SCOPES: &[(&str, &str)] = &[
    ("r_ads", "Read your advertising accounts"),
    ("rw_ads", "Manage your advertising accounts"),
    ("r_ads_reporting", "Read reports of your advertising accounts"),
    ("openid", "Know who you are"),
    ("profile", "Use your name and photo"),
    ("email", "Use your email address"),
];

const PARAMETERS: &[&str] = &["response_type", "client_id", "redirect_uri", "state", "scope"];

/// A request that may be answered with a redirect.
struct Asked {
    client: Client,
    scopes: Vec<String>,
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(delta: &mut Delta, request: &Request, moment: &RequestContext<'_>) -> Reply {
    serve(delta, request, moment).unwrap_or_else(|mistake| mistake.page("Network will not be accessed (sandbox)"))
}

fn serve(delta: &mut Delta, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let asked = asked(&request.query)?;
    if let Some(refused) = check_scopes(&asked) {
        return Ok(refused);
    }
    Ok(match Step::of(request, delta.accounts())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &asked.client.redirect_uri,
            scopes: words(&asked.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => refuse(&asked, "user_cancelled_authorize", "The user cancelled the authorization"),
        Step::Approve(accounts) => {
            let code = format!("AQ{}{}", oauth::random(), oauth::random());
            let consent = asked.client.consent(CLIENT.id, asked.scopes, accounts, true);
            delta.grants.add_code(&code, consent, moment.now.as_second() + CODE_LIVES);
            asked.client.told(&[("code", &code)])
        }
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(Mistake(400, format!("The parameter {name} is given more than once")));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| Mistake(400, format!("You need to pass the \"{name}\" parameter")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(Mistake(400, "The application of this client_id was not found".to_owned()));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let why = format!("The redirect_uri {redirect_uri} does not match the registered value");
        return Err(Mistake(400, why));
    }
    if required("response_type")? != "code" {
        return Err(Mistake(400, "The response_type has to be code".to_owned()));
    }
    let scopes = required("scope")?.split(' ').map(str::to_owned).collect();
    let client = Client { redirect_uri, state: query.get("state").map(str::to_owned) };
    Ok(Asked { client, scopes })
}

/// A scope that the application has not: the client is told.
fn check_scopes(asked: &Asked) -> Option<Reply> {
    let known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
    let odd = asked.scopes.iter().find(|scope| !known(scope))?;
    let why = format!("Scope \"{odd}\" is not authorized for your application");
    Some(refuse(asked, "unauthorized_scope_error", &why))
}

fn refuse(asked: &Asked, error: &str, why: &str) -> Reply {
    asked.client.told(&[("error", error), ("error_description", why)])
}
