//! The reason of an error: finer than its code, and as stable (D77).

use super::variants;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Why a request failed or a change was not made. `docs/api.md` says for each when it occurs and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    InvalidRequest,
    MethodNotAllowed,
    BodyTooLarge,
    UnsupportedContent,
    KeyMissing,
    KeyMalformed,
    KeyUnknown,
    KeyExpired,
    KeyRevoked,
    KeyStopped,
    SessionEnded,
    NotPermitted,
    ScopeMissing,
    PlanLimit,
    AccountDisabled,
    NotConnected,
    ConnectionRevoked,
    ConnectionBroken,
    SpendingLimit,
    ApprovalRequired,
    ApprovalRejected,
    UserPaused,
    PlatformAccessDenied,
    PermissionMissing,
    OperatorRequired,
    NotFound,
    PathNotFound,
    StateConflict,
    ChangedMeanwhile,
    AlreadyExists,
    LimitReached,
    CampaignRemoved,
    DatesHeld,
    BudgetNotOwn,
    NotWaiting,
    Superseded,
    UserErased,
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    RateLimit,
    RequestsInFlight,
    Busy,
    QuotaUsedUp,
    PlatformThrottled,
    PlatformRefused,
    PlatformFailed,
    PlatformTimeout,
    PlatformLeftAlone,
    PartlyApplied,
    OutcomeUnknown,
    PaymentProviderFailed,
    NotSupported,
    NotConfigured,
    AuthorizationEnded,
    Internal,
}

impl Reason {
    /// All reasons, in the order of the codes.
    pub const ALL: [Reason; 55] = variants();

    /// The name in responses and records: `KEY_EXPIRED`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The codes of the API beside which it stands.
    pub fn codes(self) -> &'static [&'static str] {
        match self {
            Reason::InvalidRequest => &["BAD_REQUEST", "VALIDATION_ERROR"],
            Reason::MethodNotAllowed | Reason::BodyTooLarge | Reason::UnsupportedContent => &["BAD_REQUEST"],
            Reason::KeyMissing
            | Reason::KeyMalformed
            | Reason::KeyUnknown
            | Reason::KeyExpired
            | Reason::SessionEnded => &["UNAUTHORIZED"],
            Reason::KeyRevoked | Reason::KeyStopped => &["UNAUTHORIZED", "CONFLICT"],
            Reason::NotPermitted
            | Reason::ScopeMissing
            | Reason::PlanLimit
            | Reason::AccountDisabled
            | Reason::ConnectionRevoked
            | Reason::ConnectionBroken
            | Reason::SpendingLimit
            | Reason::ApprovalRequired
            | Reason::ApprovalRejected
            | Reason::UserPaused
            | Reason::PlatformAccessDenied
            | Reason::PermissionMissing => &["FORBIDDEN"],
            Reason::NotConnected => &["FORBIDDEN", "CONFLICT"],
            Reason::OperatorRequired => &["FORBIDDEN", "PLATFORM_ERROR"],
            Reason::NotFound | Reason::PathNotFound => &["NOT_FOUND"],
            Reason::StateConflict
            | Reason::ChangedMeanwhile
            | Reason::AlreadyExists
            | Reason::CampaignRemoved
            | Reason::DatesHeld
            | Reason::BudgetNotOwn
            | Reason::NotWaiting
            | Reason::Superseded
            | Reason::UserErased
            | Reason::IdempotencyKeyInUse
            | Reason::IdempotencyKeyReused => &["CONFLICT"],
            Reason::LimitReached => &["CONFLICT", "RATE_LIMITED"],
            Reason::RateLimit | Reason::RequestsInFlight | Reason::Busy | Reason::PlatformThrottled => {
                &["RATE_LIMITED"]
            }
            Reason::QuotaUsedUp => &["RATE_LIMIT_EXCEEDED"],
            Reason::PlatformRefused | Reason::PlatformFailed | Reason::PlatformTimeout | Reason::PlatformLeftAlone => {
                &["PLATFORM_ERROR"]
            }
            Reason::PartlyApplied => &["PLATFORM_ERROR", "CONFLICT"],
            Reason::OutcomeUnknown => &["PLATFORM_ERROR", "INTERNAL_ERROR"],
            Reason::PaymentProviderFailed => &["PLATFORM_ERROR", "RATE_LIMITED"],
            Reason::NotSupported | Reason::NotConfigured => &["NOT_SUPPORTED"],
            Reason::AuthorizationEnded => &["TOKEN_EXPIRED"],
            Reason::Internal => &["INTERNAL_ERROR"],
        }
    }

    /// Parses a stored name.
    pub fn parse(name: &str) -> Option<Reason> {
        name.parse().ok()
    }
}
