from enum import StrEnum


class DateTiming(StrEnum):
    AHEAD = "ahead"
    AHEAD_UNTIL_BEGUN = "ahead_until_begun"
    ANY = "any"

    def __str__(self) -> str:
        return str(self.value)
