//! Settings of platforms. Every value has a default, and none is secret.
//!
//! Set by `PLATFORM_SETTINGS`, a JSON object by platform, with the values that differ from their defaults:
//! `{"delta_ads": {"version": "202608"}, "zeta_ads": {"user_agent": "web:com.example.ads:1.0"}}`.

use super::adapter;
use crate::domain::{CampaignDefaults, Connection, DefaultsSource, Platform};
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

    /// What a new campaign has that its caller cannot say: the values of the connection, or else the operator's.
    pub fn defaults_of(&self, connection: &Connection) -> Option<(CampaignDefaults, DefaultsSource)> {
        if let Some(own) = &connection.campaign_defaults {
            return Some((own.clone(), DefaultsSource::Connection));
        }
        let of_service = match connection.platform {
            Platform::Alpha => Some(CampaignDefaults::without_categories()),
            Platform::Beta => Some(self.beta_ads.campaign_defaults.clone()),
            Platform::Delta => self.delta_ads.campaign_defaults.clone(),
            Platform::Gamma | Platform::Epsilon | Platform::Zeta => None,
        };
        Some((of_service?, DefaultsSource::Service))
    }

    /// The settings of the local service and of tests: campaigns on LinkedIn are for English speakers in the United
    /// States, unless their connection says otherwise.
    pub fn local() -> Settings {
        let (country, language) = (Some("US".to_owned()), Some("en".to_owned()));
        let campaign_defaults = Some(CampaignDefaults { country, language, special_ad_categories: None });
        Settings { delta_ads: Delta { campaign_defaults, ..Delta::default() }, ..Settings::default() }
    }
}

/// The members of `campaign_defaults`, which are those of a connection.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Defaults {
    country: Option<String>,
    language: Option<String>,
    special_ad_categories: Option<Vec<String>>,
}

impl Defaults {
    /// Checked like those of a connection, so that no create meets an error that its caller cannot mend.
    fn read<'de, D: Deserializer<'de>>(platform: Platform, deserializer: D) -> Result<CampaignDefaults, D::Error> {
        let Defaults { country, language, special_ad_categories } = Defaults::deserialize(deserializer)?;
        let defaults = CampaignDefaults { country, language, special_ad_categories };
        let refused = adapter(platform).defaults_errors(&defaults).into_result().err();
        let faults = refused.into_iter().flat_map(|error| error.details);
        let faults: Vec<String> = faults.map(|fault| format!("{platform}.{fault}")).collect();
        if faults.is_empty() { Ok(defaults) } else { Err(D::Error::custom(faults.join("; "))) }
    }

    fn of_beta<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CampaignDefaults, D::Error> {
        Defaults::read(Platform::Beta, deserializer)
    }

    fn of_delta<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<CampaignDefaults>, D::Error> {
        Defaults::read(Platform::Delta, deserializer).map(Some)
    }
}

/// Meta.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Beta {
    /// The special ad categories of new campaigns whose connection has none set. Default: none apply.
    #[serde(deserialize_with = "Defaults::of_beta")]
    pub campaign_defaults: CampaignDefaults,
}

impl Default for Beta {
    fn default() -> Beta {
        Beta { campaign_defaults: CampaignDefaults::without_categories() }
    }
}

/// LinkedIn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delta {
    /// `LinkedIn-Version`, `YYYYMM`. A version lives about a year; a request for one that has ended is refused.
    #[serde(deserialize_with = "year_and_month")]
    pub version: String,
    /// Name of the campaign group of new campaigns. Each ad account has its own, which is made if there is none.
    pub campaign_group_name: String,
    /// Country and language of new campaigns whose connection has nothing set, and the political category. Without them
    /// such a create is refused, because one country for the customers of all is a mistake that costs them money.
    #[serde(deserialize_with = "Defaults::of_delta")]
    pub campaign_defaults: Option<CampaignDefaults>,
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
        Delta { version: "202607".to_owned(), campaign_group_name: "Unified Ads".to_owned(), campaign_defaults: None }
    }
}

/// Reddit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Zeta {
    /// `User-Agent`. The platform refuses those of common libraries.
    pub user_agent: String,
}

impl Default for Zeta {
    fn default() -> Zeta {
        Zeta { user_agent: concat!("unified-ads/", env!("CARGO_PKG_VERSION")).to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_omitted_and_unknown_names_are_refused() {
        let settings: Settings = serde_json::from_str(r#"{"delta_ads":{"version":"202611"}}"#).unwrap();
        assert_eq!(settings.delta_ads.version, "202611");
        assert_eq!(settings.delta_ads.campaign_defaults, None);
        assert_eq!(Settings::default().delta_ads.version, "202607");
        assert!(Settings::default().user_agent(Platform::Zeta).is_some_and(|agent| agent.starts_with("unified-ads/")));
        assert!(
            serde_json::from_str::<Settings>(r#"{"gamma_ads":{"smart_plus":false}}"#).is_err(),
            "no longer a choice"
        );
        for no_longer_there in [
            r#"{"delta_ads":{"campaign_group_id":"1"}}"#,
            r#"{"delta_ads":{"political_intent":"POLITICAL"}}"#,
            r#"{"zeta_ads":{"pixel_id":"t2_a"}}"#,
        ] {
            assert!(serde_json::from_str::<Settings>(no_longer_there).is_err(), "{no_longer_there}");
        }
        assert!(serde_json::from_str::<Settings>(r#"{"delta_ads":{"verison":"202611"}}"#).is_err());
        assert!(serde_json::from_str::<Settings>(r#"{"delta":{}}"#).is_err());
    }

    #[test]
    fn values_of_new_campaigns_are_checked_at_the_start() {
        let read = |text: &str| serde_json::from_str::<Settings>(text).map_err(|error| error.to_string());
        let settings = read(r#"{"delta_ads":{"campaign_defaults":{"country":"US","language":"en"}}}"#).unwrap();
        assert_eq!(settings, Settings::local());
        let housing = r#"{"beta_ads":{"campaign_defaults":{"special_ad_categories":["HOUSING"],"country":"US"}}}"#;
        assert!(read(housing).is_ok());
        for (text, named) in [
            (r#"{"delta_ads":{"campaign_defaults":{"country":"US"}}}"#, "delta_ads.campaign_defaults.language"),
            (r#"{"delta_ads":{"campaign_defaults":{"country":"USA","language":"en"}}}"#, "campaign_defaults.country"),
            (r#"{"beta_ads":{"campaign_defaults":{"special_ad_categories":["X"]}}}"#, "EMPLOYMENT"),
            (r#"{"delta_ads":{"country":"US"}}"#, "campaign_defaults"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(named), "{text}: {error}");
        }
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
