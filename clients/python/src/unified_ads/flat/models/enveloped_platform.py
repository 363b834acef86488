from enum import StrEnum


class EnvelopedPlatform(StrEnum):
    ALPHA = "ALPHA"
    BETA = "BETA"
    DELTA = "DELTA"
    EPSILON = "EPSILON"
    GAMMA = "GAMMA"
    ZETA = "ZETA"

    def __str__(self) -> str:
        return str(self.value)
