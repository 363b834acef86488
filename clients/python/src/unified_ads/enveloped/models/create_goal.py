from enum import StrEnum


class CreateGoal(StrEnum):
    APP_PROMOTION = "APP_PROMOTION"
    BRAND_AWARENESS = "BRAND_AWARENESS"
    LEADS = "LEADS"
    REACH = "REACH"
    SALES = "SALES"
    WEBSITE_TRAFFIC = "WEBSITE_TRAFFIC"

    def __str__(self) -> str:
        return str(self.value)
