from enum import StrEnum


class FlatGoal(StrEnum):
    AWARENESS = "AWARENESS"
    CONVERSIONS = "CONVERSIONS"
    LEADS = "LEADS"
    SALES = "SALES"
    TRAFFIC = "TRAFFIC"

    def __str__(self) -> str:
        return str(self.value)
