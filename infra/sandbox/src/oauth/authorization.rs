//! A valid authorization request, and the responses to it.

use super::grant::Consent;
use super::grants::Grants;
use super::redirect_uri::with_parameters;
use crate::account::AccountSummary;
use crate::html::page;
use crate::http::{Pairs, Request, Response};
use askama::Template;

/// An authorization request (RFC 6749 section 4.1.1) of a known client with a valid redirect URI.
pub(crate) struct AuthorizationRequest {
    pub(crate) client_id: &'static str,
    pub(crate) redirect_uri: String,
    pub(crate) state: Option<String>,
    pub(crate) scopes: Vec<String>,
    /// PKCE challenge; most platforms have no PKCE.
    pub(crate) challenge: Option<String>,
    /// True if the grant gets a refresh token.
    pub(crate) refreshable: bool,
}

/// The page on which a person grants access. Its form posts to the page's own address.
#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage<'a> {
    title: String,
    platform: &'a str,
    client: &'a str,
    redirect_uri: &'a str,
    scopes: Vec<String>,
    accounts: Vec<AccountSummary>,
}

impl AuthorizationRequest {
    /// Redirects to the client with `parameters` and the request's state.
    pub(crate) fn redirect(&self, parameters: &[(&str, &str)]) -> Response {
        let mut parameters = parameters.to_vec();
        parameters.extend(self.state.as_deref().map(|state| ("state", state)));
        Response::redirect(&with_parameters(&self.redirect_uri, &parameters))
    }

    /// Shows the consent page with descriptions of the scopes.
    pub(crate) fn consent_page(&self, platform: &str, scopes: Vec<String>, accounts: Vec<AccountSummary>) -> Response {
        let title = format!("Sign in with {platform} (sandbox)");
        let client = self.client_id;
        let redirect_uri = self.redirect_uri.as_str();
        page(200, &ConsentPage { title, platform, client, redirect_uri, scopes, accounts })
    }

    /// Takes away the scopes that the person has not ticked, and returns them. The page has no checkboxes for them, but the
    /// form accepts `scope`; without it all are ticked.
    pub(crate) fn keep_ticked(&mut self, request: &Request) -> Vec<String> {
        let form = Pairs::parse(&request.body);
        let kept: Vec<&str> = form.all("scope").collect();
        let is_ticked = |scope: &String| kept.is_empty() || kept.contains(&scope.as_str());
        let (ticked, declined) = std::mem::take(&mut self.scopes).into_iter().partition(is_ticked);
        self.scopes = ticked;
        declined
    }

    /// The consent to this request for the chosen accounts.
    pub(crate) fn into_consent(self, accounts: Vec<String>) -> Consent {
        let Self { client_id, redirect_uri, scopes, challenge, refreshable, .. } = self;
        let (client, declined) = (client_id.to_owned(), Vec::new());
        Consent { client, redirect_uri, scopes, declined, accounts, challenge, refreshable }
    }

    /// Stores a code for the chosen accounts, and redirects to the client with it.
    pub(crate) fn approve(self, grants: &mut Grants, code: &str, accounts: Vec<String>, expires: i64) -> Response {
        let response = self.redirect(&[("code", code)]);
        grants.add_code(code, self.into_consent(accounts), expires);
        response
    }
}
