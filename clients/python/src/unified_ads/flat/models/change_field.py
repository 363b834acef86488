from enum import StrEnum


class ChangeField(StrEnum):
    BUDGET_AMOUNT = "budget_amount"
    BUDGET_PERIOD = "budget_period"
    END_AT = "end_at"
    GOAL = "goal"
    NAME = "name"
    START_AT = "start_at"
    STATUS = "status"

    def __str__(self) -> str:
        return str(self.value)
