from enum import StrEnum


class Scope(StrEnum):
    APPROVE = "approve"
    BILLING = "billing"
    CAMPAIGNS = "campaigns"
    READ = "read"
    WRITE = "write"

    def __str__(self) -> str:
        return str(self.value)
