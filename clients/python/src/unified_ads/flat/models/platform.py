from enum import StrEnum


class Platform(StrEnum):
    ALPHA_ADS = "alpha_ads"
    BETA_ADS = "beta_ads"
    DELTA_ADS = "delta_ads"
    EPSILON_ADS = "epsilon_ads"
    GAMMA_ADS = "gamma_ads"
    ZETA_ADS = "zeta_ads"

    def __str__(self) -> str:
        return str(self.value)
