//! The platforms of the sandbox, their state, and their OAuth clients.

use serde::{Deserialize, Serialize};

use crate::alpha::{self, Alpha};
use crate::beta::{self, Beta};
use crate::delta::{self, Delta};
use crate::epsilon::{self, Epsilon};
use crate::gamma::{self, Gamma};
use crate::oauth::OAuthClient;
use crate::platform::Platform;
use crate::stripe::{self, Stripe};
use crate::zeta::{self, Zeta};

/// The lower-case wire words of the platforms that are imitated, the first part of every path.
pub const PLATFORMS: &[&str] = &[alpha::WORD, beta::WORD, gamma::WORD, delta::WORD, epsilon::WORD, zeta::WORD];

/// The OAuth client registered with `platform` (a lower-case wire word), or `None` for a word
/// that is no platform here.
#[must_use]
pub fn client(platform: &str) -> Option<OAuthClient> {
    match platform {
        alpha::WORD => Some(alpha::CLIENT),
        beta::WORD => Some(beta::CLIENT),
        delta::WORD => Some(delta::CLIENT),
        epsilon::WORD => Some(epsilon::CLIENT),
        gamma::WORD => Some(gamma::CLIENT),
        zeta::WORD => Some(zeta::CLIENT),
        _ => None,
    }
}

/// Every platform's state, and the payment provider's; this is what `sandbox.json` holds.
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
    pub(crate) fn get(&self, word: &str) -> Option<&dyn Platform> {
        match word {
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

    pub(crate) fn get_mut(&mut self, word: &str) -> Option<&mut dyn Platform> {
        match word {
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

/// The wire word among [`PLATFORMS`] that equals `word`.
pub(crate) fn platform(word: &str) -> Option<&'static str> {
    PLATFORMS.iter().find(|known| **known == word).copied()
}

/// The first part of every path that is answered and recorded: a platform's word, or the payment
/// provider's.
pub(crate) fn receiver(first: &str) -> Option<&'static str> {
    platform(first).or_else(|| (first == stripe::WORD).then_some(stripe::WORD))
}
