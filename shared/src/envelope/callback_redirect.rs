//! The redirect from the OAuth callback to the caller's own page, where its user goes on (D20).

use super::flat;
use crate::domain::{ConnectionId, ExternalRef, Reason, RedirectUri, SkippedAccount};
use crate::error::{Error, Kind};
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;
use secrecy::{ExposeSecret, SecretString};

/// Connections and ad accounts that a redirect names: an address must not be too long.
const MAX_NAMED: usize = 40;
/// Characters of the message that a redirect repeats.
const MAX_MESSAGE_CHARS: usize = 300;

/// Redirects the user's browser to a registered URI, with the outcome as query parameters.
#[derive(Debug)]
pub struct CallbackRedirect {
    /// Registered redirect URI.
    pub uri: RedirectUri,
    pub outcome: AuthorizationOutcome,
    /// The user of the authorization, as the caller named it.
    pub external_ref: Option<ExternalRef>,
    /// The caller's own state.
    pub state: Option<String>,
    /// The sealed names of the accounts that were left out, for a page of the dashboard.
    pub skipped_names: Option<String>,
}

/// The outcome of an authorization.
#[derive(Debug)]
pub enum AuthorizationOutcome {
    /// These connections are ACTIVE now.
    Connected {
        /// The one that the PENDING connection has become, or else the first by account.
        id: ConnectionId,
        all: Vec<ConnectionId>,
        skipped: Vec<SkippedAccount>,
    },
    /// The user has consented, and nothing is connected until the caller confirms it.
    AwaitsConfirmation {
        /// The PENDING connection.
        id: ConnectionId,
        /// Only this redirect carries it.
        code: SecretString,
    },
    /// The user denied consent.
    Denied,
    /// The authorization failed, and no account was connected.
    Failed {
        kind: Kind,
        reason: Reason,
        /// What happened, with the platform's words.
        message: String,
    },
}

impl AuthorizationOutcome {
    /// The outcome of an authorization that failed, with what the user is told of it.
    pub fn failed(error: &Error, message: &str) -> AuthorizationOutcome {
        AuthorizationOutcome::Failed { kind: error.kind, reason: error.reason(), message: message.to_owned() }
    }

    /// Whether the consent can lead to connections, or has.
    pub fn has_consent(&self) -> bool {
        matches!(self, AuthorizationOutcome::Connected { .. } | AuthorizationOutcome::AwaitsConfirmation { .. })
    }

    /// The names and values of the parameters.
    fn parameters(&self) -> Vec<(&'static str, String)> {
        match self {
            AuthorizationOutcome::Connected { id, all, skipped } => {
                let all: Vec<&str> = all.iter().take(MAX_NAMED).map(|id| id.0.as_str()).collect();
                let skipped: Vec<String> = skipped
                    .iter()
                    .take(MAX_NAMED)
                    .map(|one| format!("{}:{}", one.account.id, one.reason.as_str()))
                    .collect();
                let skipped = (!skipped.is_empty()).then(|| ("skipped", skipped.join(",")));
                let connected = [
                    ("status", "connected".to_owned()),
                    ("connection_id", id.0.clone()),
                    ("connection_ids", all.join(",")),
                ];
                connected.into_iter().chain(skipped).collect()
            }
            AuthorizationOutcome::AwaitsConfirmation { id, code } => vec![
                ("status", "awaiting_confirmation".to_owned()),
                ("connection_id", id.0.clone()),
                ("confirmation_code", code.expose_secret().to_owned()),
            ],
            AuthorizationOutcome::Denied => {
                vec![("status", "denied".to_owned()), ("error", "access_denied".to_owned())]
            }
            AuthorizationOutcome::Failed { kind, reason, message } => vec![
                ("status", "failed".to_owned()),
                ("error", flat::code(*kind).to_owned()),
                ("reason", reason.as_str().to_owned()),
                ("message", message.chars().take(MAX_MESSAGE_CHARS).collect()),
            ],
        }
    }
}

impl CallbackRedirect {
    /// The parameter of the sealed names.
    pub const SKIPPED_NAMES: &str = "skipped_names";

    /// The redirect. It passes on neither the platform's code nor its state, not even in a `Referer`.
    pub(super) fn response(&self) -> Response<Body> {
        let mut response = Response::new(Body::Empty);
        let headers = response.headers_mut();
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        // A redirect URI is ASCII without control characters, so this cannot fail.
        let Ok(location) = HeaderValue::from_str(&self.location()) else {
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            return response;
        };
        headers.insert(header::LOCATION, location);
        *response.status_mut() = StatusCode::FOUND;
        response
    }

    fn location(&self) -> String {
        let outcome = self.outcome.parameters();
        let user = self.external_ref.as_ref().map(|user| ("external_ref", user.as_str()));
        let state = self.state.as_deref().map(|state| ("state", state));
        let outcome = outcome.iter().map(|(name, value)| (*name, value.as_str()));
        let names = self.skipped_names.as_ref().map(|names| (CallbackRedirect::SKIPPED_NAMES, names.as_str()));
        let parameters: Vec<_> = outcome.chain(user).chain(state).chain(names).collect();
        self.uri.with_parameters(&parameters)
    }
}
