//! Country, language and categories of new campaigns.

use crate::domain::Platform;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the defaults of new campaigns must satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DefaultsRule {
    /// A create needs a country and a language, and the connection has none.
    Set { platform: Platform },
    /// The connection needs a country and a language.
    Required { platform: Platform },
    /// The special ad categories need a country.
    RequiredWithCategories { platform: Platform },
    /// A country is for special ad categories alone.
    OnlyWithCategories { platform: Platform },
    /// It is the code of a country; with a platform, of one in which that shows ads.
    Country { shown_by: Option<Platform> },
    /// It is a language of the platform, one of these.
    Language { platform: Platform, known: String },
}

impl fmt::Display for DefaultsRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultsRule::Set { platform } => write!(
                f,
                "is required on {}: set the country and the language of new campaigns on the connection, on the page \
                 Connections of the dashboard or with PATCH /v1/connections/{{id}} and a body such as \
                 {{\"campaign_defaults\":{{\"country\":\"DE\",\"language\":\"de\"}}}}",
                platform.display_name()
            ),
            DefaultsRule::Required { platform } => write!(f, "is required on {}", platform.display_name()),
            DefaultsRule::RequiredWithCategories { platform } => {
                write!(f, "is required on {} with special_ad_categories", platform.display_name())
            }
            DefaultsRule::OnlyWithCategories { platform } => {
                write!(f, "is for special_ad_categories on {}, and there are none", platform.display_name())
            }
            DefaultsRule::Country { shown_by: None } => {
                f.write_str("must be the two-letter code of a country, such as DE")
            }
            DefaultsRule::Country { shown_by: Some(platform) } => write!(
                f,
                "must be the two-letter code of a country in which {} shows ads, such as DE",
                platform.display_name()
            ),
            DefaultsRule::Language { platform: _, known } => write!(f, "must be one of {known}"),
        }
    }
}
