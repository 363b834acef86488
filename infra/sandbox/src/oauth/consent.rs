//! What consent pages share: the form's answer, the way back to the client, and the page for a
//! request that gets none. What a client may ask, and in which words it is refused, is each
//! platform's own.

use super::consent_page::ErrorPage;
use super::{Consent, redirect_with};
use crate::account::AccountSummary;
use crate::html;
use crate::http::{Pairs, Reply, Request};

/// An error page: it stays with the person, as the address to go to cannot be trusted.
pub(crate) struct Mistake(pub(crate) u16, pub(crate) String);

impl Mistake {
    /// The page with the status above the reason, as three platforms have it.
    pub(crate) fn page(&self, title: &str) -> Reply {
        let Self(status, why) = self;
        html::page(*status, &ErrorPage { title, status: *status, error: None, message: why })
    }
}

/// Where the answer goes, and what the client wants back with it.
pub(crate) struct Client {
    pub(crate) redirect_uri: String,
    pub(crate) state: Option<String>,
}

impl Client {
    /// Sends the person back, the state after the parameters: it tells the client whose answer it is.
    pub(crate) fn told(&self, parameters: &[(&str, &str)]) -> Reply {
        let mut answer = parameters.to_vec();
        answer.extend(self.state.as_deref().map(|state| ("state", state)));
        Reply::redirect(&redirect_with(&self.redirect_uri, &answer))
    }

    /// What a person agreed to without PKCE, tied to this address: most platforms have none.
    pub(crate) fn consent(&self, id: &str, scopes: Vec<String>, accounts: Vec<String>, refreshable: bool) -> Consent {
        let redirect_uri = self.redirect_uri.clone();
        Consent { client: id.to_owned(), redirect_uri, scopes, accounts, challenge: None, refreshable }
    }
}

/// What a person does on the consent page.
pub(crate) enum Step {
    /// Looks at it, and at these accounts.
    Look(Vec<AccountSummary>),
    /// Lets the client in to the accounts of these ids.
    Approve(Vec<String>),
    Deny,
}

impl Step {
    /// Reads the request; an approval that names no account means the first, as the page has it
    /// ticked.
    pub(crate) fn of(request: &Request, cards: Vec<AccountSummary>) -> Result<Self, Mistake> {
        match request.method.as_str() {
            "GET" => return Ok(Self::Look(cards)),
            "POST" => {}
            _ => return Err(Mistake(405, "This page is read and its form is sent.".to_owned())),
        }
        let form = Pairs::parse(&request.body);
        match form.all("decision").collect::<Vec<_>>()[..] {
            ["approve"] => {}
            ["deny"] => return Ok(Self::Deny),
            _ => return Err(Mistake(400, "decision has to be approve or deny".to_owned())),
        }
        let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
        if let Some(odd) = chosen.iter().find(|id| !cards.iter().any(|card| card.id == **id)) {
            return Err(Mistake(400, format!("{odd} is no ad account here")));
        }
        if chosen.is_empty() {
            chosen.extend(cards.into_iter().map(|card| card.id).take(1));
        }
        Ok(Self::Approve(chosen))
    }
}

/// The meaning of each scope that was asked for, in that order: people do not read names.
pub(crate) fn words(asked: &[String], known: &[(&str, &str)]) -> Vec<String> {
    let word = |scope: &String| known.iter().find(|(name, _)| name == scope).map(|(_, words)| (*words).to_owned());
    asked.iter().filter_map(word).collect()
}

/// The meaning of each scope that was asked for, once and in the order of the list, for platforms
/// that sort what they show.
pub(crate) fn listed_words(asked: &[String], known: &[(&str, &str)]) -> Vec<String> {
    let wanted = known.iter().filter(|(name, _)| asked.iter().any(|scope| scope == name));
    wanted.map(|(_, words)| (*words).to_owned()).collect()
}
