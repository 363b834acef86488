from enum import StrEnum


class LimitName(StrEnum):
    BUDGET_UNKNOWN = "budget_unknown"
    CONNECTION = "connection"
    CONTRIBUTIONS = "contributions"
    CREATES_PER_DAY = "creates_per_day"
    CURRENCY = "currency"
    DAILY = "daily"
    LIFETIME = "lifetime"
    PER_CHANGE = "per_change"

    def __str__(self) -> str:
        return str(self.value)
