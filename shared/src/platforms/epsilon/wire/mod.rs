//! Messages of the Pinterest API v5 as its OpenAPI description has them, cut to the fields that are used here.
//!
//! Ids are strings of digits, money is an integer of micros of the account's currency, times are seconds since 1970.
//! Unknown fields are ignored, enums stay text, and an optional field of another type counts as absent, because the
//! platform may be newer than this.

mod ads;
mod report;

pub(super) use ads::{Ad, AdGroup, Objective};
pub(super) use report::Row;

use crate::platforms::rows::{Whole, text_or_none, value_or_none};
use secrecy::SecretString;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_with::{apply, skip_serializing_none};

/// Reads an id of the platform: digits without leading zeros. Higher ids are of newer campaigns.
pub(super) fn number(text: &str) -> Option<u64> {
    let number = text.parse::<u64>().ok().filter(|number| *number > 0)?;
    (number.to_string() == text).then_some(number)
}

/// One page of a list: schema `Paginated` of <https://github.com/pinterest/api-description>
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub(super) items: Vec<Box<RawValue>>,
    /// The token of the next page; null on the last one.
    pub(super) bookmark: Option<String>,
}

/// <https://developers.pinterest.com/docs/api/v5/ad_accounts-list/>
#[apply(Option => #[serde(default, deserialize_with = "value_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct AdAccount {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) currency: Option<String>,
    /// IANA name of a zone; older accounts may have none.
    pub(super) time_zone: Option<String>,
}

/// <https://developers.pinterest.com/docs/api/v5/campaigns-get/>
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<Whole> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Deserialize)]
pub(super) struct Campaign {
    pub(super) id: String,
    #[serde_with(skip_apply)]
    pub(super) ad_account_id: Option<String>,
    /// A name such as `2026` may come as a number.
    pub(super) name: Option<String>,
    /// The advertiser's own switch: `ACTIVE`, `PAUSED`, `ARCHIVED`, `DRAFT`, `DELETED_DRAFT`.
    pub(super) status: Option<String>,
    /// Whether it is shown, in one word of Pinterest.
    pub(super) summary_status: Option<String>,
    pub(super) objective_type: Option<String>,
    pub(super) start_time: Option<Whole>,
    pub(super) end_time: Option<Whole>,
    pub(super) created_time: Option<Whole>,
    pub(super) updated_time: Option<Whole>,
}

/// The time of creation in a [`Campaign`], which decides whether a create made it: unreadable is not absent.
#[derive(Debug, Deserialize)]
pub(super) struct CreationTime {
    pub(super) created_time: Option<Whole>,
}

/// The id in a [`Campaign`].
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) ad_account_id: Option<String>,
}

/// The budget in a [`Campaign`]: unreadable as soon as one of its parts is, so that no part is taken for the whole.
#[derive(Debug, Deserialize)]
pub(super) struct Budget {
    /// The budget is the campaign's own; otherwise its ad groups have theirs.
    pub(super) is_campaign_budget_optimization: Option<bool>,
    pub(super) daily_spend_cap: Option<Whole>,
    pub(super) lifetime_spend_cap: Option<Whole>,
}

/// <https://developers.pinterest.com/docs/api/v5/campaigns-create/>
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub(super) struct CampaignCreate<'a> {
    pub(super) ad_account_id: &'a str,
    pub(super) name: &'a str,
    pub(super) objective_type: &'static str,
    /// ACTIVE when left out.
    pub(super) status: &'static str,
    pub(super) is_campaign_budget_optimization: bool,
    pub(super) daily_spend_cap: Option<i64>,
    pub(super) lifetime_spend_cap: Option<i64>,
    pub(super) start_time: Option<i64>,
    pub(super) end_time: Option<i64>,
}

/// <https://developers.pinterest.com/docs/api/v5/campaigns-update/>
#[skip_serializing_none]
#[derive(Debug, Default, Serialize)]
pub(super) struct CampaignUpdate<'a> {
    pub(super) id: &'a str,
    pub(super) ad_account_id: &'a str,
    pub(super) name: Option<&'a str>,
    pub(super) status: Option<&'static str>,
    /// Null removes the cap.
    pub(super) daily_spend_cap: Option<Option<i64>>,
    /// Null removes the cap.
    pub(super) lifetime_spend_cap: Option<Option<i64>>,
    pub(super) start_time: Option<i64>,
    /// Sent with a lifetime cap too. -1 takes it away.
    pub(super) end_time: Option<i64>,
}

/// The response to a create or an update: an item for each one sent, refused ones included, with status 200.
#[derive(Debug, Deserialize)]
pub(super) struct Outcomes {
    pub(super) items: Vec<Outcome>,
}

/// One item of [`Outcomes`].
#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    /// The campaign, as received.
    pub(super) data: Option<Box<RawValue>>,
    /// The reasons of a refusal; empty or null without one.
    #[serde(default, deserialize_with = "one_or_several")]
    pub(super) exceptions: Vec<Failure>,
}

/// A list of exceptions, or the only one without a list around it (ads endpoint, recorded live, 2026-07).
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Failure>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    let read = if raw.get().starts_with('{') {
        serde_json::from_str(raw.get()).map(|only| vec![only])
    } else {
        serde_json::from_str(raw.get()).map(Option::unwrap_or_default)
    };
    read.map_err(D::Error::custom)
}

/// The id of a new campaign, of any form.
#[derive(Debug, Deserialize)]
pub(super) struct NewId {
    pub(super) id: Option<Box<RawValue>>,
}

/// The body of a failed call, and an exception: schemas `Error` and `Exception` of
/// <https://github.com/pinterest/api-description>
#[derive(Debug, Deserialize)]
pub(super) struct Failure {
    /// An integer, which means different things with different HTTP statuses.
    pub(super) code: Option<Box<RawValue>>,
    pub(super) message: Option<String>,
}

/// The response of the token endpoint, <https://developers.pinterest.com/docs/api/v5/oauth-token/>
#[derive(Debug, Deserialize)]
pub(super) struct Issued {
    pub(super) access_token: SecretString,
    /// Seconds. Another form must not lose the tokens: the previous refresh token is already used up.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) expires_in: Option<Whole>,
    /// A new one at each refresh.
    pub(super) refresh_token: Option<SecretString>,
    /// The granted scopes, in words of the schema separated by spaces.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) scope: Option<String>,
}

/// A refusal of the token endpoint: the platform's own form, or the one of RFC 6749 5.2.
#[apply(Option => #[serde(default, deserialize_with = "value_or_none")])]
#[derive(Debug, Default, Deserialize)]
pub(super) struct TokenRefusal {
    pub(super) error: Option<String>,
    pub(super) error_description: Option<String>,
    pub(super) code: Option<Box<RawValue>>,
    pub(super) message: Option<String>,
    /// The reason behind the code, where there is one: `Invalid Application ID` (token endpoint of v3, recorded live,
    /// 2020-08).
    pub(super) data: Option<String>,
}
