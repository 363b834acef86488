from enum import StrEnum


class AdsUnread(StrEnum):
    NOT_OFFERED = "NOT_OFFERED"
    NOT_PERMITTED = "NOT_PERMITTED"
    NOT_READ = "NOT_READ"
    TOO_MANY = "TOO_MANY"

    def __str__(self) -> str:
        return str(self.value)
