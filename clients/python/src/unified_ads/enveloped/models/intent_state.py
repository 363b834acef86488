from enum import StrEnum


class IntentState(StrEnum):
    CREATED = "created"
    NOT_CREATED = "not_created"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return str(self.value)
