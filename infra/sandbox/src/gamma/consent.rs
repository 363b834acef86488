//! The authorization address and the consent page behind it.
//!
//! TikTok API for Business v1.3: "Authorization". The address takes `app_id`, `state` and
//! `redirect_uri` only; what the app may do was chosen when it was registered. What the platform
//! does when a person refuses is not published: here the redirect carries `error=access_denied`
//! and the state, as OAuth has it.

use super::{CLIENT, Gamma, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{Client, Mistake, Step};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, Consent, is_redirect_uri};
use crate::platform::{Platform, RequestContext};

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 3600;

/// What the app's scopes mean.
const SCOPES: &[&str] =
    &["See your ad accounts", "Create, change and delete campaigns", "See reports about what they cost"];

/// Shows the page, or takes its answer.
pub(crate) fn answer(gamma: &mut Gamma, request: &Request, moment: &RequestContext<'_>) -> Reply {
    serve(gamma, request, moment).unwrap_or_else(|mistake| mistake.page("Authorization failed (sandbox)"))
}

fn serve(gamma: &mut Gamma, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let client = client(&request.query)?;
    Ok(match Step::of(request, gamma.accounts())? {
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
            gamma.grants.add_code(&code, consent, moment.now.as_second() + CODE_LIVES);
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
