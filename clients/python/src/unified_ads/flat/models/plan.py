from enum import StrEnum


class Plan(StrEnum):
    ENTERPRISE = "enterprise"
    PRO = "pro"
    STARTER = "starter"

    def __str__(self) -> str:
        return str(self.value)
