//! The types of events, as customers choose them.

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    ConnectionActivated,
    ConnectionRevoked,
    ConnectionError,
    ConnectionRecovered,
    ConnectionRemoved,
    ChangeScheduled,
    ChangeAwaitingApproval,
    ChangeApproved,
    ChangeRejected,
    ChangeCanceled,
    ChangeExpired,
    ChangeLate,
    /// Its outcome is unknown, however briefly.
    ChangeInDoubt,
    ChangeApplied,
    ChangePartlyApplied,
    ChangeFailed,
    LimitRefused,
    ApiKeyCreated,
    ApiKeyRotated,
    ApiKeyRevoked,
    ApiKeyStopped,
    Quota80Percent,
    Quota100Percent,
    BillingPlanChanged,
    BillingPastDue,
    WebhookEndpointDisabled,
}

impl EventKind {
    /// Every type that can be chosen. `ping` is none: only test sends have it.
    pub const ALL: [EventKind; 26] = [
        EventKind::ConnectionActivated,
        EventKind::ConnectionRevoked,
        EventKind::ConnectionError,
        EventKind::ConnectionRecovered,
        EventKind::ConnectionRemoved,
        EventKind::ChangeScheduled,
        EventKind::ChangeAwaitingApproval,
        EventKind::ChangeApproved,
        EventKind::ChangeRejected,
        EventKind::ChangeCanceled,
        EventKind::ChangeExpired,
        EventKind::ChangeLate,
        EventKind::ChangeInDoubt,
        EventKind::ChangeApplied,
        EventKind::ChangePartlyApplied,
        EventKind::ChangeFailed,
        EventKind::LimitRefused,
        EventKind::ApiKeyCreated,
        EventKind::ApiKeyRotated,
        EventKind::ApiKeyRevoked,
        EventKind::ApiKeyStopped,
        EventKind::Quota80Percent,
        EventKind::Quota100Percent,
        EventKind::BillingPlanChanged,
        EventKind::BillingPastDue,
        EventKind::WebhookEndpointDisabled,
    ];

    /// The name in the API: `change.applied`.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventKind::ConnectionActivated => "connection.activated",
            EventKind::ConnectionRevoked => "connection.revoked",
            EventKind::ConnectionError => "connection.error",
            EventKind::ConnectionRecovered => "connection.recovered",
            EventKind::ConnectionRemoved => "connection.removed",
            EventKind::ChangeScheduled => "change.scheduled",
            EventKind::ChangeAwaitingApproval => "change.awaiting_approval",
            EventKind::ChangeApproved => "change.approved",
            EventKind::ChangeRejected => "change.rejected",
            EventKind::ChangeCanceled => "change.canceled",
            EventKind::ChangeExpired => "change.expired",
            EventKind::ChangeLate => "change.late",
            EventKind::ChangeInDoubt => "change.in_doubt",
            EventKind::ChangeApplied => "change.applied",
            EventKind::ChangePartlyApplied => "change.partly_applied",
            EventKind::ChangeFailed => "change.failed",
            EventKind::LimitRefused => "limit.refused",
            EventKind::ApiKeyCreated => "api_key.created",
            EventKind::ApiKeyRotated => "api_key.rotated",
            EventKind::ApiKeyRevoked => "api_key.revoked",
            EventKind::ApiKeyStopped => "api_key.stopped",
            EventKind::Quota80Percent => "quota.80_percent",
            EventKind::Quota100Percent => "quota.100_percent",
            EventKind::BillingPlanChanged => "billing.plan_changed",
            EventKind::BillingPastDue => "billing.past_due",
            EventKind::WebhookEndpointDisabled => "webhook_endpoint.disabled",
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<EventKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_survives_a_round_trip() {
        for kind in EventKind::ALL {
            assert_eq!(EventKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(EventKind::parse("ping"), None);
        assert_eq!(EventKind::parse("*"), None);
    }
}
