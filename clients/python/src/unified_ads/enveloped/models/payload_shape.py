from enum import StrEnum


class PayloadShape(StrEnum):
    ENVELOPED = "enveloped"
    FLAT = "flat"

    def __str__(self) -> str:
        return str(self.value)
