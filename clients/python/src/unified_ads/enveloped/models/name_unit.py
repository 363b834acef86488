from enum import StrEnum


class NameUnit(StrEnum):
    BYTES = "bytes"
    CHARACTERS = "characters"

    def __str__(self) -> str:
        return str(self.value)
