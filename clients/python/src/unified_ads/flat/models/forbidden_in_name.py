from enum import StrEnum


class ForbiddenInName(StrEnum):
    CONTROL_CHARACTERS = "control_characters"
    EMOJI = "emoji"
    OUTER_SPACES = "outer_spaces"

    def __str__(self) -> str:
        return str(self.value)
