//! The error type of every request: what happened and to which field. `envelope` maps it to a status code and JSON.

mod kind;

pub use crate::domain::{Accepted, FieldError};
pub use kind::Kind;

use crate::domain::spending::Spender;
use crate::domain::{ChangedFields, LimitRefusal, Platform, Reason, Rule, Spending, Statement};
use futures_util::FutureExt;
use jiff::Timestamp;
use std::error::Error as StdError;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

/// A platform's error: the `platform_error` of an error response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformError {
    /// The platform's error code.
    pub code: Option<String>,
    /// The platform's message, verbatim.
    pub message: String,
    /// The field of our request, or the platform's name for it.
    pub field: Option<String>,
}

/// A failed request.
#[derive(Debug)]
pub struct Error {
    pub kind: Kind,
    /// The reason, where the kind does not say it. Read it with [`Error::reason`].
    pub reason: Option<Reason>,
    /// The message to the caller: what happened and what to do next.
    pub message: Statement,
    /// The invalid fields.
    pub details: Vec<FieldError>,
    /// What became of the fields of an update.
    pub outcomes: Option<Box<ChangedFields>>,
    /// The spending limit of the API key that refuses the request.
    pub limit: Option<Box<LimitRefusal>>,
    pub platform: Option<Platform>,
    /// The platform's error: code, message, field.
    pub platform_error: Option<PlatformError>,
    /// Whether a retry of the same request is safe and may succeed.
    pub retryable: bool,
    /// Whether only the operator of this service can resolve it.
    pub is_for_operator: bool,
    /// Whether the connection keeps its status although the kind is [`Kind::Forbidden`].
    pub keeps_connection_status: bool,
    /// Whether the operation may have taken effect despite the error.
    pub unknown_outcome: bool,
    /// How long to wait before a retry.
    pub retry_after: Option<Duration>,
    /// The methods that the path supports.
    pub allow: Vec<&'static str>,
    /// The cause, for the log only.
    pub source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// A non-retryable error.
    pub fn new(kind: Kind, message: impl Into<Statement>) -> Error {
        Error {
            kind,
            reason: None,
            message: message.into(),
            details: Vec::new(),
            outcomes: None,
            limit: None,
            platform: None,
            platform_error: None,
            retryable: false,
            is_for_operator: false,
            keeps_connection_status: false,
            unknown_outcome: false,
            retry_after: None,
            allow: Vec::new(),
            source: None,
        }
    }

    /// One invalid field. The rule continues its name: `must be after start_at`.
    pub fn field(field: impl Into<String>, rule: impl Into<Rule>) -> Error {
        Error::fields(vec![FieldError::new(field, rule)])
    }

    /// One or more invalid fields.
    pub fn fields(details: Vec<FieldError>) -> Error {
        Error { details, ..Error::new(Kind::Validation, "The request is not valid.") }
    }

    /// A resource that does not exist or belongs to another customer: the message does not reveal which, and names the
    /// list of those that there are.
    pub fn not_found(what: &str) -> Error {
        Error::new(Kind::NotFound, Statement::NoSuch(what.to_owned()))
    }

    /// The refusal of a key's spending limit. Nothing was sent, and the connection works.
    pub fn over_limit(refusal: LimitRefusal) -> Error {
        let message = refusal.message.clone();
        Error { limit: Some(Box::new(refusal)), keeps_connection_status: true, ..Error::new(Kind::Forbidden, message) }
            .because(Reason::SpendingLimit)
    }

    /// The refusal of what a stopped key would add, or of its request.
    pub fn stopped(at: Timestamp) -> Error {
        let message = format!(
            "This API key was stopped at {at:.0}. A person can resume it on the dashboard's page \"API keys\". Nothing was \
             sent."
        );
        Error { keeps_connection_status: true, ..Error::new(Kind::Unauthorized, message) }.because(Reason::KeyStopped)
    }

    /// The refusal of what would run in the connections of a user that is paused.
    pub fn user_paused(at: Timestamp) -> Error {
        let message = format!(
            "The user of this connection was paused at {at:.0}, so nothing is activated or raised in it. POST \
             /v1/users/{{external_ref}}/resume ends that. Nothing was sent."
        );
        Error { keeps_connection_status: true, ..Error::new(Kind::Forbidden, message) }.because(Reason::UserPaused)
    }

    /// The refusal of everything in the connections of a user that is being erased.
    pub fn user_leaves() -> Error {
        let message = "The user of this connection is being erased, so nothing is changed in it any more. GET \
                       /v1/users/{external_ref} tells how far that is. Nothing was sent.";
        Error { keeps_connection_status: true, ..Error::new(Kind::Conflict, message) }.because(Reason::UserErased)
    }

    /// Why a spending refuses a change.
    pub fn refused(spending: &Spending, refusal: LimitRefusal) -> Error {
        match (&spending.spender, spending.stopped_at) {
            (Spender::Key(_), Some(at)) => Error::stopped(at),
            _ => Error::over_limit(refusal),
        }
    }

    /// A failure of this service. The source goes to the log and never to the caller.
    pub fn internal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let message = "Something went wrong on our side. Nothing was sent to an ad platform; try again.";
        Error { retryable: true, source: Some(source.into()), ..Error::new(Kind::Internal, message) }
    }

    /// Sets the reason, where the kind does not say it.
    #[must_use]
    pub fn because(self, reason: Reason) -> Error {
        Error { reason: Some(reason), ..self }
    }

    /// The reason. One that does not belong to the code is of an earlier meaning of the error and does not count.
    pub fn reason(&self) -> Reason {
        let code = self.kind.code();
        let general = [
            self.unknown_outcome.then_some(Reason::OutcomeUnknown),
            self.outcomes.as_deref().and_then(ChangedFields::reason),
            self.reason,
            self.is_for_operator.then_some(Reason::OperatorRequired),
        ];
        general.into_iter().flatten().find(|reason| reason.codes().contains(&code)).unwrap_or(self.kind.reason())
    }

    /// Adds what became of the fields of an update.
    #[must_use]
    pub fn with_outcomes(self, outcomes: ChangedFields) -> Error {
        Error { outcomes: Some(Box::new(outcomes)), ..self }
    }

    /// Sets the platform concerned.
    #[must_use]
    pub fn on(self, platform: Platform) -> Error {
        Error { platform: Some(platform), ..self }
    }

    /// Adds the platform's error, if there is one.
    #[must_use]
    pub fn with_platform_error(self, error: impl Into<Option<PlatformError>>) -> Error {
        Error { platform_error: error.into(), ..self }
    }

    /// The platform's own code.
    pub fn platform_code(&self) -> Option<&str> {
        self.platform_error.as_ref()?.code.as_deref()
    }

    /// The same error with the kind and the message of another one.
    #[must_use]
    pub fn with_meaning(self, meaning: Error) -> Error {
        let Error { kind, reason, message, is_for_operator, keeps_connection_status, .. } = meaning;
        Error { kind, reason, message, is_for_operator, keeps_connection_status, ..self }
    }

    /// Marks a retry as safe.
    #[must_use]
    pub fn retryable(self) -> Error {
        Error { retryable: true, ..self }
    }

    /// Marks a retry as unsafe.
    #[must_use]
    pub fn not_retryable(self) -> Error {
        Error { retryable: false, retry_after: None, ..self }
    }

    /// Marks an error that only the operator of this service can resolve. The connection keeps its state, so that it
    /// works again as soon as that is done.
    #[must_use]
    pub fn for_operator(self) -> Error {
        Error { is_for_operator: true, keeps_connection_status: true, ..self }
    }

    /// Marks the outcome as unknown, which makes a retry unsafe.
    #[must_use]
    pub fn of_unknown_outcome(self) -> Error {
        Error { unknown_outcome: true, ..self.not_retryable() }
    }

    /// The error of a failed write that the table may have applied, with what the caller should do. An error that is
    /// not our failure stays as it is.
    #[must_use]
    pub fn may_have_taken_effect(self, advice: &str) -> Error {
        if self.kind != Kind::Internal {
            return self;
        }
        let message = format!("An internal error occurred, and it is not known whether it took effect. {advice}");
        Error { message: message.into(), ..self.of_unknown_outcome() }
    }

    /// Sets the wait before a retry.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Error {
        Error { retry_after: Some(wait), ..self }
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub fn caused_by(self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        Error { source: Some(source.into()), ..self }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as &(dyn StdError + 'static))
    }
}

/// Keeps a panic at one due record from the others: it is an internal error.
pub async fn isolated<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.unwrap_or_else(|_| Err(Error::internal("a due record made its work panic")))
}
