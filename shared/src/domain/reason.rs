//! The reason of an error: finer than its code, and as stable (D77 in docs/decisions.md).

/// Why a request failed or a change was not made. `docs/api.md` says for each when it occurs and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    PlatformAccessDenied,
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

const INVALID: &[&str] = &["BAD_REQUEST", "VALIDATION_ERROR"];
const UNAUTHORIZED: &[&str] = &["UNAUTHORIZED"];
const FORBIDDEN: &[&str] = &["FORBIDDEN"];
const NOT_FOUND: &[&str] = &["NOT_FOUND"];
const CONFLICT: &[&str] = &["CONFLICT"];
const RATE_LIMITED: &[&str] = &["RATE_LIMITED"];
const PLATFORM_ERROR: &[&str] = &["PLATFORM_ERROR"];
const NOT_SUPPORTED: &[&str] = &["NOT_SUPPORTED"];

impl Reason {
    /// All reasons, in the order of the codes.
    pub const ALL: [Reason; 52] = [
        Reason::InvalidRequest,
        Reason::MethodNotAllowed,
        Reason::BodyTooLarge,
        Reason::UnsupportedContent,
        Reason::KeyMissing,
        Reason::KeyMalformed,
        Reason::KeyUnknown,
        Reason::KeyExpired,
        Reason::KeyRevoked,
        Reason::KeyStopped,
        Reason::SessionEnded,
        Reason::NotPermitted,
        Reason::ScopeMissing,
        Reason::PlanLimit,
        Reason::AccountDisabled,
        Reason::NotConnected,
        Reason::ConnectionRevoked,
        Reason::ConnectionBroken,
        Reason::SpendingLimit,
        Reason::ApprovalRequired,
        Reason::ApprovalRejected,
        Reason::PlatformAccessDenied,
        Reason::OperatorRequired,
        Reason::NotFound,
        Reason::PathNotFound,
        Reason::StateConflict,
        Reason::ChangedMeanwhile,
        Reason::AlreadyExists,
        Reason::LimitReached,
        Reason::CampaignRemoved,
        Reason::DatesHeld,
        Reason::BudgetNotOwn,
        Reason::NotWaiting,
        Reason::Superseded,
        Reason::IdempotencyKeyInUse,
        Reason::IdempotencyKeyReused,
        Reason::RateLimit,
        Reason::RequestsInFlight,
        Reason::Busy,
        Reason::QuotaUsedUp,
        Reason::PlatformThrottled,
        Reason::PlatformRefused,
        Reason::PlatformFailed,
        Reason::PlatformTimeout,
        Reason::PlatformLeftAlone,
        Reason::PartlyApplied,
        Reason::OutcomeUnknown,
        Reason::PaymentProviderFailed,
        Reason::NotSupported,
        Reason::NotConfigured,
        Reason::AuthorizationEnded,
        Reason::Internal,
    ];

    /// The name in responses and records, and the codes beside which it stands.
    fn row(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Reason::InvalidRequest => ("INVALID_REQUEST", INVALID),
            Reason::MethodNotAllowed => ("METHOD_NOT_ALLOWED", &["BAD_REQUEST"]),
            Reason::BodyTooLarge => ("BODY_TOO_LARGE", &["BAD_REQUEST"]),
            Reason::UnsupportedContent => ("UNSUPPORTED_CONTENT", &["BAD_REQUEST"]),
            Reason::KeyMissing => ("KEY_MISSING", UNAUTHORIZED),
            Reason::KeyMalformed => ("KEY_MALFORMED", UNAUTHORIZED),
            Reason::KeyUnknown => ("KEY_UNKNOWN", UNAUTHORIZED),
            Reason::KeyExpired => ("KEY_EXPIRED", UNAUTHORIZED),
            Reason::KeyRevoked => ("KEY_REVOKED", &["UNAUTHORIZED", "CONFLICT"]),
            Reason::KeyStopped => ("KEY_STOPPED", &["UNAUTHORIZED", "CONFLICT"]),
            Reason::SessionEnded => ("SESSION_ENDED", UNAUTHORIZED),
            Reason::NotPermitted => ("NOT_PERMITTED", FORBIDDEN),
            Reason::ScopeMissing => ("SCOPE_MISSING", FORBIDDEN),
            Reason::PlanLimit => ("PLAN_LIMIT", FORBIDDEN),
            Reason::AccountDisabled => ("ACCOUNT_DISABLED", FORBIDDEN),
            Reason::NotConnected => ("NOT_CONNECTED", &["FORBIDDEN", "CONFLICT"]),
            Reason::ConnectionRevoked => ("CONNECTION_REVOKED", FORBIDDEN),
            Reason::ConnectionBroken => ("CONNECTION_BROKEN", FORBIDDEN),
            Reason::SpendingLimit => ("SPENDING_LIMIT", FORBIDDEN),
            Reason::ApprovalRequired => ("APPROVAL_REQUIRED", FORBIDDEN),
            Reason::ApprovalRejected => ("APPROVAL_REJECTED", FORBIDDEN),
            Reason::PlatformAccessDenied => ("PLATFORM_ACCESS_DENIED", FORBIDDEN),
            Reason::OperatorRequired => ("OPERATOR_REQUIRED", &["FORBIDDEN", "PLATFORM_ERROR"]),
            Reason::NotFound => ("NOT_FOUND", NOT_FOUND),
            Reason::PathNotFound => ("PATH_NOT_FOUND", NOT_FOUND),
            Reason::StateConflict => ("STATE_CONFLICT", CONFLICT),
            Reason::ChangedMeanwhile => ("CHANGED_MEANWHILE", CONFLICT),
            Reason::AlreadyExists => ("ALREADY_EXISTS", CONFLICT),
            Reason::LimitReached => ("LIMIT_REACHED", &["CONFLICT", "RATE_LIMITED"]),
            Reason::CampaignRemoved => ("CAMPAIGN_REMOVED", CONFLICT),
            Reason::DatesHeld => ("DATES_HELD", CONFLICT),
            Reason::BudgetNotOwn => ("BUDGET_NOT_OWN", CONFLICT),
            Reason::NotWaiting => ("NOT_WAITING", CONFLICT),
            Reason::Superseded => ("SUPERSEDED", CONFLICT),
            Reason::IdempotencyKeyInUse => ("IDEMPOTENCY_KEY_IN_USE", CONFLICT),
            Reason::IdempotencyKeyReused => ("IDEMPOTENCY_KEY_REUSED", CONFLICT),
            Reason::RateLimit => ("RATE_LIMIT", RATE_LIMITED),
            Reason::RequestsInFlight => ("REQUESTS_IN_FLIGHT", RATE_LIMITED),
            Reason::Busy => ("BUSY", RATE_LIMITED),
            Reason::QuotaUsedUp => ("QUOTA_USED_UP", &["RATE_LIMIT_EXCEEDED"]),
            Reason::PlatformThrottled => ("PLATFORM_THROTTLED", RATE_LIMITED),
            Reason::PlatformRefused => ("PLATFORM_REFUSED", PLATFORM_ERROR),
            Reason::PlatformFailed => ("PLATFORM_FAILED", PLATFORM_ERROR),
            Reason::PlatformTimeout => ("PLATFORM_TIMEOUT", PLATFORM_ERROR),
            Reason::PlatformLeftAlone => ("PLATFORM_LEFT_ALONE", PLATFORM_ERROR),
            Reason::PartlyApplied => ("PARTLY_APPLIED", &["PLATFORM_ERROR", "CONFLICT"]),
            Reason::OutcomeUnknown => ("OUTCOME_UNKNOWN", &["PLATFORM_ERROR", "INTERNAL_ERROR"]),
            Reason::PaymentProviderFailed => ("PAYMENT_PROVIDER_FAILED", &["PLATFORM_ERROR", "RATE_LIMITED"]),
            Reason::NotSupported => ("NOT_SUPPORTED", NOT_SUPPORTED),
            Reason::NotConfigured => ("NOT_CONFIGURED", NOT_SUPPORTED),
            Reason::AuthorizationEnded => ("AUTHORIZATION_ENDED", &["TOKEN_EXPIRED"]),
            Reason::Internal => ("INTERNAL", &["INTERNAL_ERROR"]),
        }
    }

    /// The name in responses and records: `KEY_EXPIRED`.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// The codes of the API beside which it stands.
    pub fn codes(self) -> &'static [&'static str] {
        self.row().1
    }

    /// Parses a stored name.
    pub fn parse(name: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_one_name_and_reads_back() {
        for reason in Reason::ALL {
            assert_eq!(Reason::parse(reason.as_str()), Some(reason));
            assert!(!reason.codes().is_empty(), "{reason:?}");
        }
        assert_eq!(Reason::parse("key_expired"), None);
    }
}
