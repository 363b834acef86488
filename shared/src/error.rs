//! The one error type. It says what happened and to which field; it knows no status code and no JSON.

use crate::domain::{MoneyError, Platform};
use std::error::Error as StdError;
use std::time::Duration;

/// What kind of thing went wrong. Finer than the interface's codes, because one code may have several statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A missing or invalid field.
    Validation,
    /// The path exists, the method does not; the allowed ones are in `allow`.
    MethodNotAllowed,
    /// The body is larger than the limit.
    PayloadTooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// No key, or one that is not valid.
    Unauthorized,
    /// A valid key, and no permission.
    Forbidden,
    /// There is no such thing, or it is somebody else's.
    NotFound,
    /// The state of the thing does not allow it.
    Conflict,
    /// An `Idempotency-Key` that came with another request before.
    KeyReused,
    /// Too many requests for the moment.
    RateLimited,
    /// The billing period's requests are used up.
    QuotaExceeded,
    /// The platform refused the content of the request.
    PlatformRefused,
    /// The platform failed, or answered what cannot be understood.
    PlatformFailed,
    /// The platform did not answer in time.
    PlatformTimeout,
    /// The platform has no such operation.
    NotSupported,
    /// The platform's grant is dead.
    TokenExpired,
    /// Our own fault.
    Internal,
}

/// A field of the request and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Name as the caller wrote it: `budget_amount`, `targets[0].platform`, `body`.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// What a platform said about its refusal (spec 7.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformFault {
    /// The platform's own code.
    pub code: Option<String>,
    /// The platform's own words.
    pub message: String,
    /// The field of our request it is about, or the platform's own name for it.
    pub field: Option<String>,
}

/// A failed request.
#[derive(Debug)]
pub struct Error {
    /// What happened.
    pub kind: Kind,
    /// For the caller, in words; says what to do next where there is something.
    pub message: String,
    /// The fields at fault.
    pub details: Vec<FieldError>,
    /// Whose platform it was about.
    pub platform: Option<Platform>,
    /// What that platform said.
    pub platform_fault: Option<PlatformFault>,
    /// Whether the same request may be sent again and may then succeed.
    pub retryable: bool,
    /// Whether what was asked for may have happened all the same.
    pub unknown_outcome: bool,
    /// When to try again.
    pub retry_after: Option<Duration>,
    /// The methods that the path does have.
    pub allow: Vec<&'static str>,
    /// For the log only.
    pub source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of this kind, not retryable, with nothing else said.
    pub fn new(kind: Kind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
            details: Vec::new(),
            platform: None,
            platform_fault: None,
            retryable: false,
            unknown_outcome: false,
            retry_after: None,
            allow: Vec::new(),
            source: None,
        }
    }

    /// One invalid field.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Error {
        Error::fields(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Several invalid fields; there must be at least one.
    pub fn fields(details: Vec<FieldError>) -> Error {
        Error { details, ..Error::new(Kind::Validation, "The request is not valid.") }
    }

    /// An amount that cannot be held exactly.
    pub fn amount(field: &str, reason: MoneyError) -> Error {
        Error::field(field, reason.to_string())
    }

    /// No such thing, or somebody else's: the two are not told apart.
    pub fn not_found(what: &str) -> Error {
        Error::new(Kind::NotFound, format!("There is no such {what}."))
    }

    /// Our own fault. The source goes to the log and never to the caller.
    pub fn internal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let message = "Something went wrong on our side. Nothing was sent to an ad platform; try again.";
        Error { retryable: true, source: Some(source.into()), ..Error::new(Kind::Internal, message) }
    }

    /// Names the platform it is about.
    #[must_use]
    pub fn on(self, platform: Platform) -> Error {
        Error { platform: Some(platform), ..self }
    }

    /// Adds what the platform said.
    #[must_use]
    pub fn with_fault(self, fault: PlatformFault) -> Error {
        Error { platform_fault: Some(fault), ..self }
    }

    /// Says that a retry is safe and may help.
    #[must_use]
    pub fn retryable(self) -> Error {
        Error { retryable: true, ..self }
    }

    /// Says that a retry is not safe, whatever was said before.
    #[must_use]
    pub fn not_retryable(self) -> Error {
        Error { retryable: false, retry_after: None, ..self }
    }

    /// Says that what was asked for may have happened, so that a retry is not safe.
    #[must_use]
    pub fn of_unknown_outcome(self) -> Error {
        Error { unknown_outcome: true, ..self.not_retryable() }
    }

    /// Says when to try again.
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
