//! Insights as the API shows them, in the enveloped shape.

use crate::client::accounts::ConnectionError;
use crate::client::api::Pagination;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;

/// The response to `getInsights`.
#[derive(Deserialize)]
pub(super) struct GetResponse {
    pub(super) data: Account,
}

/// The response to `listInsights`.
#[derive(Deserialize)]
pub(super) struct ListResponse {
    pub(super) data: ListPage,
}

#[derive(Deserialize)]
pub(super) struct ListPage {
    pub(super) accounts: Vec<Account>,
    pub(super) pagination: Pagination,
    #[serde(default)]
    pub(super) errors: Vec<ConnectionError>,
}

/// The insights of an ad account.
#[derive(Debug, Deserialize)]
pub(crate) struct Account {
    pub(super) platform: String,
    #[serde(default)]
    pub(super) connection_id: String,
    pub(super) organization_id: String,
    pub(super) currency: String,
    pub(super) time_zone: String,
    pub(super) attribution: String,
    pub(super) rows: Vec<Row>,
}

/// A campaign on a day, or on all days. `None` is a number that is not known.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    #[serde(default)]
    pub(super) campaign_id: String,
    pub(super) date: Option<Date>,
    #[serde(default, deserialize_with = "decimal")]
    pub(super) spend: Option<Decimal>,
    pub(super) impressions: Option<i64>,
    pub(super) clicks: Option<i64>,
    #[serde(default, deserialize_with = "decimal")]
    pub(super) conversions: Option<Decimal>,
    #[serde(default, deserialize_with = "decimal")]
    pub(super) conversion_value: Option<Decimal>,
    pub(super) is_final: bool,
}

/// A page of `listCampaigns`.
#[derive(Deserialize)]
pub(super) struct CampaignPage {
    pub(super) unified: Vec<NamedCampaign>,
    pub(super) pagination: Pagination,
}

/// A campaign, as far as its name needs it.
#[derive(Deserialize)]
pub(super) struct NamedCampaign {
    pub(super) id: String,
    pub(super) name: String,
}

/// An exact decimal, without a float in between.
fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    let number = Option::<Box<RawValue>>::deserialize(deserializer)?;
    let decimal = number.map(|number| decimal_from_number(number.get()));
    decimal.transpose().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_and_null_is_unknown() {
        let json = r#"{"campaign_id":"alpha_1_2","date":"2026-11-22","spend":0.1,"impressions":9007199254740993,
            "clicks":null,"conversions":0.3333333333333333333,"conversion_value":null,"is_final":false}"#;
        let row: Row = serde_json::from_str(json).unwrap();
        assert_eq!((row.spend, row.impressions), (Some(Decimal::new(1, 1)), Some(9_007_199_254_740_993)));
        assert_eq!(row.conversions.map(|number| number.to_string()).as_deref(), Some("0.3333333333333333333"));
        assert_eq!((row.clicks, row.conversion_value, row.is_final), (None, None, false));
    }
}
