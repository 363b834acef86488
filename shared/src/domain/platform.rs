//! The ad platforms and their names in the API.

use super::variants;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use strum::VariantArray;

/// An ad platform. The variants are in the order of the merged list of `listCampaigns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray, Serialize, Deserialize)]
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
    /// Every platform, in order.
    pub const ALL: [Platform; 6] = variants();

    /// The names: flat, enveloped, and the product's.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Platform::Alpha => ["alpha_ads", "ALPHA", "Google Ads"],
            Platform::Beta => ["beta_ads", "BETA", "Meta"],
            Platform::Gamma => ["gamma_ads", "GAMMA", "TikTok"],
            Platform::Delta => ["delta_ads", "DELTA", "LinkedIn"],
            Platform::Epsilon => ["epsilon_ads", "EPSILON", "Pinterest"],
            Platform::Zeta => ["zeta_ads", "ZETA", "Reddit"],
        }
    }

    /// The name in the flat shape, in paths and in configuration: `alpha_ads`.
    pub const fn as_str(self) -> &'static str {
        let [flat, _, _] = self.names();
        flat
    }

    /// The name in the enveloped shape: `ALPHA`.
    pub const fn as_upper(self) -> &'static str {
        let [_, enveloped, _] = self.names();
        enveloped
    }

    /// The first part of a campaign id: `alpha`.
    pub fn prefix(self) -> &'static str {
        self.as_str().trim_end_matches("_ads")
    }

    /// The product's name, for messages.
    pub const fn display_name(self) -> &'static str {
        let [_, _, product] = self.names();
        product
    }

    /// Parses the name of the flat shape.
    pub fn parse(name: &str) -> Option<Platform> {
        Self::ALL.into_iter().find(|platform| platform.as_str() == name)
    }

    /// Parses the name of the enveloped shape.
    pub fn from_upper(upper: &str) -> Option<Platform> {
        Self::ALL.into_iter().find(|platform| platform.as_upper() == upper)
    }
}

impl Platform {
    /// Whether a 404 with this code of the platform says that a campaign does not exist. Meta returns removed campaigns, and
    /// answers 404 for one that the connection may not see. TikTok and Pinterest have codes for an ad account that they do not
    /// find, whose campaigns may run.
    pub fn tells_absence(self, code: Option<&str>) -> bool {
        !matches!(
            (self, code),
            (Platform::Beta, _) | (Platform::Gamma, Some("40300" | "40301")) | (Platform::Epsilon, Some("2"))
        )
    }

    /// The platform that a name may mean that is none of the API's: `google`, `Facebook`, `alpha`.
    pub fn guess(text: &str) -> Option<Platform> {
        let text = text.to_ascii_lowercase();
        let words = |platform: Platform| match platform {
            Platform::Alpha => ["google", "adwords"].as_slice(),
            Platform::Beta => &["meta", "facebook", "instagram"],
            Platform::Gamma => &["tiktok"],
            Platform::Delta => &["linkedin"],
            Platform::Epsilon => &["pinterest"],
            Platform::Zeta => &["reddit"],
        };
        let is_meant = |platform: &Platform| {
            text.starts_with(platform.prefix()) || words(*platform).iter().any(|word| text.contains(word))
        };
        Platform::ALL.into_iter().find(is_meant)
    }
}

impl FromStr for Platform {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Platform, &'static str> {
        Platform::parse(name).ok_or("no platform has this name")
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
