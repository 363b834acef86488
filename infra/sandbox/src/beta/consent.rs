//! The login dialog and the consent page behind it.
//!
//! Facebook Login: Manually Build a Login Flow; Permissions Reference.

use super::accounts::Account;
use super::{Beta, CLIENT, TITLE};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{self, Consent, is_redirect_uri, redirect_with};
use crate::page;
use crate::platform::Moment;

/// Seconds in which a code has to be redeemed.
const CODE_LIVES: i64 = 600;

/// Permissions that are known, in words.
const SCOPES: &[(&str, &str)] = &[
    ("ads_management", "Manage ads for the ad accounts that you choose"),
    ("ads_read", "Read the ads and reports of the ad accounts that you choose"),
    ("business_management", "Manage your business"),
    ("public_profile", "See your name and picture"),
    ("email", "See your email address"),
    ("pages_show_list", "See a list of the Pages that you manage"),
    ("pages_read_engagement", "Read content posted on your Pages"),
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

fn mistake(why: impl Into<String>) -> Mistake {
    Mistake(400, why.into())
}

/// Shows the page, or takes its answer.
pub(crate) fn answer(beta: &mut Beta, request: &Request, moment: &Moment<'_>) -> Reply {
    let outcome = asked(&request.query).and_then(|asked| match request.method.as_str() {
        "GET" => Ok(show(&beta.accounts, &asked)),
        "POST" => decide(beta, request, asked, moment.now.as_second()),
        _ => Err(Mistake(405, "This page is read and its form is sent.".to_owned())),
    });
    outcome.unwrap_or_else(|Mistake(status, why)| {
        let main = format!("<p>{}</p>", page::escape(&why));
        page::page(status, "This content isn't available right now (sandbox)", &main)
    })
}

fn asked(query: &str) -> Result<Asked, Mistake> {
    let query = Pairs::parse(query);
    if let Some(name) = query.repeated(PARAMETERS) {
        return Err(mistake(format!("The parameter {name} is given more than once")));
    }
    if query.get("config_id").is_some() {
        return Err(mistake("The sandbox does not imitate config_id (Facebook Login for Business)"));
    }
    let required = |name: &str| {
        let value = query.get(name).map(str::to_owned);
        value.ok_or_else(|| mistake(format!("The parameter {name} is required")))
    };
    if required("client_id")? != CLIENT.id {
        return Err(mistake("Invalid App ID: The provided app ID does not look like a valid app ID."));
    }
    let redirect_uri = required("redirect_uri")?;
    if !is_redirect_uri(&redirect_uri) {
        let why = "URL Blocked: the redirect URI is not among the app's. It is https, or http on this machine.";
        return Err(mistake(why));
    }
    if query.get("response_type").is_some_and(|kind| kind != "code") {
        return Err(mistake("The sandbox knows response_type code only"));
    }
    let scopes = scopes(query.get("scope").unwrap_or("public_profile"))?;
    Ok(Asked { redirect_uri, state: query.get("state").map(str::to_owned), scopes })
}

/// Separated by commas or spaces.
fn scopes(text: &str) -> Result<Vec<String>, Mistake> {
    let names: Vec<&str> = text.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !SCOPES.iter().any(|(known, _)| known == *name)) {
        None => Ok(names.into_iter().map(str::to_owned).collect()),
        Some(odd) => Err(mistake(format!("Invalid Scopes: {odd}."))),
    }
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

fn decide(beta: &mut Beta, request: &Request, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let form = Pairs::parse(&request.body);
    match form.all("decision").collect::<Vec<_>>()[..] {
        ["approve"] => approve(beta, &form, asked, now),
        ["deny"] => {
            let mut answer = vec![
                ("error", "access_denied"),
                ("error_code", "200"),
                ("error_description", "Permissions error"),
                ("error_reason", "user_denied"),
            ];
            answer.extend(asked.state.as_deref().map(|state| ("state", state)));
            Ok(Reply::redirect(&redirect_with(&asked.redirect_uri, &answer)))
        }
        _ => Err(mistake("decision has to be approve or deny")),
    }
}

fn approve(beta: &mut Beta, form: &Pairs, asked: Asked, now: i64) -> Result<Reply, Mistake> {
    let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
    let known: Vec<String> = beta.accounts.iter().map(Account::act).collect();
    if let Some(odd) = chosen.iter().find(|id| !known.contains(id)) {
        return Err(mistake(format!("{odd} is no ad account here")));
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
        refreshable: false,
    };
    beta.grants.add_code(&code, consent, now + CODE_LIVES);
    let mut answer = vec![("code", code.as_str())];
    answer.extend(asked.state.as_deref().map(|state| ("state", state)));
    Ok(Reply::redirect(&redirect_with(&asked.redirect_uri, &answer)))
}
