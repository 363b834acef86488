from enum import StrEnum


class DeliveryState(StrEnum):
    BLOCKED = "BLOCKED"
    ELIGIBLE = "ELIGIBLE"
    LIMITED = "LIMITED"
    OFF = "OFF"
    UNKNOWN = "UNKNOWN"
    WAITING = "WAITING"

    def __str__(self) -> str:
        return str(self.value)
