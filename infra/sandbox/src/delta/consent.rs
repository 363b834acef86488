//! The platform's authorization address and the consent page behind it.
//!
//! LinkedIn: "Authorization Code Flow (3-legged OAuth)", steps 2 and 3.

use super::accounts::Account;
use super::{CLIENT, Delta, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{self, Consent, is_redirect_uri, redirect_with};
use crate::page;
use crate::platform::Moment;

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
    redirect_uri: String,
    state: Option<String>,
    scopes: Vec<String>,
}

/// An error page: it stays with the person, as the address to go to cannot be trusted.
struct Mistake(u16, String);

/// Shows the page, or takes its answer.
pub(crate) fn answer(delta: &mut Delta, request: &Request, moment: &Moment<'_>) -> Reply {
    let outcome = asked(&request.query).and_then(|asked| {
        if let Some(refused) = check_scopes(&asked) {
            return Ok(refused);
        }
        match request.method.as_str() {
            "GET" => Ok(show(&delta.accounts, &asked)),
            "POST" => decide(delta, request, asked, moment.now.as_second()),
            _ => Err(Mistake(405, "This page is read and its form is sent.".to_owned())),
        }
    });
    outcome.unwrap_or_else(|Mistake(status, why)| {
        let main = format!("<p>Error {status}</p><p>{}</p>", page::escape(&why));
        page::page(status, "Network will not be accessed (sandbox)", &main)
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
    Ok(Asked { redirect_uri, state: query.get("state").map(str::to_owned), scopes })
}

/// A scope that the application has not: the client is told.
fn check_scopes(asked: &Asked) -> Option<Reply> {
    let known = |scope: &String| SCOPES.iter().any(|(name, _)| name == scope);
    let odd = asked.scopes.iter().find(|scope| !known(scope))?;
    let why = format!("Scope \"{odd}\" is not authorized for your application");
    Some(refuse(asked, "unauthorized_scope_error", &why))
}

fn refuse(asked: &Asked, error: &str, why: &str) -> Reply {
    let mut answer = vec![("error", error), ("error_description", why)];
    answer.extend(asked.state.as_deref().map(|state| ("state", state)));
    Reply::redirect(&redirect_with(&asked.redirect_uri, &answer))
}

fn show(accounts: &[Account], asked: &Asked) -> Reply {
    let words = |scope: &String| {
        let known = SCOPES.iter().find(|(name, _)| name == scope);
        known.map_or_else(|| scope.clone(), |(_, words)| (*words).to_owned())
    };
    page::consent(&page::Consent {
        platform: TITLE,
        client: CLIENT.id,
        redirect_uri: &asked.redirect_uri,
        scopes: asked.scopes.iter().map(words).collect(),
        accounts: accounts.iter().map(Account::card).collect(),
    })
}

fn decide(delta: &mut Delta, request: &Request, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let form = Pairs::parse(&request.body);
    match form.all("decision").collect::<Vec<_>>()[..] {
        ["approve"] => approve(delta, &form, asked, now),
        ["deny"] => Ok(refuse(&asked, "user_cancelled_authorize", "The user cancelled the authorization")),
        _ => Err(Mistake(400, "decision has to be approve or deny".to_owned())),
    }
}

fn approve(delta: &mut Delta, form: &Pairs, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
    let known: Vec<String> = delta.accounts.iter().map(|account| account.id.to_string()).collect();
    if let Some(odd) = chosen.iter().find(|id| !known.contains(id)) {
        return Err(Mistake(400, format!("{odd} is no ad account here")));
    }
    if chosen.is_empty() {
        chosen.extend(known.into_iter().take(1));
    }
    let code = format!("AQ{}{}", oauth::random(), oauth::random());
    let consent = Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: asked.redirect_uri.clone(),
        scopes: asked.scopes,
        accounts: chosen,
        challenge: None,
        refreshable: true,
    };
    delta.grants.add_code(&code, consent, now + CODE_LIVES);
    let mut answer = vec![("code", code.as_str())];
    answer.extend(asked.state.as_deref().map(|state| ("state", state)));
    Ok(Reply::redirect(&redirect_with(&asked.redirect_uri, &answer)))
}
