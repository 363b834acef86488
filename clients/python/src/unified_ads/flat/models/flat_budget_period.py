from enum import StrEnum


class FlatBudgetPeriod(StrEnum):
    DAILY = "DAILY"
    LIFETIME = "LIFETIME"

    def __str__(self) -> str:
        return str(self.value)
