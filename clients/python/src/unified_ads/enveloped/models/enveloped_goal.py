from enum import StrEnum


class EnvelopedGoal(StrEnum):
    APP_PROMOTION = "APP_PROMOTION"
    BRAND_AWARENESS = "BRAND_AWARENESS"
    LEADS = "LEADS"
    REACH = "REACH"
    SALES = "SALES"
    UNSPECIFIED = "UNSPECIFIED"
    WEBSITE_TRAFFIC = "WEBSITE_TRAFFIC"

    def __str__(self) -> str:
        return str(self.value)
