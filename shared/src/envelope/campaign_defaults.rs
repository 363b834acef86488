//! `campaign_defaults` of a connection.

use super::fields::Fields;
use crate::domain::{CampaignDefaults, DefaultsSource};
use crate::error::Error;
use serde::Serialize;
use serde_with::skip_serializing_none;

/// The values, with those fields that are set.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct WireDefaults<'a> {
    country: Option<&'a str>,
    language: Option<&'a str>,
    special_ad_categories: Option<&'a [String]>,
}

/// The values that a create sends, and who has set them.
#[derive(Serialize)]
pub(super) struct WireChosen<'a> {
    #[serde(flatten)]
    values: WireDefaults<'a>,
    source: &'static str,
}

impl<'a> WireChosen<'a> {
    pub(super) fn new((values, source): &'a (CampaignDefaults, DefaultsSource)) -> WireChosen<'a> {
        WireChosen { values: values.into(), source: source.as_str() }
    }
}

impl<'a> From<&'a CampaignDefaults> for WireDefaults<'a> {
    fn from(defaults: &'a CampaignDefaults) -> WireDefaults<'a> {
        let CampaignDefaults { country, language, special_ad_categories } = defaults;
        WireDefaults {
            country: country.as_deref(),
            language: language.as_deref(),
            special_ad_categories: special_ad_categories.as_deref(),
        }
    }
}

/// Reads the field of an update: `None` without it, `Some(None)` for null. Which values a platform takes, its adapter
/// knows.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<Option<CampaignDefaults>> {
    let name = CampaignDefaults::NAME;
    if !fields.has(name) {
        return None;
    }
    fields.skip_null(name);
    let Some(text) = fields.take(name) else { return Some(None) };
    match read_object(text) {
        Ok(CampaignDefaults { country: None, language: None, special_ad_categories: None }) => {
            fields.add_error(name, "must have country, language or special_ad_categories; null removes it");
            None
        }
        Ok(defaults) => Some(Some(defaults)),
        Err(error) => {
            fields.add_nested_errors(name, error);
            None
        }
    }
}

fn read_object(text: &str) -> Result<CampaignDefaults, Error> {
    let mut fields = Fields::parse(text.as_bytes())?;
    let country = fields.nullable_string("country");
    let language = fields.nullable_string("language");
    fields.skip_null("special_ad_categories");
    let special_ad_categories = fields.strings("special_ad_categories");
    fields.finish()?;
    Ok(CampaignDefaults { country, language, special_ad_categories })
}
