from enum import StrEnum


class ChangeExecutor(StrEnum):
    APPROVAL = "approval"
    BULK = "bulk"
    REQUEST = "request"
    SCHEDULE = "schedule"
    STOP = "stop"

    def __str__(self) -> str:
        return str(self.value)
