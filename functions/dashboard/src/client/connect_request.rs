//! The authorization request of a client (RFC 6749, section 4.1.1), with a code challenge (RFC 7636) and a resource (RFC 8707).
//! It waits 15 minutes in a sealed cookie, through a sign-in, until the person decides.

use crate::client::cookie_values::{CookieValues, Kind, Owner};
use crate::client::session::SignedIn;
use crate::kit::addresses::OF_USER;
use serde::{Deserialize, Serialize};
use shared::domain::{Scope, sha256_hex};
use shared::envelope::query::value;
use shared::envelope::{Cookie, WebReply};
use shared::error::{Error, Kind as ErrorKind};
use shared::serve::WebRequest;

/// Longest state.
const MAX_STATE: usize = 1_024;
/// Length of a code challenge: 256 bits in base64url.
const CHALLENGE_LENGTH: usize = 43;
/// The parameters that are read. Any other one is ignored, also `prompt`: every request shows the page.
const PARAMETERS: [&str; 8] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "code_challenge",
    "code_challenge_method",
    "state",
    "scope",
    "resource",
];

/// The field with what the assistant may do, and that with the assistant that is connected anew.
pub(crate) const MAY: &str = "may";
pub(crate) const ANEW: &str = "anew";
/// The fields that the page shows again, beside those of the limit.
pub(crate) const FIELDS: [&str; 3] = [MAY, ANEW, OF_USER];

/// A request that a person decides on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct ConnectRequest {
    #[serde(rename = "c")]
    pub(crate) client_id: String,
    #[serde(rename = "r")]
    pub(crate) redirect_uri: String,
    #[serde(rename = "p")]
    pub(crate) challenge: String,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<String>,
    /// Whether the program asks for reading alone.
    #[serde(rename = "l", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) only_looks: bool,
    /// The name that the page has shown. It counts, also if the client's document has another one later.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
}

impl ConnectRequest {
    /// Reads a request for the MCP server at this address. The errors are for a page: nothing of a request is trusted enough
    /// to redirect to it.
    pub(crate) fn read(query: &[(String, String)], mcp: &str) -> Result<ConnectRequest, Error> {
        let count = |name: &str| query.iter().filter(|(known, _)| known == name).count();
        if let Some(name) = PARAMETERS.into_iter().find(|name| count(name) > 1) {
            return Err(wrong(format!("The app has sent {name} more than once.")));
        }
        let sent = |name: &str| value(query, name).unwrap_or_default();
        if sent("response_type") != "code" {
            return Err(wrong("The app must ask for response_type=code.".to_owned()));
        }
        if sent("code_challenge_method") != "S256" || !is_challenge(sent("code_challenge")) {
            return Err(wrong("The app must send a code_challenge with code_challenge_method=S256.".to_owned()));
        }
        if let Some(missing) = ["client_id", "redirect_uri"].into_iter().find(|name| sent(name).is_empty()) {
            return Err(wrong(format!("The app has sent no {missing}.")));
        }
        if sent("state").len() > MAX_STATE {
            return Err(wrong(format!("The state of the app is longer than {MAX_STATE} bytes.")));
        }
        if value(query, "resource").is_some_and(|resource| resource != mcp) {
            return Err(wrong(format!("The resource of the app is another one than {mcp}.")));
        }
        let asks = |scope: Scope| sent("scope").split(' ').any(|one| one == scope.as_str());
        Ok(ConnectRequest {
            client_id: sent("client_id").to_owned(),
            redirect_uri: sent("redirect_uri").to_owned(),
            challenge: sent("code_challenge").to_owned(),
            state: value(query, "state").map(str::to_owned),
            only_looks: asks(Scope::Read) && !asks(Scope::Campaigns),
            name: None,
        })
    }

    /// The request that waits in this browser.
    pub(crate) fn find(request: &WebRequest, person: &SignedIn) -> Option<ConnectRequest> {
        person.cookie_values.find(Kind::Connect, request.now)
    }

    /// The request that waits in this browser, before anybody has signed in.
    pub(crate) async fn before_sign_in(request: &WebRequest) -> Option<ConnectRequest> {
        if !Kind::Connect.is_waiting(request) {
            return None;
        }
        CookieValues::of(request, Owner::unknown()).await.find(Kind::Connect, request.now)
    }

    /// The request as the page shows it, with the name of its program.
    #[must_use]
    pub(crate) fn shown_as(self, name: &str) -> ConnectRequest {
        ConnectRequest { name: Some(name.to_owned()), ..self }
    }

    /// Leaves the request with a reply. A browser keeps only so much of it.
    pub(crate) fn leave(&self, reply: WebReply) -> Result<WebReply, Error> {
        let value = Kind::Connect.value(self);
        let value = value.ok_or_else(|| {
            wrong("The client_id, redirect_uri and state of the app are too long together.".to_owned())
        })?;
        Ok(reply.with_unsealed(value))
    }

    /// Ends the request.
    pub(crate) fn removal_cookie() -> Cookie {
        Kind::Connect.removal_cookie()
    }

    /// What binds a form to the request that its page has shown: another tab, or another site, may have begun another one
    /// meanwhile. `None` for a request that no page has shown.
    pub(crate) fn mark(&self) -> Option<String> {
        self.name.as_ref()?;
        serde_json::to_string(self).ok().map(|json| sha256_hex(&json))
    }
}

fn is_challenge(text: &str) -> bool {
    text.len() == CHALLENGE_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Validation, message)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    pub(crate) const MCP: &str = "https://ads.example.com/v1/mcp";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    /// A request for this client and this redirect.
    pub(crate) fn asked(client_id: &str, redirect_uri: &str) -> ConnectRequest {
        ConnectRequest::read(&query(&[("client_id", client_id), ("redirect_uri", redirect_uri)]), MCP).unwrap()
    }

    /// The parameters of a usual request, with others in their places.
    fn query(other: &[(&str, &str)]) -> Vec<(String, String)> {
        let usual = [
            ("response_type", "code"),
            ("client_id", "https://claude.ai/oauth/mcp-oauth-client-metadata"),
            ("redirect_uri", "https://claude.ai/api/mcp/auth_callback"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "s"),
        ];
        let kept = usual.into_iter().filter(|(name, _)| !other.iter().any(|(known, _)| known == name));
        form(&kept.chain(other.iter().copied()).collect::<Vec<_>>())
    }

    #[test]
    fn a_usual_request_is_read() {
        let read = |other: &[(&str, &str)]| ConnectRequest::read(&query(other), MCP).unwrap();
        let usual = read(&[]);
        assert_eq!((usual.challenge.as_str(), usual.state.as_deref()), (CHALLENGE, Some("s")));
        for (scope, only_looks) in [
            ("read", true),
            ("read offline_access", true),
            ("campaigns read", false),
            ("write billing", false),
            ("", false),
        ] {
            assert_eq!(read(&[("scope", scope)]).only_looks, only_looks, "{scope}");
        }
        assert_eq!(read(&[("resource", MCP), ("prompt", "none"), ("max_age", "0")]), usual, "the rest is ignored");
    }

    #[test]
    fn a_wrong_request_is_refused() {
        let long = "s".repeat(MAX_STATE + 1);
        for (name, sent) in [
            ("response_type", "token"),
            ("response_type", ""),
            ("client_id", ""),
            ("redirect_uri", ""),
            ("code_challenge", ""),
            ("code_challenge", "short"),
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"),
            ("code_challenge_method", "plain"),
            ("code_challenge_method", ""),
            ("state", &long),
            ("resource", "https://ads.example.com/v1/mcp/"),
            ("resource", "https://ads.example.com/v1"),
            ("resource", ""),
        ] {
            let error = ConnectRequest::read(&query(&[(name, sent)]), MCP).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Validation, "{name}={sent}");
        }
        for name in PARAMETERS {
            let twice = [query(&[(name, "a")]), query(&[(name, "a")])].concat();
            assert!(ConnectRequest::read(&twice, MCP).is_err(), "{name} twice");
        }
    }

    #[test]
    fn a_form_is_bound_to_what_its_page_has_shown() {
        let asked = asked("https://claude.ai/a", "https://claude.ai/b");
        assert_eq!(asked.mark(), None, "no page has shown it");
        let shown = asked.clone().shown_as("Claude");
        assert_eq!(shown.mark(), asked.clone().shown_as("Claude").mark());
        assert_ne!(shown.mark(), asked.shown_as("Claudia").mark());
        let other = ConnectRequest { redirect_uri: "https://evil.example/".to_owned(), ..shown.clone() };
        assert_ne!(shown.mark(), other.mark());
    }

    #[test]
    fn what_is_too_long_together_is_refused() {
        let sized = |client: usize, state: usize| {
            let (client, state) = (format!("dcr.{}", "a".repeat(client)), "s".repeat(state));
            let query = query(&[("client_id", &client), ("state", &state)]);
            let asked = ConnectRequest::read(&query, MCP).unwrap();
            asked.shown_as(&"é".repeat(60)).leave(WebReply::see_other("/")).is_ok()
        };
        assert!(sized(996, 1_024), "the longest registration with the longest state");
        assert!(!sized(2_000, 1_024));
    }
}
