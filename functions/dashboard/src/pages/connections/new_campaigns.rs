//! The form for campaign defaults: values that some platforms require of every new campaign.

use super::{id, settings};
use crate::client::api::{Api, Refusal};
use crate::client::connections;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::form_errors::{Control, errors_of};
use serde::Serialize;
use shared::domain::{CampaignDefaults, Platform};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// A special ad category: its name in the API, and the words for people.
type Words = (&'static str, &'static str);

/// Meta's special ad categories.
const CATEGORIES: [Words; 5] = [
    ("EMPLOYMENT", "Employment"),
    ("FINANCIAL_PRODUCTS_SERVICES", "Financial products and services"),
    ("HOUSING", "Housing"),
    (CampaignDefaults::POLITICS, "Social issues, elections or politics"),
    ("ONLINE_GAMBLING_AND_GAMING", "Online gambling and gaming"),
];

/// The only one that Google and LinkedIn ask about.
const OF_GOOGLE: [Words; 1] = [(CampaignDefaults::POLITICS, "Political advertising in the European Union")];
const OF_LINKEDIN: [Words; 1] = [(CampaignDefaults::POLITICS, "Political advertising")];

const CONTROLS: [Control; 3] = [
    ("campaign_defaults.country", "country", "Country"),
    ("campaign_defaults.language", "language", "Language"),
    ("campaign_defaults.special_ad_categories", "categories", "Special ad categories"),
];

/// The values as the API takes them.
#[derive(Serialize)]
struct Defaults {
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    special_ad_categories: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Update {
    /// Null removes them.
    campaign_defaults: Option<Defaults>,
}

/// The form of a connection.
pub(super) struct NewCampaigns {
    /// `None` where the platform asks for none.
    pub(super) country: Option<String>,
    /// `None` where the platform asks for none.
    pub(super) language: Option<String>,
    pub(super) categories: Vec<Category>,
    /// The title of the categories.
    pub(super) title: &'static str,
    /// The hint that says what a tick means.
    pub(super) of_a_tick: &'static str,
}

/// A category of the form.
pub(super) struct Category {
    pub(super) name: &'static str,
    pub(super) words: &'static str,
    pub(super) is_ticked: bool,
}

impl NewCampaigns {
    /// `None` for a platform that asks for nothing.
    pub(super) fn of(platform: Platform, defaults: Option<CampaignDefaults>) -> Option<NewCampaigns> {
        let CampaignDefaults { country, language, special_ad_categories } = defaults.unwrap_or_default();
        let (country, language) = (Some(country.unwrap_or_default()), Some(language.unwrap_or_default()));
        let ticked = special_ad_categories.unwrap_or_default();
        let categories = |all: &[Words]| {
            let category =
                |&(name, words): &Words| Category { name, words, is_ticked: ticked.iter().any(|one| one == name) };
            all.iter().map(category).collect()
        };
        match platform {
            Platform::Alpha => Some(NewCampaigns {
                country: None,
                language: None,
                categories: categories(&OF_GOOGLE),
                title: "Declaration",
                of_a_tick: "Google might not show political advertising in the European Union. Without a tick, new \
                            campaigns declare that they are none.",
            }),
            Platform::Beta => Some(NewCampaigns {
                country,
                language: None,
                categories: categories(&CATEGORIES),
                title: "Special ad categories",
                of_a_tick: "Tick what the ads are about. Meta then limits the choice of the audience.",
            }),
            Platform::Delta => Some(NewCampaigns {
                country,
                language,
                categories: categories(&OF_LINKEDIN),
                title: "Declaration",
                of_a_tick: "LinkedIn might not show political advertising. Without a tick, new campaigns declare that \
                            they are none.",
            }),
            Platform::Gamma | Platform::Epsilon | Platform::Zeta => None,
        }
    }
}

/// Sets or removes what new campaigns of a connection have.
pub(crate) async fn set_defaults(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let update = Update { campaign_defaults: defaults(&form) };
    let set = connections::update(&Api::new(request, person), id(&form), &update).await;
    Ok(match set {
        Ok(_) => Notice::success("New campaigns of the connection have these values from now on."),
        Err(refusal) => refused(refusal, &form),
    }
    .then(settings::path(id(&form))))
}

/// The values of the form; `None` for an empty form of LinkedIn. Without a tick the API is told that no category applies;
/// LinkedIn assumes it.
fn defaults(form: &[(String, String)]) -> Option<Defaults> {
    let text = |name| value(form, name).map(str::trim).filter(|text| !text.is_empty());
    let country = text("country").map(str::to_ascii_uppercase);
    let ticked = form.iter().filter(|(name, _)| name == "categories").map(|(_, category)| category.clone());
    let categories: Vec<String> = ticked.collect();
    if value(form, "language").is_none() {
        return Some(Defaults { country, language: None, special_ad_categories: Some(categories) });
    }
    let language = text("language").map(str::to_ascii_lowercase);
    let special_ad_categories = (!categories.is_empty()).then_some(categories);
    let is_empty = country.is_none() && language.is_none() && special_ad_categories.is_none();
    (!is_empty).then_some(Defaults { country, language, special_ad_categories })
}

/// The refusal in a person's words, where it is about the fields of the form.
fn refused(refusal: Refusal, form: &[(String, String)]) -> Notice {
    let (errors, others) = errors_of(&refusal.details, &CONTROLS, form);
    let mut sentences: Vec<String> = errors.into_iter().map(|error| error.message).collect();
    // Several fields may lack the same.
    sentences.dedup();
    let failure = Notice::failure(refusal, &[]);
    if sentences.is_empty() || !others.is_empty() {
        return failure;
    }
    Notice { message: sentences.join(" "), request_id: None, details: Vec::new(), ..failure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn a_form_without_ticks_says_none_and_an_empty_one_of_linkedin_removes() {
        let sent =
            |fields: &[(&str, &str)]| serde_json::to_value(Update { campaign_defaults: defaults(&form(fields)) });
        let sent = |fields| sent(fields).unwrap()["campaign_defaults"].clone();
        let german = serde_json::json!({"country": "DE", "language": "de"});
        assert_eq!(sent(&[("country", " de "), ("language", "DE")]), german);
        assert_eq!(sent(&[("country", "DE"), ("language", "")]), serde_json::json!({"country": "DE"}));
        assert_eq!(sent(&[("country", ""), ("language", " ")]), serde_json::Value::Null);
        assert_eq!(sent(&[("country", "")]), serde_json::json!({"special_ad_categories": []}));
        assert_eq!(
            sent(&[("categories", "HOUSING"), ("categories", "EMPLOYMENT"), ("country", "us")]),
            serde_json::json!({"country": "US", "special_ad_categories": ["HOUSING", "EMPLOYMENT"]})
        );
        const POLITICS: (&str, &str) = ("categories", CampaignDefaults::POLITICS);
        assert_eq!(sent(&[POLITICS]), serde_json::json!({"special_ad_categories": [CampaignDefaults::POLITICS]}));
        assert_eq!(
            sent(&[POLITICS, ("country", "DE"), ("language", "de")]),
            serde_json::json!({
                "country": "DE",
                "language": "de",
                "special_ad_categories": [CampaignDefaults::POLITICS],
            })
        );
    }

    #[test]
    fn three_platforms_ask_for_more() {
        for platform in Platform::ALL {
            let asks = NewCampaigns::of(platform, None).is_some();
            assert_eq!(asks, matches!(platform, Platform::Alpha | Platform::Beta | Platform::Delta), "{platform}");
        }
    }
}
