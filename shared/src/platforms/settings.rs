//! Settings of platforms. Every value has a default, and none is secret.
//!
//! Set by `PLATFORM_SETTINGS`, a JSON object by platform, with the values that differ from their defaults:
//! `{"delta_ads": {"campaign_group_id": "123"}, "zeta_ads": {"pixel_id": "t2_abc"}}`.

use crate::domain::Platform;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The settings of all platforms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Meta.
    pub beta_ads: Beta,
    /// LinkedIn.
    pub delta_ads: Delta,
    /// Reddit.
    pub zeta_ads: Zeta,
}

impl Settings {
    /// The `User-Agent`, where a platform requires a particular one.
    pub fn user_agent(&self, platform: Platform) -> Option<&str> {
        (platform == Platform::Zeta).then_some(self.zeta_ads.user_agent.as_str())
    }
}

/// Meta.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Beta {
    /// `special_ad_categories` of every new campaign; the platform requires the field, and empty means none.
    pub special_ad_categories: Vec<String>,
}

/// LinkedIn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delta {
    /// `LinkedIn-Version`, `YYYYMM`. A version lives about a year; a request for one that has ended is refused.
    #[serde(deserialize_with = "year_and_month")]
    pub version: String,
    /// The campaign group of every new campaign; without it the one named [`Delta::campaign_group_name`] is
    /// used, and made when there is none.
    pub campaign_group_id: Option<String>,
    /// Name of the group that is used or made.
    pub campaign_group_name: String,
    /// `locale.country` of new campaigns.
    pub country: String,
    /// `locale.language` of new campaigns.
    pub language: String,
    /// The place that new campaigns are aimed at; the platform requires one. Default: the United States.
    pub geo: String,
    /// `politicalIntent` of new campaigns.
    pub political_intent: String,
}

/// A version by its month. Of another form LinkedIn would refuse every call, and nothing would warn of its end.
fn year_and_month<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_number = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    let month = text.get(4..).and_then(|month| month.parse::<u8>().ok());
    if is_number && month.is_some_and(|month| (1..=12).contains(&month)) {
        return Ok(text);
    }
    Err(D::Error::custom("delta_ads.version must be a year and a month as YYYYMM, such as 202607"))
}

impl Default for Delta {
    fn default() -> Delta {
        Delta {
            version: "202607".to_owned(),
            campaign_group_id: None,
            campaign_group_name: "Unified Ads".to_owned(),
            country: "US".to_owned(),
            language: "en".to_owned(),
            geo: "urn:li:geo:103644278".to_owned(),
            political_intent: "NOT_POLITICAL".to_owned(),
        }
    }
}

/// Reddit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Zeta {
    /// The conversion pixel of new campaigns. Default: the ad account's first one.
    pub pixel_id: Option<String>,
    /// `User-Agent`. The platform refuses those of common libraries.
    pub user_agent: String,
}

impl Default for Zeta {
    fn default() -> Zeta {
        Zeta { pixel_id: None, user_agent: concat!("unified-ads/", env!("CARGO_PKG_VERSION")).to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_omitted_and_unknown_names_are_refused() {
        let settings: Settings = serde_json::from_str(r#"{"delta_ads":{"version":"202611"}}"#).unwrap();
        assert_eq!(settings.delta_ads.version, "202611");
        assert_eq!(settings.delta_ads.country, "US");
        assert_eq!(Settings::default().delta_ads.version, "202607");
        assert!(Settings::default().user_agent(Platform::Zeta).is_some_and(|agent| agent.starts_with("unified-ads/")));
        assert!(
            serde_json::from_str::<Settings>(r#"{"gamma_ads":{"smart_plus":false}}"#).is_err(),
            "no longer a choice"
        );
        assert!(serde_json::from_str::<Settings>(r#"{"delta_ads":{"verison":"202611"}}"#).is_err());
        assert!(serde_json::from_str::<Settings>(r#"{"delta":{}}"#).is_err());
    }

    #[test]
    fn a_version_of_linkedin_is_a_year_and_a_month() {
        let read = |version: &str| {
            let settings = serde_json::json!({"delta_ads": {"version": version}});
            serde_json::from_value::<Settings>(settings).map(|settings| settings.delta_ads.version)
        };
        for version in ["202601", "202607", "202612"] {
            assert_eq!(read(version).ok().as_deref(), Some(version));
        }
        for invalid in [
            "",
            "2026",
            "20260",
            "2026-7",
            "202600",
            "202613",
            "2026071",
            " 202607",
            "202607\n",
            "v20260",
            "２０２６０７",
        ] {
            let error = read(invalid).unwrap_err().to_string();
            assert!(error.contains("delta_ads.version") && error.contains("YYYYMM"), "{invalid}: {error}");
        }
        assert!(serde_json::from_str::<Settings>(r#"{"delta_ads":{"version":202607}}"#).is_err(), "a number");
    }
}
