from enum import StrEnum


class ChangeRequesterType(StrEnum):
    API_KEY = "api_key"
    PERSON = "person"

    def __str__(self) -> str:
        return str(self.value)
