//! The authorization address and the consent page behind it.
//!
//! TikTok API for Business v1.3: "Authorization". The address takes `app_id`, `state` and
//! `redirect_uri` only; what the app may do was chosen when it was registered. What the platform
//! does when a person refuses is not published: here the redirect carries `error=access_denied`
//! and the state, as OAuth has it.

use super::{CLIENT, Gamma, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{self, Consent, is_redirect_uri, redirect_with};
use crate::page;
use crate::platform::Moment;

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 3600;

/// What the app's scopes mean.
const SCOPES: &[&str] =
    &["See your ad accounts", "Create, change and delete campaigns", "See reports about what they cost"];

struct Asked {
    redirect_uri: String,
    state: Option<String>,
}

/// An error page: it stays with the person, as the address to go to cannot be trusted.
struct Mistake(u16, String);

/// Shows the page, or takes its answer.
pub(crate) fn answer(gamma: &mut Gamma, request: &Request, moment: &Moment<'_>) -> Reply {
    let outcome = asked(&request.query).and_then(|asked| match request.method.as_str() {
        "GET" => Ok(show(gamma, &asked)),
        "POST" => decide(gamma, request, &asked, moment.now.as_second()),
        _ => Err(Mistake(405, "This page is read and its form is sent.".to_owned())),
    });
    outcome.unwrap_or_else(|Mistake(status, why)| {
        page::page(status, "Authorization failed (sandbox)", &format!("<p>{}</p>", page::escape(&why)))
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
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
    Ok(Asked { redirect_uri, state: query.get("state").map(str::to_owned) })
}

fn show(gamma: &Gamma, asked: &Asked) -> Reply {
    page::consent(&page::Consent {
        platform: TITLE,
        client: CLIENT.id,
        redirect_uri: &asked.redirect_uri,
        scopes: SCOPES.iter().map(|&words| words.to_owned()).collect(),
        accounts: gamma.accounts.iter().map(super::accounts::Account::card).collect(),
    })
}

fn decide(gamma: &mut Gamma, request: &Request, asked: &Asked, now: i64) -> Result<Reply, Mistake> {
    let form = Pairs::parse(&request.body);
    let (name, value) = match form.all("decision").collect::<Vec<_>>()[..] {
        ["approve"] => ("auth_code", approve(gamma, &form, now)?),
        ["deny"] => ("error", "access_denied".to_owned()),
        _ => return Err(Mistake(400, "decision has to be approve or deny".to_owned())),
    };
    let mut answer = vec![(name, value.as_str())];
    answer.extend(asked.state.as_deref().map(|state| ("state", state)));
    Ok(Reply::redirect(&redirect_with(&asked.redirect_uri, &answer)))
}

/// A code for the accounts that were chosen, the first one when none was.
fn approve(gamma: &mut Gamma, form: &Pairs, now: i64) -> Result<String, Mistake> {
    let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
    let known: Vec<&String> = gamma.accounts.iter().map(|account| &account.id).collect();
    if let Some(odd) = chosen.iter().find(|id| !known.contains(id)) {
        return Err(Mistake(400, format!("{odd} is no ad account here")));
    }
    if chosen.is_empty() {
        chosen.extend(known.into_iter().take(1).cloned());
    }
    let consent = Consent {
        client: CLIENT.id.to_owned(),
        redirect_uri: String::new(),
        scopes: Vec::new(),
        accounts: chosen,
        challenge: None,
        refreshable: false,
    };
    let code = oauth::random();
    gamma.grants.add_code(&code, consent, now + CODE_LIVES);
    Ok(code)
}
