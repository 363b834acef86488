from enum import StrEnum


class DocumentShape(StrEnum):
    ENVELOPED = "enveloped"
    FLAT = "flat"

    def __str__(self) -> str:
        return str(self.value)
