from enum import StrEnum


class DryRunVerdict(StrEnum):
    UNKNOWN = "unknown"
    WOULD_CHANGE_NOTHING = "would_change_nothing"
    WOULD_CREATE = "would_create"
    WOULD_FAIL = "would_fail"
    WOULD_UPDATE = "would_update"

    def __str__(self) -> str:
        return str(self.value)
