//! The categories of errors, their codes and their reasons.

use crate::domain::Reason;

/// The category of an error. Finer than the API's error codes, because one code may have several statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A missing or invalid field.
    Validation,
    /// The path does not support the method; `allow` lists the methods that it does.
    MethodNotAllowed,
    /// The body is larger than the limit.
    PayloadTooLarge,
    /// The body's `Content-Type` is not JSON.
    UnsupportedMediaType,
    /// The API key is missing or invalid.
    Unauthorized,
    /// The API key is valid, but the operation is not allowed.
    Forbidden,
    /// The resource does not exist or belongs to another customer.
    NotFound,
    /// The state of the resource does not allow the operation.
    Conflict,
    /// The `Idempotency-Key` belongs to a different request.
    KeyReused,
    /// Too many requests at the moment.
    RateLimited,
    /// The billing period's requests are used up.
    QuotaExceeded,
    /// The platform rejected the content of the request.
    PlatformRefused,
    /// The platform failed or sent an unreadable response.
    PlatformFailed,
    /// The platform did not respond in time.
    PlatformTimeout,
    /// The platform does not support the operation.
    NotSupported,
    /// The platform's grant has expired or was revoked.
    TokenExpired,
    /// A failure of this service.
    Internal,
}

impl Kind {
    /// The code of the API. The flat shape differs in that of [`Kind::Validation`].
    pub fn code(self) -> &'static str {
        match self {
            Kind::Validation | Kind::MethodNotAllowed | Kind::PayloadTooLarge | Kind::UnsupportedMediaType => {
                "BAD_REQUEST"
            }
            Kind::Unauthorized => "UNAUTHORIZED",
            Kind::Forbidden => "FORBIDDEN",
            Kind::NotFound => "NOT_FOUND",
            Kind::Conflict | Kind::KeyReused => "CONFLICT",
            Kind::RateLimited => "RATE_LIMITED",
            Kind::QuotaExceeded => "RATE_LIMIT_EXCEEDED",
            Kind::PlatformRefused | Kind::PlatformFailed | Kind::PlatformTimeout => "PLATFORM_ERROR",
            Kind::NotSupported => "NOT_SUPPORTED",
            Kind::TokenExpired => "TOKEN_EXPIRED",
            Kind::Internal => "INTERNAL_ERROR",
        }
    }

    /// The reason of an error that names none of its own.
    pub(super) fn reason(self) -> Reason {
        match self {
            Kind::Validation => Reason::InvalidRequest,
            Kind::MethodNotAllowed => Reason::MethodNotAllowed,
            Kind::PayloadTooLarge => Reason::BodyTooLarge,
            Kind::UnsupportedMediaType => Reason::UnsupportedContent,
            Kind::Unauthorized => Reason::KeyUnknown,
            Kind::Forbidden => Reason::NotPermitted,
            Kind::NotFound => Reason::NotFound,
            Kind::Conflict => Reason::StateConflict,
            Kind::KeyReused => Reason::IdempotencyKeyReused,
            Kind::RateLimited => Reason::Busy,
            Kind::QuotaExceeded => Reason::QuotaUsedUp,
            Kind::PlatformRefused => Reason::PlatformRefused,
            Kind::PlatformFailed => Reason::PlatformFailed,
            Kind::PlatformTimeout => Reason::PlatformTimeout,
            Kind::NotSupported => Reason::NotSupported,
            Kind::TokenExpired => Reason::AuthorizationEnded,
            Kind::Internal => Reason::Internal,
        }
    }

    /// Whether the failure says nothing about the request: at another time the same request may succeed.
    pub fn is_inconclusive(self) -> bool {
        matches!(self, Kind::RateLimited | Kind::PlatformFailed | Kind::PlatformTimeout | Kind::Internal)
    }
}
