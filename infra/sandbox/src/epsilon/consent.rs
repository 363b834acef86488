//! The authorization endpoint and its consent page.
//!
//! Pinterest API: "Set up authentication and authorization", step 1 of the OAuth flow; "Scopes".

use super::state::{CLIENT, Epsilon, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step, listed_words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::RequestContext;

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

/// An authorization request with a valid redirect URI.
struct AuthorizationRequest {
    client: Client,
    scopes: Vec<String>,
}

/// Shows the consent page or takes its form.
pub(crate) fn answer(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Reply {
    serve(epsilon, request, context).unwrap_or_else(|mistake| mistake.page("Access was not given (sandbox)"))
}

fn serve(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let authorization = parse(&request.query)?;
    Ok(match Step::of(request, epsilon.account_summaries())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &authorization.client.redirect_uri,
            scopes: listed_words(&authorization.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => authorization.client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => {
            let code = oauth::random();
            let consent = authorization.client.consent(CLIENT.id, authorization.scopes, accounts, true);
            epsilon.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            authorization.client.told(&[("code", &code)])
        }
    })
}

fn parse(query: &str) -> Result<AuthorizationRequest, Mistake> {
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
    Ok(AuthorizationRequest { client, scopes })
}

/// Clients separate scopes by commas or, as OAuth requires, by spaces.
fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let scopes: Vec<&str> = text.split([',', ' ']).filter(|scope| !scope.is_empty()).collect();
    let is_known = |scope: &str| SCOPES.iter().any(|(name, _)| *name == scope);
    match scopes.iter().find(|scope| !is_known(scope)) {
        Some(invalid) => Err(Mistake(400, format!("scope {invalid} is unknown"))),
        None if scopes.is_empty() => Err(Mistake(400, "scope is missing".to_owned())),
        None => Ok(scopes.into_iter().map(str::to_owned).collect()),
    }
}
