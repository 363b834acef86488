//! The values of new campaigns, as an attribute of a connection, of the draft of a create, and of an event.

use crate::domain::CampaignDefaults;
use crate::error::Error;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct DefaultsAttribute {
    country: Option<String>,
    language: Option<String>,
    special_ad_categories: Option<Vec<String>>,
}

impl DefaultsAttribute {
    /// The attribute by itself, for an update.
    pub(super) fn value(defaults: &CampaignDefaults) -> Result<AttributeValue, Error> {
        serde_dynamo::to_attribute_value(DefaultsAttribute::from(defaults)).map_err(Error::internal)
    }
}

impl From<&CampaignDefaults> for DefaultsAttribute {
    fn from(defaults: &CampaignDefaults) -> DefaultsAttribute {
        let CampaignDefaults { country, language, special_ad_categories } = defaults.clone();
        DefaultsAttribute { country, language, special_ad_categories }
    }
}

impl From<DefaultsAttribute> for CampaignDefaults {
    fn from(attribute: DefaultsAttribute) -> CampaignDefaults {
        let DefaultsAttribute { country, language, special_ad_categories } = attribute;
        CampaignDefaults { country, language, special_ad_categories }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_comes_back_and_no_categories_are_not_the_same_as_none_told() {
        let defaults = [
            CampaignDefaults::default(),
            CampaignDefaults { special_ad_categories: Some(Vec::new()), ..CampaignDefaults::default() },
            CampaignDefaults {
                country: Some("DE".to_owned()),
                language: Some("de".to_owned()),
                special_ad_categories: Some(vec!["HOUSING".to_owned(), "EMPLOYMENT".to_owned()]),
            },
        ];
        for defaults in defaults {
            let stored = DefaultsAttribute::value(&defaults).unwrap();
            let read: DefaultsAttribute = serde_dynamo::from_attribute_value(stored).unwrap();
            assert_eq!(CampaignDefaults::from(read), defaults);
        }
    }
}
