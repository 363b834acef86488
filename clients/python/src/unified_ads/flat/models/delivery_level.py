from enum import StrEnum


class DeliveryLevel(StrEnum):
    ACCOUNT = "account"
    AD = "ad"
    CAMPAIGN = "campaign"
    PARENT = "parent"
    SERVICE = "service"

    def __str__(self) -> str:
        return str(self.value)
