from enum import StrEnum


class AdReview(StrEnum):
    APPROVED = "APPROVED"
    IN_REVIEW = "IN_REVIEW"
    LIMITED = "LIMITED"
    REJECTED = "REJECTED"
    UNKNOWN = "UNKNOWN"

    def __str__(self) -> str:
        return str(self.value)
