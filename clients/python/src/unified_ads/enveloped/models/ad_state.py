from enum import StrEnum


class AdState(StrEnum):
    BLOCKED = "BLOCKED"
    CAN_RUN = "CAN_RUN"
    OFF = "OFF"
    UNKNOWN = "UNKNOWN"
    WAITING = "WAITING"

    def __str__(self) -> str:
        return str(self.value)
