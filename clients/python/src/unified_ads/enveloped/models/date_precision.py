from enum import StrEnum


class DatePrecision(StrEnum):
    DAY = "day"
    SECOND = "second"

    def __str__(self) -> str:
        return str(self.value)
