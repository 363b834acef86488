//! What new campaigns of a connection have, where the caller of a create cannot say it.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Values that a platform asks of every new campaign, and for which `createCampaign` has no field. They belong to the
/// connection, because each ad account advertises somewhere else.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignDefaults {
    /// Country, ISO 3166-1 alpha-2: `DE`.
    pub country: Option<String>,
    /// Language of the people, ISO 639-1: `de`.
    pub language: Option<String>,
    /// Categories whose ads may not choose their audience freely; empty says that there are none.
    pub special_ad_categories: Option<Vec<String>>,
}

/// Who has set the values of a new campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultsSource {
    Connection,
    /// The operator, or the service itself.
    Service,
}

impl DefaultsSource {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            DefaultsSource::Connection => "connection",
            DefaultsSource::Service => "service",
        }
    }
}

impl CampaignDefaults {
    /// The name of the object in the API.
    pub const NAME: &str = "campaign_defaults";

    /// The category of ads about social issues, elections or politics.
    pub const POLITICS: &str = "ISSUES_ELECTIONS_POLITICS";

    /// No special ad category applies.
    pub fn without_categories() -> CampaignDefaults {
        CampaignDefaults { special_ad_categories: Some(Vec::new()), ..CampaignDefaults::default() }
    }

    /// Whether the ads are declared as political.
    pub fn is_political(&self) -> bool {
        self.special_ad_categories.iter().flatten().any(|category| category == CampaignDefaults::POLITICS)
    }

    /// The names of the fields that are set.
    pub fn field_names(&self) -> Vec<&'static str> {
        let CampaignDefaults { country, language, special_ad_categories } = self;
        let set = [
            country.as_ref().map(|_| "country"),
            language.as_ref().map(|_| "language"),
            special_ad_categories.as_ref().map(|_| "special_ad_categories"),
        ];
        set.into_iter().flatten().collect()
    }
}
