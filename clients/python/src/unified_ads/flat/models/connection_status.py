from enum import StrEnum


class ConnectionStatus(StrEnum):
    ACTIVE = "ACTIVE"
    ERROR = "ERROR"
    PENDING = "PENDING"
    REVOKED = "REVOKED"

    def __str__(self) -> str:
        return str(self.value)
