//! The people that new campaigns are shown to: LinkedIn requires a place and a language of each.
//!
//! The country decides on the place alone, because a language has one locale: campaigns in Austria have `de_DE`.

use super::wire;
use crate::domain::DefaultsRule;
use crate::platforms::prelude::*;
use std::collections::BTreeMap;

/// The ids of countries as places, each with its code of ISO 3166: a line for each. LinkedIn publishes no list. Two
/// lists of third parties agree on each line, one of them taken from the facet `locations`; 14 of the lines were read
/// back from LinkedIn by others (2026-10). A country on which they differ is missing.
const PLACES: &str = include_str!("places.txt");

/// The locales of the facet `interfaceLocales` by language. Third parties list them (2025); Indonesian has its old code.
const LOCALES: [(&str, &str, &str); 21] = [
    ("ar", "ar", "AE"),
    ("cs", "cs", "CZ"),
    ("da", "da", "DK"),
    ("de", "de", "DE"),
    ("en", "en", "US"),
    ("es", "es", "ES"),
    ("fr", "fr", "FR"),
    ("hi", "hi", "IN"),
    ("id", "in", "ID"),
    ("it", "it", "IT"),
    ("ja", "ja", "JP"),
    ("ko", "ko", "KR"),
    ("ms", "ms", "MY"),
    ("nl", "nl", "NL"),
    ("no", "no", "NO"),
    ("pl", "pl", "PL"),
    ("pt", "pt", "BR"),
    ("ro", "ro", "RO"),
    ("ru", "ru", "RU"),
    ("sv", "sv", "SE"),
    ("tr", "tr", "TR"),
];

/// A place, and a language in LinkedIn's terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Audience {
    place: &'static str,
    pub(super) locale: wire::Locale,
}

impl Audience {
    /// `None` without a country and a language that LinkedIn has.
    pub(super) fn of(defaults: &CampaignDefaults) -> Option<Audience> {
        let place = place(defaults.country.as_deref()?)?;
        Some(Audience { place, locale: locale(defaults.language.as_deref()?)? })
    }

    /// Members with the language in the place.
    ///
    /// <https://learn.microsoft.com/en-us/linkedin/shared/references/v2/ads/targeting-criteria>
    pub(super) fn criteria(self) -> wire::TargetingCriteria {
        let wire::Locale { country, language } = self.locale;
        let any_of = |facet: &'static str, value: String| wire::AnyOf { or: BTreeMap::from([(facet, [value])]) };
        let places = any_of("urn:li:adTargetingFacet:locations", format!("urn:li:geo:{}", self.place));
        let locale = format!("urn:li:locale:{language}_{country}");
        let locales = any_of("urn:li:adTargetingFacet:interfaceLocales", locale);
        wire::TargetingCriteria { include: wire::AllOf { and: [places, locales] } }
    }
}

/// What is wrong with the values of a connection: both are required, and LinkedIn must have them.
pub(super) fn errors(defaults: &CampaignDefaults) -> FieldErrors {
    let (platform, mut errors) = (Platform::Delta, FieldErrors::default());
    let CampaignDefaults { country, language, special_ad_categories: _ } = defaults;
    match country.as_deref() {
        None => errors.add("campaign_defaults.country", DefaultsRule::Required { platform }),
        Some(country) if place(country).is_none() => {
            errors.add("campaign_defaults.country", DefaultsRule::Country { shown_by: Some(platform) });
        }
        Some(_) => {}
    }
    match language.as_deref() {
        None => errors.add("campaign_defaults.language", DefaultsRule::Required { platform }),
        Some(language) if locale(language).is_none() => {
            let known = LOCALES.map(|(language, ..)| language).join(", ");
            errors.add("campaign_defaults.language", DefaultsRule::Language { platform, known });
        }
        Some(_) => {}
    }
    defaults::check_politics(&mut errors, Platform::Delta, defaults);
    errors
}

fn place(country: &str) -> Option<&'static str> {
    PLACES.lines().filter_map(|line| line.split_once(' ')).find(|(code, _)| *code == country).map(|(_, id)| id)
}

fn locale(language: &str) -> Option<wire::Locale> {
    let (_, language, country) = LOCALES.into_iter().find(|(known, ..)| *known == language)?;
    Some(wire::Locale { country, language })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn defaults(country: &str, language: &str) -> CampaignDefaults {
        let (country, language) = (Some(country.to_owned()), Some(language.to_owned()));
        CampaignDefaults { country, language, special_ad_categories: None }
    }

    #[test]
    fn each_country_has_one_place_and_no_other_has_the_same() {
        let rows: Vec<(&str, &str)> = PLACES.lines().map(|line| line.split_once(' ').unwrap()).collect();
        for (code, id) in &rows {
            assert!(code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()), "{code}");
            assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_digit()), "{code} {id}");
        }
        let codes: BTreeSet<&str> = rows.iter().map(|(code, _)| *code).collect();
        let ids: BTreeSet<&str> = rows.iter().map(|(_, id)| *id).collect();
        assert_eq!((codes.len(), ids.len()), (rows.len(), rows.len()));
    }

    #[test]
    fn the_place_follows_the_country_and_the_locale_the_language() {
        let criteria = |country: &str, language: &str| {
            let audience = Audience::of(&defaults(country, language)).unwrap();
            serde_json::to_value(audience.criteria()).unwrap()["include"]["and"].clone()
        };
        let facets = |place: &str, locale: &str| {
            serde_json::json!([
                {"or": {"urn:li:adTargetingFacet:locations": [place]}},
                {"or": {"urn:li:adTargetingFacet:interfaceLocales": [locale]}},
            ])
        };
        assert_eq!(criteria("US", "en"), facets("urn:li:geo:103644278", "urn:li:locale:en_US"));
        assert_eq!(criteria("AT", "de"), facets("urn:li:geo:103883259", "urn:li:locale:de_DE"));
        assert_eq!(criteria("ID", "id"), facets("urn:li:geo:102478259", "urn:li:locale:in_ID"));
    }

    #[test]
    fn what_linkedin_does_not_have_is_refused_by_its_field() {
        let fields = |defaults: &CampaignDefaults| {
            let refused = errors(defaults).into_result().err();
            refused.map_or_else(Vec::new, |error| error.details.into_iter().map(|detail| detail.field).collect())
        };
        assert_eq!(fields(&defaults("DE", "de")), [""; 0]);
        for (country, language, field) in [
            ("XX", "de", "campaign_defaults.country"),
            ("de", "de", "campaign_defaults.country"),
            ("", "de", "campaign_defaults.country"),
            ("DE 1", "de", "campaign_defaults.country"),
            ("DE", "DE", "campaign_defaults.language"),
            ("DE", "xx", "campaign_defaults.language"),
        ] {
            assert_eq!(fields(&defaults(country, language)), [field], "{country} {language}");
            assert!(Audience::of(&defaults(country, language)).is_none());
        }
        let about = |categories: &[&str]| {
            let special_ad_categories = Some(categories.iter().map(|&one| one.to_owned()).collect());
            fields(&CampaignDefaults { special_ad_categories, ..defaults("DE", "de") })
        };
        let politics = CampaignDefaults::POLITICS;
        for offered in [&[][..], &[politics]] {
            assert_eq!(about(offered), [""; 0], "{offered:?}");
        }
        for of_meta in [&["HOUSING"][..], &[politics, "HOUSING"], &[politics, politics]] {
            assert_eq!(about(of_meta), ["campaign_defaults.special_ad_categories"], "{of_meta:?}");
        }
        let all = ["campaign_defaults.country", "campaign_defaults.language"];
        assert_eq!(fields(&CampaignDefaults::default()), all, "both are required");
    }
}
