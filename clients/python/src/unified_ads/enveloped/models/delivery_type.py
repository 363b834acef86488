from enum import StrEnum


class DeliveryType(StrEnum):
    API_KEY_CREATED = "api_key.created"
    API_KEY_REVOKED = "api_key.revoked"
    API_KEY_ROTATED = "api_key.rotated"
    API_KEY_STOPPED = "api_key.stopped"
    BILLING_PAST_DUE = "billing.past_due"
    BILLING_PLAN_CHANGED = "billing.plan_changed"
    CHANGE_APPLIED = "change.applied"
    CHANGE_APPROVED = "change.approved"
    CHANGE_AWAITING_APPROVAL = "change.awaiting_approval"
    CHANGE_CANCELED = "change.canceled"
    CHANGE_EXPIRED = "change.expired"
    CHANGE_FAILED = "change.failed"
    CHANGE_IN_DOUBT = "change.in_doubt"
    CHANGE_LATE = "change.late"
    CHANGE_PARTLY_APPLIED = "change.partly_applied"
    CHANGE_REJECTED = "change.rejected"
    CHANGE_SCHEDULED = "change.scheduled"
    CONNECTION_ACTIVATED = "connection.activated"
    CONNECTION_ERROR = "connection.error"
    CONNECTION_RECOVERED = "connection.recovered"
    CONNECTION_REMOVED = "connection.removed"
    CONNECTION_REVOKED = "connection.revoked"
    CONNECTION_UPDATED = "connection.updated"
    LIMIT_REFUSED = "limit.refused"
    PING = "ping"
    QUOTA_100_PERCENT = "quota.100_percent"
    QUOTA_80_PERCENT = "quota.80_percent"
    USER_PAUSED = "user.paused"
    USER_RESUMED = "user.resumed"
    USER_UPDATED = "user.updated"
    WEBHOOK_ENDPOINT_DISABLED = "webhook_endpoint.disabled"

    def __str__(self) -> str:
        return str(self.value)
