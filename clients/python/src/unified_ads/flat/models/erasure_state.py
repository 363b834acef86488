from enum import StrEnum


class ErasureState(StrEnum):
    CLOSING = "closing"
    DISCONNECTING = "disconnecting"
    ERASING = "erasing"
    PAUSING = "pausing"

    def __str__(self) -> str:
        return str(self.value)
