from enum import StrEnum


class EnvelopedBudgetPeriod(StrEnum):
    DAILY = "DAILY"
    LIFETIME = "LIFETIME"
    MONTHLY = "MONTHLY"
    TOTAL = "TOTAL"

    def __str__(self) -> str:
        return str(self.value)
