//! Special ad categories: every new campaign says whether its ads are about something whose audience must not be chosen
//! freely.
//!
//! <https://developers.facebook.com/docs/marketing-api/audiences/special-ad-category>: with a category a country is
//! required. `CREDIT` is deprecated for `FINANCIAL_PRODUCTS_SERVICES`, and `NONE` is the same as an empty list.

use crate::domain::{ChoiceRule, DefaultsRule};
use crate::platforms::prelude::*;
use std::collections::BTreeSet;

const CATEGORIES: [&str; 5] =
    ["EMPLOYMENT", "FINANCIAL_PRODUCTS_SERVICES", "HOUSING", CampaignDefaults::POLITICS, "ONLINE_GAMBLING_AND_GAMING"];

/// What is wrong with the values of a connection.
pub(super) fn errors(defaults: &CampaignDefaults) -> FieldErrors {
    let (platform, mut errors) = (Platform::Beta, FieldErrors::default());
    let CampaignDefaults { country, language, special_ad_categories } = defaults;
    let categories = special_ad_categories.as_deref().unwrap_or_default();
    if special_ad_categories.is_none() {
        errors.add(
            "campaign_defaults.special_ad_categories",
            "is required on Meta; an empty list says that there are none",
        );
    }
    let different: BTreeSet<&str> = categories.iter().map(String::as_str).collect();
    if different.len() < categories.len() || !different.iter().all(|category| CATEGORIES.contains(category)) {
        let message = format!("must have only {}, each once", CATEGORIES.join(", "));
        errors.add("campaign_defaults.special_ad_categories", message);
    }
    match country.as_deref() {
        None if categories.is_empty() => {}
        None => errors.add("campaign_defaults.country", DefaultsRule::RequiredWithCategories { platform }),
        Some(_) if categories.is_empty() => {
            errors.add("campaign_defaults.country", DefaultsRule::OnlyWithCategories { platform });
        }
        Some(country) if !is_country(country) => {
            errors.add("campaign_defaults.country", DefaultsRule::Country { shown_by: None });
        }
        Some(_) => {}
    }
    if language.is_some() {
        errors.add("campaign_defaults.language", ChoiceRule::Offered { platform, instead: None });
    }
    errors
}

/// Meta has every country.
fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(country: Option<&str>, categories: Option<&[&str]>) -> Vec<String> {
        let categories = categories.map(|categories| categories.iter().map(|&one| one.to_owned()).collect());
        let country = country.map(str::to_owned);
        let defaults = CampaignDefaults { country, special_ad_categories: categories, ..CampaignDefaults::default() };
        let refused = errors(&defaults).into_result().err();
        refused.map_or_else(Vec::new, |error| error.details.into_iter().map(|detail| detail.field).collect())
    }

    #[test]
    fn a_category_needs_a_country_and_none_has_none() {
        let (country, categories) = ("campaign_defaults.country", "campaign_defaults.special_ad_categories");
        for (given, listed, expected) in [
            (None, Some(&[][..]), &[][..]),
            (Some("DE"), Some(&["HOUSING", "EMPLOYMENT"]), &[]),
            (None, Some(&["HOUSING"]), &[country]),
            (Some("DE"), Some(&[]), &[country]),
            (Some("Germany"), Some(&["HOUSING"]), &[country]),
            (None, None, &[categories]),
            (Some("US"), Some(&["CREDIT"]), &[categories]),
            (Some("US"), Some(&["HOUSING", "HOUSING"]), &[categories]),
            (Some("US"), Some(&["NONE"]), &[categories]),
        ] {
            assert_eq!(fields(given, listed), expected, "{given:?} {listed:?}");
        }
    }

    #[test]
    fn a_language_is_not_metas() {
        let defaults = CampaignDefaults {
            language: Some("de".to_owned()),
            special_ad_categories: Some(Vec::new()),
            ..CampaignDefaults::default()
        };
        let error = errors(&defaults).into_result().unwrap_err();
        assert_eq!(error.details[0].field, "campaign_defaults.language");
    }
}
