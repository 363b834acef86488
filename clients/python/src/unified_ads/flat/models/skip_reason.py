from enum import StrEnum


class SkipReason(StrEnum):
    OTHER_USER = "OTHER_USER"
    PLAN_LIMIT = "PLAN_LIMIT"

    def __str__(self) -> str:
        return str(self.value)
