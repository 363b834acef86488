//! All platforms of the sandbox: their names, OAuth clients and state.

use crate::alpha::{self, Alpha};
use crate::beta::{self, Beta};
use crate::delta::{self, Delta};
use crate::epsilon::{self, Epsilon};
use crate::gamma::{self, Gamma};
use crate::oauth::OAuthClient;
use crate::platform::Platform;
use crate::stripe::{self, Stripe};
use crate::zeta::{self, Zeta};
use serde::{Deserialize, Serialize};

/// Names of the ad platforms; each is the first part of its paths.
pub const PLATFORMS: &[&str] = &[alpha::WORD, beta::WORD, gamma::WORD, delta::WORD, epsilon::WORD, zeta::WORD];

/// The OAuth client that the platform `name` knows; `None` for an unknown platform.
#[must_use]
pub fn client(name: &str) -> Option<OAuthClient> {
    match name {
        alpha::WORD => Some(alpha::CLIENT),
        beta::WORD => Some(beta::CLIENT),
        delta::WORD => Some(delta::CLIENT),
        epsilon::WORD => Some(epsilon::CLIENT),
        gamma::WORD => Some(gamma::CLIENT),
        zeta::WORD => Some(zeta::CLIENT),
        _ => None,
    }
}

/// State of the ad platforms and the payment provider: the content of `sandbox.json`.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Platforms {
    alpha_ads: Alpha,
    beta_ads: Beta,
    delta_ads: Delta,
    epsilon_ads: Epsilon,
    gamma_ads: Gamma,
    zeta_ads: Zeta,
    pub(crate) stripe: Stripe,
}

impl Platforms {
    pub(crate) fn get(&self, name: &str) -> Option<&dyn Platform> {
        match name {
            alpha::WORD => Some(&self.alpha_ads),
            beta::WORD => Some(&self.beta_ads),
            delta::WORD => Some(&self.delta_ads),
            epsilon::WORD => Some(&self.epsilon_ads),
            gamma::WORD => Some(&self.gamma_ads),
            zeta::WORD => Some(&self.zeta_ads),
            stripe::WORD => Some(&self.stripe),
            _ => None,
        }
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut dyn Platform> {
        match name {
            alpha::WORD => Some(&mut self.alpha_ads),
            beta::WORD => Some(&mut self.beta_ads),
            delta::WORD => Some(&mut self.delta_ads),
            epsilon::WORD => Some(&mut self.epsilon_ads),
            gamma::WORD => Some(&mut self.gamma_ads),
            zeta::WORD => Some(&mut self.zeta_ads),
            stripe::WORD => Some(&mut self.stripe),
            _ => None,
        }
    }
}

/// The ad platform with this name.
pub(crate) fn find_platform(name: &str) -> Option<&'static str> {
    PLATFORMS.iter().find(|known| **known == name).copied()
}

/// The ad platform with this name, or the payment provider. Their requests are logged, and meet faults.
pub(crate) fn find_service(name: &str) -> Option<&'static str> {
    find_platform(name).or_else(|| (name == stripe::WORD).then_some(stripe::WORD))
}
