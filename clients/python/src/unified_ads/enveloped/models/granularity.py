from enum import StrEnum


class Granularity(StrEnum):
    DAY = "day"
    TOTAL = "total"

    def __str__(self) -> str:
        return str(self.value)
