from enum import StrEnum


class ChangeBudgetPeriod(StrEnum):
    DAILY = "DAILY"
    LIFETIME = "LIFETIME"
    MONTHLY = "MONTHLY"

    def __str__(self) -> str:
        return str(self.value)
