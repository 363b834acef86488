//! The authorization endpoint and its consent page.
//!
//! TikTok API for Business v1.3: "Authorization". The endpoint takes `app_id`, `state` and `redirect_uri`; the scopes
//! are fixed at the app's registration. TikTok does not document a denied consent. The sandbox redirects with
//! `error=access_denied` and the state, as OAuth 2.0 does.

use super::state::{CLIENT, Gamma, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, Consent, is_redirect_uri};
use crate::platform::RequestContext;

/// Lifetime of an auth code in seconds.
const CODE_TTL_S: i64 = 3600;

/// Descriptions of the app's scopes.
const SCOPES: &[&str] =
    &["See your ad accounts", "Create, change and delete campaigns", "See reports about what they cost"];

/// Shows the consent page or handles its form.
pub(crate) fn answer(gamma: &mut Gamma, request: &Request, context: &RequestContext<'_>) -> Reply {
    serve(gamma, request, context).unwrap_or_else(|mistake| mistake.page("Authorization failed (sandbox)"))
}

fn serve(gamma: &mut Gamma, request: &Request, context: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let client = client(&request.query)?;
    Ok(match Step::of(request, gamma.account_summaries())? {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &client.redirect_uri,
            scopes: SCOPES.iter().map(|&words| words.to_owned()).collect(),
            accounts,
        }),
        Step::Deny => client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => {
            let code = oauth::random();
            let consent = Consent {
                client: CLIENT.id.to_owned(),
                redirect_uri: String::new(),
                scopes: Vec::new(),
                accounts,
                challenge: None,
                refreshable: false,
            };
            gamma.grants.add_code(&code, consent, context.now.as_second() + CODE_TTL_S);
            client.told(&[("auth_code", &code)])
        }
    })
}

fn client(query: &str) -> Result<Client, Mistake> {
    let wrong = |why: String| Mistake(400, why);
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(&["app_id", "state", "redirect_uri"]) {
        return Err(wrong(format!("{name} is given more than once")));
    }
    let required = |name: &str| query.get(name).ok_or_else(|| wrong(format!("{name} is missing")));
    if required("app_id")? != CLIENT.id {
        return Err(wrong("The app_id is that of no app here".to_owned()));
    }
    let redirect_uri = required("redirect_uri")?.to_owned();
    if !is_redirect_uri(&redirect_uri) {
        return Err(wrong(format!("{redirect_uri} is not registered: https, or http on this machine")));
    }
    Ok(Client { redirect_uri, state: query.get("state").map(str::to_owned) })
}
