//! All services of the sandbox: their names, OAuth clients and state.

use crate::alpha::{self, Alpha};
use crate::beta::{self, Beta};
use crate::delta::{self, Delta};
use crate::epsilon::{self, Epsilon};
use crate::gamma::{self, Gamma};
use crate::oauth::OAuthClient;
use crate::oidc::{self, Oidc};
use crate::platform::AdPlatform;
use crate::service::Service;
use crate::stripe::{self, Stripe};
use crate::zeta::{self, Zeta};
use serde::{Deserialize, Serialize};

/// Names of the ad platforms; each is the first part of its paths.
pub const PLATFORMS: &[&str] = &[alpha::NAME, beta::NAME, gamma::NAME, delta::NAME, epsilon::NAME, zeta::NAME];

/// The payment provider and the issuer.
pub(crate) const OTHER_SERVICES: [&str; 2] = [stripe::NAME, oidc::NAME];

/// The OAuth client that the platform `name` knows; `None` for an unknown platform.
#[must_use]
pub fn client(name: &str) -> Option<OAuthClient> {
    match name {
        alpha::NAME => Some(alpha::CLIENT),
        beta::NAME => Some(beta::CLIENT),
        delta::NAME => Some(delta::CLIENT),
        epsilon::NAME => Some(epsilon::CLIENT),
        gamma::NAME => Some(gamma::CLIENT),
        zeta::NAME => Some(zeta::CLIENT),
        _ => None,
    }
}

/// State of the ad platforms, the payment provider and the issuer: the content of `sandbox.json`.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Platforms {
    alpha_ads: Alpha,
    beta_ads: Beta,
    delta_ads: Delta,
    epsilon_ads: Epsilon,
    gamma_ads: Gamma,
    zeta_ads: Zeta,
    pub(crate) stripe: Stripe,
    pub(crate) oidc: Oidc,
}

impl Platforms {
    pub(crate) fn ad_platform(&self, name: &str) -> Option<&dyn AdPlatform> {
        match name {
            alpha::NAME => Some(&self.alpha_ads),
            beta::NAME => Some(&self.beta_ads),
            delta::NAME => Some(&self.delta_ads),
            epsilon::NAME => Some(&self.epsilon_ads),
            gamma::NAME => Some(&self.gamma_ads),
            zeta::NAME => Some(&self.zeta_ads),
            _ => None,
        }
    }

    pub(crate) fn ad_platform_mut(&mut self, name: &str) -> Option<&mut dyn AdPlatform> {
        match name {
            alpha::NAME => Some(&mut self.alpha_ads),
            beta::NAME => Some(&mut self.beta_ads),
            delta::NAME => Some(&mut self.delta_ads),
            epsilon::NAME => Some(&mut self.epsilon_ads),
            gamma::NAME => Some(&mut self.gamma_ads),
            zeta::NAME => Some(&mut self.zeta_ads),
            _ => None,
        }
    }

    pub(crate) fn service(&self, name: &str) -> Option<&dyn Service> {
        match name {
            stripe::NAME => Some(&self.stripe),
            oidc::NAME => Some(&self.oidc),
            _ => Some(self.ad_platform(name)?),
        }
    }

    pub(crate) fn service_mut(&mut self, name: &str) -> Option<&mut dyn Service> {
        match name {
            stripe::NAME => Some(&mut self.stripe),
            oidc::NAME => Some(&mut self.oidc),
            _ => Some(self.ad_platform_mut(name)?),
        }
    }
}

/// The ad platform with this name.
pub(crate) fn find_platform(name: &str) -> Option<&'static str> {
    PLATFORMS.iter().find(|known| **known == name).copied()
}

/// The ad platform with this name, or one of [`OTHER_SERVICES`].
pub(crate) fn find_service(name: &str) -> Option<&'static str> {
    find_platform(name).or_else(|| OTHER_SERVICES.into_iter().find(|known| *known == name))
}
