//! The authorization address and the consent page behind it.
//!
//! Reddit OAuth2 guide: "Authorization", "Token retrieval (code flow)". There is no PKCE: a
//! challenge would not be looked at.

use super::{CLIENT, TITLE, Zeta};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::consent::{self, Client, Step, listed_words};
use crate::oauth::consent_page::{ConsentPage, consent_page};
use crate::oauth::{self, is_redirect_uri};
use crate::platform::{Platform, RequestContext};

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 600;

/// Scopes that are known, in words.
const SCOPES: &[(&str, &str)] = &[
    ("adsread", "See your ads data"),
    ("adsedit", "Create and change your ads"),
    ("adsconversions", "Send conversion events"),
    ("identity", "See who you are"),
    ("history", "See what you voted on and commented"),
    ("read", "See posts and comments"),
];

const PARAMETERS: &[&str] = &["client_id", "redirect_uri", "response_type", "scope", "state", "duration"];

/// A request that may be answered with a redirect.
struct Asked {
    client: Client,
    scopes: Vec<String>,
    permanent: bool,
}

/// How a request goes wrong.
enum Mistake {
    /// What the person is told.
    Page(consent::Mistake),
    /// An answer to the client.
    Answer(Reply),
}

/// A page that stays with the person, as the address to go to cannot be trusted.
fn page(status: u16, why: impl Into<String>) -> Mistake {
    Mistake::Page(consent::Mistake(status, why.into()))
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(zeta: &mut Zeta, request: &Request, moment: &RequestContext<'_>) -> Reply {
    match serve(zeta, request, moment) {
        Ok(reply) | Err(Mistake::Answer(reply)) => reply,
        Err(Mistake::Page(mistake)) => mistake.page("Access was not given (sandbox)"),
    }
}

fn serve(zeta: &mut Zeta, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Mistake> {
    let asked = asked(&request.query)?;
    // The platform knows no such address by another method.
    let step = Step::of(request, zeta.accounts());
    let step = step.map_err(|consent::Mistake(status, why)| page(if status == 405 { 404 } else { status }, why))?;
    Ok(match step {
        Step::Look(accounts) => consent_page(&ConsentPage {
            platform: TITLE,
            client: CLIENT.id,
            redirect_uri: &asked.client.redirect_uri,
            scopes: in_words(&asked),
            accounts,
        }),
        Step::Deny => asked.client.told(&[("error", "access_denied")]),
        Step::Approve(accounts) => {
            // A person can leave scopes out; the page has no boxes for it, but its form takes `scope`.
            let form = Pairs::parse(&request.body);
            let kept: Vec<&str> = form.all("scope").collect();
            let is_kept = |scope: &String| kept.is_empty() || kept.contains(&scope.as_str());
            let code = oauth::random();
            let consent = asked.client.consent(
                CLIENT.id,
                asked.scopes.into_iter().filter(is_kept).collect(),
                accounts,
                asked.permanent,
            );
            zeta.grants.add_code(&code, consent, moment.now.as_second() + CODE_LIVES);
            asked.client.told(&[("code", &code)])
        }
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(page(400, format!("{name} is given more than once")));
    }
    if query.get("client_id") != Some(CLIENT.id) {
        return Err(page(400, "invalid client id"));
    }
    let redirect_uri = query.get("redirect_uri").unwrap_or_default().to_owned();
    if !is_redirect_uri(&redirect_uri) {
        return Err(page(400, "invalid redirect_uri parameter"));
    }
    let state = query.get("state").unwrap_or_default().to_owned();
    let client = Client { redirect_uri, state: Some(state) };
    let refuse = |error| Err(Mistake::Answer(client.told(&[("error", error)])));
    if query.get("state").is_none() {
        return refuse("invalid_request");
    }
    if query.get("response_type") != Some("code") {
        return refuse("unsupported_response_type");
    }
    let permanent = match query.get("duration") {
        None | Some("temporary") => false,
        Some("permanent") => true,
        Some(_) => return refuse("invalid_request"),
    };
    let scopes = query.get("scope").unwrap_or_default().split([',', ' ']).filter(|scope| !scope.is_empty());
    let scopes: Vec<String> = scopes.map(str::to_owned).collect();
    let known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
    if scopes.is_empty() || !scopes.iter().all(known) {
        return refuse("invalid_scope");
    }
    Ok(Asked { client, scopes, permanent })
}

/// What is asked for, in words.
fn in_words(asked: &Asked) -> Vec<String> {
    let mut words = listed_words(&asked.scopes, SCOPES);
    words.extend(asked.permanent.then(|| "Keep this access until you withdraw it".to_owned()));
    words
}
