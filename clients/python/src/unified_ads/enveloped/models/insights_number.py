from enum import StrEnum


class InsightsNumber(StrEnum):
    CLICKS = "clicks"
    CONVERSIONS = "conversions"
    CONVERSION_VALUE = "conversion_value"
    IMPRESSIONS = "impressions"
    SPEND = "spend"

    def __str__(self) -> str:
        return str(self.value)
