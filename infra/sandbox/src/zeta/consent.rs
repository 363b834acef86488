//! The authorization address and the consent page behind it.
//!
//! Reddit OAuth2 guide: "Authorization", "Token retrieval (code flow)". There is no PKCE: a
//! challenge would not be looked at.

use super::accounts::Account;
use super::{CLIENT, TITLE, Zeta};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{self, Consent, is_redirect_uri, redirect_with};
use crate::page;
use crate::platform::Moment;

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
    redirect_uri: String,
    state: String,
    scopes: Vec<String>,
    permanent: bool,
}

/// How a request goes wrong.
enum Mistake {
    /// A page that stays with the person, as the address to go to cannot be trusted.
    Page(u16, String),
    /// An answer to the client.
    Answer(Reply),
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(zeta: &mut Zeta, request: &Request, moment: &Moment<'_>) -> Reply {
    let outcome = asked(&request.query).and_then(|asked| match request.method.as_str() {
        "GET" => Ok(show(&zeta.accounts, &asked)),
        "POST" => decide(zeta, request, asked, moment.now.as_second()),
        _ => Err(Mistake::Page(404, "This page is read and its form is sent.".to_owned())),
    });
    match outcome {
        Ok(reply) | Err(Mistake::Answer(reply)) => reply,
        Err(Mistake::Page(status, why)) => {
            let main = format!("<p>Error {status}</p><p>{}</p>", page::escape(&why));
            page::page(status, "Access was not given (sandbox)", &main)
        }
    }
}

fn asked(query: &str) -> Result<Asked, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(Mistake::Page(400, format!("{name} is given more than once")));
    }
    if query.get("client_id") != Some(CLIENT.id) {
        return Err(Mistake::Page(400, "invalid client id".to_owned()));
    }
    let redirect_uri = query.get("redirect_uri").unwrap_or_default().to_owned();
    if !is_redirect_uri(&redirect_uri) {
        return Err(Mistake::Page(400, "invalid redirect_uri parameter".to_owned()));
    }
    let state = query.get("state").unwrap_or_default().to_owned();
    let refuse = |error| Err(Mistake::Answer(back(&redirect_uri, &state, ("error", error))));
    if state.is_empty() {
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
    Ok(Asked { redirect_uri, state, scopes, permanent })
}

fn back(redirect_uri: &str, state: &str, (name, value): (&str, &str)) -> Reply {
    Reply::redirect(&redirect_with(redirect_uri, &[(name, value), ("state", state)]))
}

fn show(accounts: &[Account], asked: &Asked) -> Reply {
    let words = SCOPES.iter().filter(|(name, _)| asked.scopes.iter().any(|scope| scope == name));
    let mut scopes: Vec<String> = words.map(|(_, words)| (*words).to_owned()).collect();
    if asked.permanent {
        scopes.push("Keep this access until you withdraw it".to_owned());
    }
    page::consent(&page::Consent {
        platform: TITLE,
        client: CLIENT.id,
        redirect_uri: &asked.redirect_uri,
        scopes,
        accounts: accounts.iter().map(Account::card).collect(),
    })
}

fn decide(zeta: &mut Zeta, request: &Request, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let form = Pairs::parse(&request.body);
    match form.all("decision").collect::<Vec<_>>()[..] {
        ["approve"] => approve(zeta, &form, asked, now),
        ["deny"] => Ok(back(&asked.redirect_uri, &asked.state, ("error", "access_denied"))),
        _ => Err(Mistake::Page(400, "decision has to be approve or deny".to_owned())),
    }
}

fn approve(zeta: &mut Zeta, form: &Pairs, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
    let known: Vec<String> = zeta.accounts.iter().map(|account| account.id.clone()).collect();
    if let Some(odd) = chosen.iter().find(|id| !known.contains(id)) {
        return Err(Mistake::Page(400, format!("{odd} is no ad account here")));
    }
    if chosen.is_empty() {
        chosen.extend(known.into_iter().take(1));
    }
    // A person can leave scopes out; the page has no boxes for it, but its form takes `scope`.
    let kept: Vec<&str> = form.all("scope").collect();
    let is_kept = |scope: &String| kept.is_empty() || kept.contains(&scope.as_str());
    let code = oauth::random();
    let consent = Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: asked.redirect_uri.clone(),
        scopes: asked.scopes.into_iter().filter(is_kept).collect(),
        accounts: chosen,
        challenge: None,
        refreshable: asked.permanent,
    };
    zeta.grants.add_code(&code, consent, now + CODE_LIVES);
    Ok(back(&asked.redirect_uri, &asked.state, ("code", &code)))
}
