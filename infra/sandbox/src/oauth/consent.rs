//! The consent page's form, its error page, and descriptions of scopes.

use crate::account::AccountSummary;
use crate::html;
use crate::http::{Pairs, Request, Response};
use askama::Template;

/// An error that the person sees. It does not redirect, because the client or its redirect URI is not verified.
pub(crate) struct PageError {
    pub(crate) status: u16,
    /// Error code, on platforms that show one.
    pub(crate) error: Option<&'static str>,
    pub(crate) message: String,
}

#[derive(Template)]
#[template(path = "oauth_error.html")]
struct ErrorPage<'a> {
    title: &'a str,
    status: u16,
    error: Option<&'a str>,
    message: &'a str,
}

impl PageError {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, error: None, message: message.into() }
    }

    /// The error page.
    pub(crate) fn page(&self, title: &str) -> Response {
        let Self { status, error, message } = self;
        html::page(*status, &ErrorPage { title, status: *status, error: *error, message })
    }
}

/// The person's decision on the consent page.
pub(crate) enum Decision {
    /// No decision yet: show the page.
    Pending,
    /// Access to the accounts with these ids.
    Approved(Vec<String>),
    Denied,
}

impl Decision {
    /// Reads the form. An approval without accounts means the first one, which the page has checked.
    pub(crate) fn read(request: &Request, accounts: &[AccountSummary]) -> Result<Self, PageError> {
        match request.method.as_str() {
            "GET" => return Ok(Self::Pending),
            "POST" => {}
            _ => return Err(PageError::new(405, "This page takes GET and POST.")),
        }
        let form = Pairs::parse(&request.body);
        match form.all("decision").collect::<Vec<_>>()[..] {
            ["approve"] => {}
            ["deny"] => return Ok(Self::Denied),
            _ => return Err(PageError::new(400, "decision must be approve or deny")),
        }
        let mut chosen: Vec<String> = form.all("account").map(str::to_owned).collect();
        if let Some(unknown) = chosen.iter().find(|id| !accounts.iter().any(|account| account.id == **id)) {
            return Err(PageError::new(400, format!("account {unknown} is unknown")));
        }
        if chosen.is_empty() {
            chosen.extend(accounts.first().map(|account| account.id.clone()));
        }
        Ok(Self::Approved(chosen))
    }
}

/// Descriptions of the requested scopes, in the order of the request.
pub(crate) fn describe_scopes(requested: &[String], known: &[(&str, &str)]) -> Vec<String> {
    let description = |scope: &String| known.iter().find(|(name, _)| name == scope).map(|(_, text)| (*text).to_owned());
    requested.iter().filter_map(description).collect()
}

/// Descriptions of the requested scopes, once each, in the order of `known`.
pub(crate) fn describe_scopes_sorted(requested: &[String], known: &[(&str, &str)]) -> Vec<String> {
    let matches = known.iter().filter(|(name, _)| requested.iter().any(|scope| scope == name));
    matches.map(|(_, text)| (*text).to_owned()).collect()
}
