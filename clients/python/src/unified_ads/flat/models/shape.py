from enum import StrEnum


class Shape(StrEnum):
    FLAT = "flat"

    def __str__(self) -> str:
        return str(self.value)
