//! Objects of the Graph API v26.0 after its reference, with the fields that are used here.
//!
//! Unknown fields are ignored, and enums stay text, because the platform may have values that are newer than this
//! version. A field of a row that has another form is read as none, so that the list stays readable.

use super::ads::wire::Issue;
use super::money::{Budget, Units};
use crate::platforms::rows::{Whole, text_or_none, value_or_none};
use jiff::Timestamp;
use secrecy::SecretString;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::{apply, skip_serializing_none};

/// The fields of a campaign that are requested; some of them are for the caller's `raw` alone.
pub(super) const CAMPAIGN_FIELDS: &str = "id,account_id,name,status,configured_status,effective_status,objective,\
    buying_type,special_ad_categories,daily_budget,lifetime_budget,budget_remaining,spend_cap,start_time,stop_time,\
    created_time,updated_time,issues_info";

/// No identifier has more digits.
const MAX_ID: usize = 32;

/// Recognizes the id of a node, which may become part of a path.
pub(super) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-campaign-group/>, reading
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<Timestamp> => #[serde(default, deserialize_with = "value_or_none")],
    Option<Vec<Issue>> => #[serde(default, deserialize_with = "value_or_none")],
    Budget => #[serde(default)],
)]
#[derive(Debug, Deserialize)]
pub(super) struct Campaign {
    pub(super) id: Option<String>,
    /// Without the `act_`.
    pub(super) account_id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) status: Option<String>,
    /// The same as `status`, which some answers leave out (recorded live with v2.9, 2017-04).
    pub(super) configured_status: Option<String>,
    /// Whether it may be shown.
    pub(super) effective_status: Option<String>,
    pub(super) issues_info: Option<Vec<Issue>>,
    pub(super) objective: Option<String>,
    pub(super) daily_budget: Budget,
    pub(super) lifetime_budget: Budget,
    pub(super) start_time: Option<Timestamp>,
    pub(super) stop_time: Option<Timestamp>,
    pub(super) created_time: Option<Timestamp>,
    pub(super) updated_time: Option<Timestamp>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-account/campaigns/>, creating, and
/// <https://developers.facebook.com/docs/marketing-api/reference/ad-campaign-group/>, updating
///
/// `is_adset_budget_sharing_enabled` is for campaigns without a budget of their own, and is not sent: every
/// campaign that is created here has one. `start_time` and `stop_time` are read-only on a campaign: the platform
/// reports success and changes nothing (reference of v25.0, recorded live with v21.0, 2026-08; not verified on v26.0).
/// Dates are refused and the bid strategy is always sent, which costs nothing where v26.0 differs.
#[skip_serializing_none]
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct CampaignParameters {
    pub(super) name: Option<String>,
    pub(super) objective: Option<&'static str>,
    pub(super) status: Option<&'static str>,
    /// Required of a new campaign, even when it is empty.
    pub(super) special_ad_categories: Option<Vec<String>>,
    /// Required with a category.
    pub(super) special_ad_category_country: Option<[String; 1]>,
    /// The platform's own default is a bid cap (reference of v25.0; not verified on v26.0).
    pub(super) bid_strategy: Option<&'static str>,
    pub(super) daily_budget: Option<Units>,
    pub(super) lifetime_budget: Option<Units>,
}

/// The response to a create.
#[derive(Debug, Deserialize)]
pub(super) struct Created {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) id: Option<String>,
}

/// The response to an update and to a deletion.
#[derive(Debug, Deserialize)]
pub(super) struct Done {
    pub(super) success: bool,
}

/// <https://developers.facebook.com/docs/graph-api/results>
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    pub(super) data: Vec<T>,
    pub(super) paging: Option<Paging>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Paging {
    pub(super) cursors: Option<Cursors>,
    /// An address with the access token in it. Its presence means that there is another page; it is never called.
    pub(super) next: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Cursors {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) after: Option<String>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-account/>
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct AdAccount {
    /// Without the `act_`.
    pub(super) account_id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) currency: Option<String>,
    pub(super) timezone_name: Option<String>,
    /// An integer.
    pub(super) account_status: Option<String>,
}

/// <https://developers.facebook.com/docs/marketing-api/insights/parameters>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Default, Deserialize)]
pub(super) struct Insights {
    /// Without the `act_`.
    pub(super) account_id: Option<String>,
    pub(super) campaign_id: Option<String>,
    /// The first and the last day of the row, in the account's time zone.
    pub(super) date_start: Option<String>,
    pub(super) date_stop: Option<String>,
    /// A decimal in major units.
    pub(super) spend: Option<String>,
    pub(super) impressions: Option<String>,
    pub(super) clicks: Option<String>,
    /// A list of [`Action`]; absent where the platform has none for the row.
    pub(super) actions: Option<Box<RawValue>>,
    pub(super) action_values: Option<Box<RawValue>>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ads-action-stats/>
#[derive(Debug, Deserialize)]
pub(super) struct Action {
    pub(super) action_type: String,
    /// A number of actions, or their value in major units.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) value: Option<String>,
}

/// <https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived>
#[derive(Deserialize)]
pub(super) struct AccessToken {
    pub(super) access_token: SecretString,
    /// Seconds; some tokens come without it (recorded live, 2022-01).
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) expires_in: Option<String>,
}

/// <https://developers.facebook.com/docs/graph-api/reference/user/permissions/>
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct Permission {
    pub(super) permission: Option<String>,
    pub(super) status: Option<String>,
}

impl Permission {
    /// Whether the user has not granted this permission, or not for so long that it has expired.
    pub(super) fn is_declined(&self, name: &str) -> bool {
        self.permission.as_deref() == Some(name) && matches!(self.status.as_deref(), Some("declined" | "expired"))
    }
}

/// <https://developers.facebook.com/docs/graph-api/guides/error-handling>
#[derive(Debug, Deserialize)]
pub(super) struct ErrorBody<T> {
    pub(super) error: Option<T>,
}

#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct GraphError {
    pub(super) code: i64,
    /// Says why a token is no longer valid.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) error_subcode: Option<Whole>,
    pub(super) message: Option<String>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) is_transient: Option<bool>,
    pub(super) error_user_title: Option<String>,
    pub(super) error_user_msg: Option<String>,
    /// An [`ErrorData`], usually as JSON inside of a string.
    pub(super) error_data: Option<Box<RawValue>>,
    pub(super) fbtrace_id: Option<String>,
}

/// The parameters at fault.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ErrorData {
    /// Each by its path.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) blame_field_specs: Option<Vec<Vec<String>>>,
    /// A single one, by its name, instead (recorded live, 2016-07).
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) blame_field: Option<String>,
}
