//! The authorization endpoint and its page: Core 1.0, section 3.1.2.

use super::state::{Authentication, Oidc};
use super::{CLIENT, DEFAULT_EMAIL, REDIRECT_PATH, issuer};
use crate::html::page;
use crate::http::{Pairs, Request, Response};
use crate::oauth::{PageError, is_challenge, is_redirect_uri, random_token, with_parameters};
use askama::Template;
use jiff::Timestamp;
use url::Url;

const TITLE: &str = "Sign in (sandbox)";

/// Parameters that must not be repeated (RFC 6749, section 3.1).
const PARAMETERS: &[&str] = &[
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "max_age",
    "prompt",
    "login_hint",
];

/// The longest address that SMTP can deliver to (RFC 5321).
const MAX_EMAIL: usize = 254;

#[derive(Template)]
#[template(path = "oidc/authorize.html")]
struct AuthorizePage<'a> {
    title: &'static str,
    email: &'a str,
    is_invalid: bool,
    redirect_uri: &'a str,
}

/// An authorization request whose client and redirect URI are known.
struct Authorization<'a> {
    query: &'a Pairs,
    redirect_uri: &'a str,
}

/// Shows the page, or handles its form.
pub(super) fn handle(oidc: &mut Oidc, request: &Request, now: Timestamp) -> Response {
    let query = Pairs::parse(&request.query);
    let authorization = match Authorization::read(&query) {
        Ok(authorization) => authorization,
        Err(error) => return error.page(TITLE),
    };
    let challenge = match authorization.check() {
        Ok(challenge) => challenge,
        Err((error, description)) => return authorization.refuse(request, error, description),
    };
    match request.method.as_str() {
        "GET" => authorization.show(200, query.get("login_hint").unwrap_or(DEFAULT_EMAIL), false),
        "POST" => authorization.submit(oidc, request, challenge, now),
        _ => PageError::new(405, "This page takes GET and POST.").page(TITLE).with("allow", "GET, POST"),
    }
}

impl<'a> Authorization<'a> {
    /// An error here shows a page: the redirect URI may be an attacker's.
    fn read(query: &'a Pairs) -> Result<Self, PageError> {
        if let Some(name) = query.repeated(PARAMETERS) {
            return Err(PageError::new(400, format!("{name} is given twice")));
        }
        if query.get("client_id") != Some(CLIENT.id) {
            return Err(PageError::new(400, "client_id is unknown"));
        }
        let redirect_uri = query.get("redirect_uri").unwrap_or_default();
        let has_path = Url::parse(redirect_uri).is_ok_and(|url| url.path() == REDIRECT_PATH && url.query().is_none());
        if !is_redirect_uri(redirect_uri) || !has_path {
            return Err(PageError::new(400, format!("redirect_uri is not registered: {redirect_uri}")));
        }
        Ok(Self { query, redirect_uri })
    }

    /// The PKCE challenge of a valid request, or an error code with its description.
    fn check(&self) -> Result<&'a str, (&'static str, &'static str)> {
        if self.query.get("response_type") != Some("code") {
            return Err(("unsupported_response_type", "response_type has to be code"));
        }
        if !self.query.get("scope").unwrap_or_default().split(' ').any(|scope| scope == "openid") {
            return Err(("invalid_scope", "scope has to contain openid"));
        }
        let is_s256 = self.query.get("code_challenge_method") == Some("S256");
        let challenge = self.query.get("code_challenge").filter(|challenge| is_s256 && is_challenge(challenge));
        let challenge = challenge.ok_or(("invalid_request", "PKCE with S256 is required"))?;
        if self.query.get("max_age").is_some_and(|age| age.parse::<u32>().is_err()) {
            return Err(("invalid_request", "max_age has to be a number of seconds"));
        }
        match self.query.get("prompt") {
            Some("none") => Err(("login_required", "the person has to sign in")),
            None | Some("login" | "consent" | "select_account") => Ok(challenge),
            Some(_) => Err(("invalid_request", "prompt has an unknown value")),
        }
    }

    fn submit(&self, oidc: &mut Oidc, request: &Request, challenge: &str, now: Timestamp) -> Response {
        let form = Pairs::parse(&request.body);
        if form.get("decision") == Some("deny") {
            return self.refuse(request, "access_denied", "the person did not sign in");
        }
        let email = form.get("email").unwrap_or_default().trim();
        if !is_email(email) {
            return self.show(400, email, true);
        }
        let code = random_token();
        let authentication = Authentication {
            email: email.to_owned(),
            redirect_uri: self.redirect_uri.to_owned(),
            nonce: self.query.get("nonce").map(str::to_owned),
            code_challenge: challenge.to_owned(),
            at: now,
        };
        oidc.issue(code.clone(), authentication);
        self.redirect(request, &[("code", &code)])
    }

    fn show(&self, status: u16, email: &str, is_invalid: bool) -> Response {
        page(status, &AuthorizePage { title: TITLE, email, is_invalid, redirect_uri: self.redirect_uri })
    }

    fn refuse(&self, request: &Request, error: &str, description: &str) -> Response {
        self.redirect(request, &[("error", error), ("error_description", description)])
    }

    /// Redirects to the client, with `state` as sent and `iss` (RFC 9207).
    fn redirect(&self, request: &Request, parameters: &[(&str, &str)]) -> Response {
        let issuer = issuer(request);
        let mut all = parameters.to_vec();
        all.extend(self.query.get("state").map(|state| ("state", state)));
        all.push(("iss", &issuer));
        Response::see_other(&with_parameters(self.redirect_uri, &all))
    }
}

fn is_email(text: &str) -> bool {
    let parts = text.split_once('@').filter(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    parts.is_some() && text.len() <= MAX_EMAIL && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}
