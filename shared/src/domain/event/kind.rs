//! The types of events, as customers choose them.

use crate::domain::variants;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The type of an event.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, EnumString, IntoStaticStr, VariantArray,
)]
pub enum EventKind {
    #[strum(serialize = "connection.activated")]
    ConnectionActivated,
    #[strum(serialize = "connection.revoked")]
    ConnectionRevoked,
    #[strum(serialize = "connection.error")]
    ConnectionError,
    #[strum(serialize = "connection.recovered")]
    ConnectionRecovered,
    #[strum(serialize = "connection.updated")]
    ConnectionUpdated,
    #[strum(serialize = "connection.removed")]
    ConnectionRemoved,
    #[strum(serialize = "change.scheduled")]
    ChangeScheduled,
    #[strum(serialize = "change.awaiting_approval")]
    ChangeAwaitingApproval,
    #[strum(serialize = "change.approved")]
    ChangeApproved,
    #[strum(serialize = "change.rejected")]
    ChangeRejected,
    #[strum(serialize = "change.canceled")]
    ChangeCanceled,
    #[strum(serialize = "change.expired")]
    ChangeExpired,
    #[strum(serialize = "change.late")]
    ChangeLate,
    /// Its outcome is unknown, however briefly.
    #[strum(serialize = "change.in_doubt")]
    ChangeInDoubt,
    #[strum(serialize = "change.applied")]
    ChangeApplied,
    #[strum(serialize = "change.partly_applied")]
    ChangePartlyApplied,
    #[strum(serialize = "change.failed")]
    ChangeFailed,
    #[strum(serialize = "limit.refused")]
    LimitRefused,
    #[strum(serialize = "api_key.created")]
    ApiKeyCreated,
    #[strum(serialize = "api_key.rotated")]
    ApiKeyRotated,
    #[strum(serialize = "api_key.revoked")]
    ApiKeyRevoked,
    #[strum(serialize = "api_key.stopped")]
    ApiKeyStopped,
    #[strum(serialize = "user.updated")]
    UserUpdated,
    #[strum(serialize = "user.paused")]
    UserPaused,
    #[strum(serialize = "user.resumed")]
    UserResumed,
    #[strum(serialize = "quota.80_percent")]
    Quota80Percent,
    #[strum(serialize = "quota.100_percent")]
    Quota100Percent,
    #[strum(serialize = "billing.plan_changed")]
    BillingPlanChanged,
    #[strum(serialize = "billing.past_due")]
    BillingPastDue,
    #[strum(serialize = "webhook_endpoint.disabled")]
    WebhookEndpointDisabled,
}

impl EventKind {
    /// Every type that can be chosen. `ping` is none: only test sends have it.
    pub const ALL: [EventKind; 30] = variants();

    /// The name in the API: `change.applied`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<EventKind> {
        name.parse().ok()
    }
}
