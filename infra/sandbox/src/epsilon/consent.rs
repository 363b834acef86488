//! The authorization address and the consent page behind it.
//!
//! Pinterest API: "Set up authentication and authorization", step 1 of the OAuth flow; "Scopes".

use super::{CLIENT, Epsilon, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step, listed_words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::{Platform, RequestContext};

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 600;

/// Scopes that are known, in words.
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

/// A request that may be answered with a redirect.
struct Asked {
    client: Client,
    scopes: Vec<String>,
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(epsilon: &mut Epsilon, request: &Request, moment: &RequestContext<'_>) -> Reply {
    serve(epsilon, request, moment).unwrap_or_else(|mistake| mistake.page("Access was not given (sandbox)"))
}

fn serve(epsilon: &mut Epsilon, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let asked = asked(&request.query)?;
    Ok(match Step::of(request, epsilon.accounts())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &asked.client.redirect_uri,
            scopes: listed_words(&asked.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => asked.client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => {
            let code = oauth::random();
            let consent = asked.client.consent(CLIENT.id, asked.scopes, accounts, true);
            epsilon.grants.add_code(&code, consent, moment.now.as_second() + CODE_LIVES);
            asked.client.told(&[("code", &code)])
        }
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(Mistake(400, format!("{name} is given more than once")));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| Mistake(400, format!("{name} is missing")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(Mistake(401, "client_id is no app here".to_owned()));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        return Err(Mistake(400, format!("{redirect_uri} is not registered: https, or http on this machine")));
    }
    if required("response_type")? != "code" {
        return Err(Mistake(400, "response_type has to be code".to_owned()));
    }
    let scopes = scopes(&required("scope")?)?;
    let client = Client { redirect_uri, state: query.get("state").map(str::to_owned) };
    Ok(Asked { client, scopes })
}

/// Clients separate them by commas or, as OAuth has it, by spaces.
fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let scopes: Vec<&str> = text.split([',', ' ']).filter(|scope| !scope.is_empty()).collect();
    let known = |scope: &str| SCOPES.iter().any(|(name, _)| *name == scope);
    match scopes.iter().find(|scope| !known(scope)) {
        Some(odd) => Err(Mistake(400, format!("scope {odd} is unknown"))),
        None if scopes.is_empty() => Err(Mistake(400, "scope is missing".to_owned())),
        None => Ok(scopes.into_iter().map(str::to_owned).collect()),
    }
}
