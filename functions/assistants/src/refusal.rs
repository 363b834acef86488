//! The errors of OAuth (RFC 6749, 5.2), and how they become responses.

use shared::envelope::{OAuthReply, Reply};
use shared::error::Error;

/// A refusal in the words of OAuth. Its status is 400: a public client authenticates by nothing that could be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) error: &'static str,
    pub(crate) description: String,
}

/// Why a request has no tokens.
#[derive(Debug)]
pub(crate) enum Failure {
    Refused(Refusal),
    /// This service could not answer, in the form that all its failures have.
    Failed(Error),
}

impl Refusal {
    fn new(error: &'static str, description: impl Into<String>) -> Refusal {
        Refusal { error, description: description.into() }
    }

    /// The request itself cannot be read.
    pub(crate) fn invalid_request(description: impl Into<String>) -> Refusal {
        Refusal::new("invalid_request", description)
    }

    /// A code or a token that leads to nothing. It says neither which, nor why: its sender has proved nothing. A host that
    /// reads this asks its person to sign in, and does not try again.
    pub(crate) fn invalid_grant() -> Refusal {
        let description = "This sign-in has ended, or is not for this client. Connect again; its person signs in and says \
                           what the assistant may do.";
        Refusal::new("invalid_grant", description)
    }

    /// This service gives no tokens for the `resource` (RFC 8707).
    pub(crate) fn invalid_target(resource: &str) -> Refusal {
        Refusal::new(
            "invalid_target",
            format!("The only resource is {resource}. Send it once, exactly so, or not at all."),
        )
    }

    /// Another grant than the two.
    pub(crate) fn unsupported_grant_type() -> Refusal {
        Refusal::new("unsupported_grant_type", "grant_type is authorization_code or refresh_token.")
    }

    fn reply(&self) -> OAuthReply {
        OAuthReply::refusal(self.error, &self.description)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Failed(error)
    }
}

/// The outcome of a request. A refusal is a response like any other.
pub(crate) fn answered(outcome: Result<OAuthReply, Failure>) -> Result<Reply, Error> {
    match outcome {
        Ok(reply) => Ok(Reply::OAuth(reply)),
        Err(Failure::Refused(refusal)) => Ok(Reply::OAuth(refusal.reply())),
        Err(Failure::Failed(error)) => Err(error),
    }
}
