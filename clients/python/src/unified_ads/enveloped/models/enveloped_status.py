from enum import StrEnum


class EnvelopedStatus(StrEnum):
    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"
    DRAFT = "DRAFT"
    PAUSED = "PAUSED"
    SCHEDULED_FOR_DELETION = "SCHEDULED_FOR_DELETION"
    UNSPECIFIED = "UNSPECIFIED"

    def __str__(self) -> str:
        return str(self.value)
