from enum import StrEnum


class ChangeState(StrEnum):
    APPLIED = "applied"
    AWAITING_APPROVAL = "awaiting_approval"
    CANCELED = "canceled"
    EXPIRED = "expired"
    FAILED = "failed"
    PARTLY_APPLIED = "partly_applied"
    REJECTED = "rejected"
    SCHEDULED = "scheduled"
    SENDING = "sending"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return str(self.value)
