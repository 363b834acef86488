from enum import StrEnum


class PingType(StrEnum):
    PING = "ping"

    def __str__(self) -> str:
        return str(self.value)
