from enum import StrEnum


class TargetStatus(StrEnum):
    CREATED = "created"
    FAILED = "failed"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return str(self.value)
