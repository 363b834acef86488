//! The authorization address and the consent page behind it.
//!
//! Pinterest API: "Set up authentication and authorization", step 1 of the OAuth flow; "Scopes".

use super::accounts::Account;
use super::{CLIENT, Epsilon, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{self, Consent, is_redirect_uri, redirect_with};
use crate::page;
use crate::platform::Moment;

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
    redirect_uri: String,
    state: Option<String>,
    scopes: Vec<String>,
}

/// An error page: it stays with the person, as the address to go to cannot be trusted.
struct Mistake(u16, String);

/// Shows the page, or takes its answer.
pub(crate) fn answer(epsilon: &mut Epsilon, request: &Request, moment: &Moment<'_>) -> Reply {
    let outcome = asked(&request.query).and_then(|asked| match request.method.as_str() {
        "GET" => Ok(show(&epsilon.accounts, &asked)),
        "POST" => decide(epsilon, request, asked, moment.now.as_second()),
        _ => Err(Mistake(405, "This page is read and its form is sent.".to_owned())),
    });
    outcome.unwrap_or_else(|Mistake(status, why)| {
        let main = format!("<p>Error {status}</p><p>{}</p>", page::escape(&why));
        page::page(status, "Access was not given (sandbox)", &main)
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
    Ok(Asked { redirect_uri, state: query.get("state").map(str::to_owned), scopes })
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

fn show(accounts: &[Account], asked: &Asked) -> Reply {
    let words = SCOPES.iter().filter(|(name, _)| asked.scopes.iter().any(|scope| scope == name));
    page::consent(&page::Consent {
        platform: TITLE,
        client: CLIENT.id,
        redirect_uri: &asked.redirect_uri,
        scopes: words.map(|(_, words)| (*words).to_owned()).collect(),
        accounts: accounts.iter().map(Account::card).collect(),
    })
}

fn decide(epsilon: &mut Epsilon, request: &Request, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let form = Pairs::parse(&request.body);
    match form.all("decision").collect::<Vec<_>>()[..] {
        ["approve"] => approve(epsilon, &form, asked, now),
        ["deny"] => {
            let mut answer = vec![("error", "access_denied")];
            answer.extend(asked.state.as_deref().map(|state| ("state", state)));
            Ok(Reply::redirect(&redirect_with(&asked.redirect_uri, &answer)))
        }
        _ => Err(Mistake(400, "decision has to be approve or deny".to_owned())),
    }
}

fn approve(epsilon: &mut Epsilon, form: &Pairs, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
    let known: Vec<String> = epsilon.accounts.iter().map(|account| account.id.to_string()).collect();
    if let Some(odd) = chosen.iter().find(|id| !known.contains(id)) {
        return Err(Mistake(400, format!("{odd} is no ad account here")));
    }
    if chosen.is_empty() {
        chosen.extend(known.into_iter().take(1));
    }
    let code = oauth::random();
    let consent = Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: asked.redirect_uri.clone(),
        scopes: asked.scopes,
        accounts: chosen,
        challenge: None,
        refreshable: true,
    };
    epsilon.grants.add_code(&code, consent, now + CODE_LIVES);
    let mut answer = vec![("code", code.as_str())];
    answer.extend(asked.state.as_deref().map(|state| ("state", state)));
    Ok(Reply::redirect(&redirect_with(&asked.redirect_uri, &answer)))
}
