from enum import StrEnum


class FlatStatus(StrEnum):
    ACTIVE = "ACTIVE"
    ENDED = "ENDED"
    PAUSED = "PAUSED"
    REMOVED = "REMOVED"

    def __str__(self) -> str:
        return str(self.value)
