//! The ad platforms, and the three spellings each one has in the interface (spec 2.2).

use std::fmt;

/// An ad platform. The order of the variants is the order of the merged list (`GET /v1/campaigns`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Platform {
    /// Google Ads.
    Alpha,
    /// Meta Marketing.
    Beta,
    /// TikTok Business.
    Gamma,
    /// LinkedIn Marketing.
    Delta,
    /// Pinterest Ads.
    Epsilon,
    /// Reddit Ads.
    Zeta,
}

impl Platform {
    /// Every platform, in the order of the enum.
    pub const ALL: [Platform; 6] =
        [Platform::Alpha, Platform::Beta, Platform::Gamma, Platform::Delta, Platform::Epsilon, Platform::Zeta];

    /// The flat, lower-case spelling: `alpha_ads`. Also the word in paths and in configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Platform::Alpha => "alpha_ads",
            Platform::Beta => "beta_ads",
            Platform::Gamma => "gamma_ads",
            Platform::Delta => "delta_ads",
            Platform::Epsilon => "epsilon_ads",
            Platform::Zeta => "zeta_ads",
        }
    }

    /// The enveloped, upper-case spelling: `ALPHA`.
    pub fn as_upper(self) -> &'static str {
        match self {
            Platform::Alpha => "ALPHA",
            Platform::Beta => "BETA",
            Platform::Gamma => "GAMMA",
            Platform::Delta => "DELTA",
            Platform::Epsilon => "EPSILON",
            Platform::Zeta => "ZETA",
        }
    }

    /// The first part of a campaign id: `alpha`.
    pub fn prefix(self) -> &'static str {
        self.as_str().trim_end_matches("_ads")
    }

    /// The platform's own name, for people.
    pub fn display_name(self) -> &'static str {
        match self {
            Platform::Alpha => "Google Ads",
            Platform::Beta => "Meta",
            Platform::Gamma => "TikTok",
            Platform::Delta => "LinkedIn",
            Platform::Epsilon => "Pinterest",
            Platform::Zeta => "Reddit",
        }
    }

    /// Reads the flat spelling.
    pub fn parse(word: &str) -> Option<Platform> {
        Self::ALL.into_iter().find(|platform| platform.as_str() == word)
    }

    /// Reads the enveloped spelling.
    pub fn from_upper(upper: &str) -> Option<Platform> {
        Self::ALL.into_iter().find(|platform| platform.as_upper() == upper)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
