from enum import StrEnum


class Shape(StrEnum):
    ENVELOPED = "enveloped"

    def __str__(self) -> str:
        return str(self.value)
