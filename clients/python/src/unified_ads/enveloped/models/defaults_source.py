from enum import StrEnum


class DefaultsSource(StrEnum):
    CONNECTION = "connection"
    SERVICE = "service"

    def __str__(self) -> str:
        return str(self.value)
