//! The authorization endpoint and its consent page.
//!
//! LinkedIn: "Authorization Code Flow (3-legged OAuth)", steps 2 and 3.

use super::state::{CLIENT, Delta, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step, words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::RequestContext;

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

/// An authorization request with a valid redirect URI.
struct AuthorizationRequest {
    client: Client,
    scopes: Vec<String>,
}

/// Shows the consent page or takes its form.
pub(crate) fn answer(delta: &mut Delta, request: &Request, context: &RequestContext<'_>) -> Reply {
    serve(delta, request, context).unwrap_or_else(|mistake| mistake.page("Network will not be accessed (sandbox)"))
}

fn serve(delta: &mut Delta, request: &Request, context: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let authorization = AuthorizationRequest::parse(&request.query)?;
    if let Some(error) = authorization.scope_error() {
        return Ok(error);
    }
    Ok(match Step::of(request, delta.account_summaries())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &authorization.client.redirect_uri,
            scopes: words(&authorization.scopes, SCOPES),
            accounts,
        }),
        Step::Deny => authorization.redirect_error("user_cancelled_authorize", "The user cancelled the authorization"),
        Step::Approve(accounts) => {
            let code = format!("AQ{}{}", oauth::random(), oauth::random());
            let consent = authorization.client.consent(CLIENT.id, authorization.scopes, accounts, true);
            delta.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            authorization.client.told(&[("code", &code)])
        }
    })
}

impl AuthorizationRequest {
    fn parse(query: &str) -> Result<Self, Mistake> {
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
        Ok(Self { client, scopes })
    }

    /// The redirect for a scope that the application does not have.
    fn scope_error(&self) -> Option<Reply> {
        let is_known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
        let unknown = self.scopes.iter().find(|scope| !is_known(scope))?;
        let why = format!("Scope \"{unknown}\" is not authorized for your application");
        Some(self.redirect_error("unauthorized_scope_error", &why))
    }

    fn redirect_error(&self, error: &str, description: &str) -> Reply {
        self.client.told(&[("error", error), ("error_description", description)])
    }
}
