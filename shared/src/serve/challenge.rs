//! The challenge of a refusal (RFC 6750, 3; RFC 9728, 5.1): how the sender gets a credential, if a program can.

use super::IncomingRequest;
use crate::auth::ApiKey;
use crate::domain::{Reason, Scope};
use crate::envelope::{BEARER, Reply};
use crate::error::Error;
use crate::routes::RESOURCE_METADATA;
use http::header::{HeaderValue, WWW_AUTHENTICATE};
use http::{Response, StatusCode};
use lambda_http::Body;

/// What a request has sent to prove who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    Nothing,
    /// A text that may be the token of an assistant.
    Token,
    ApiKey,
}

impl IncomingRequest {
    /// The response with its challenge, if it has one. `base` is the public address of the service, if it is known.
    pub(super) fn with_challenge(
        &self,
        mut response: Response<Body>,
        outcome: &Result<Reply, Error>,
        base: Option<&str>,
    ) -> Response<Body> {
        let lacks_scope = matches!(outcome, Err(error) if self.lacks_scope(error));
        let challenge = match (response.status(), base) {
            (StatusCode::UNAUTHORIZED, Some(base)) if self.is_of_agent() => sign_in(base, self.sent()),
            (StatusCode::UNAUTHORIZED, _) => BEARER.to_owned(),
            (StatusCode::FORBIDDEN, Some(base)) if lacks_scope => with_error("insufficient_scope", base),
            _ => return response,
        };
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        response
    }

    /// Whether an error says that the person of an assistant has not given it the scope.
    pub(super) fn lacks_scope(&self, error: &Error) -> bool {
        self.assistant.is_some() && error.reason() == Reason::ScopeMissing
    }

    fn sent(&self) -> Sent {
        match self.sent_keys() {
            (None, None) => Sent::Nothing,
            (None, Some(text)) if !ApiKey::has_prefix(&text) => Sent::Token,
            (None, Some(_)) | (Some(_), _) => Sent::ApiKey,
        }
    }
}

/// The challenge of the endpoint of agents. The holder of an API key needs the message of the error: a program that began
/// a sign-in instead would hide it.
fn sign_in(base: &str, sent: Sent) -> String {
    match sent {
        Sent::Nothing => format!("{BEARER} {}", parameters(base)),
        Sent::Token => with_error("invalid_token", base),
        Sent::ApiKey => BEARER.to_owned(),
    }
}

fn with_error(error: &str, base: &str) -> String {
    format!("{BEARER} error=\"{error}\", {}", parameters(base))
}

fn parameters(base: &str) -> String {
    format!("resource_metadata=\"{base}{RESOURCE_METADATA}\", scope=\"{}\"", Scope::Campaigns)
}
