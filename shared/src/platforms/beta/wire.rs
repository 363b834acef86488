//! Objects of the Graph API v26.0 after its reference, with the fields that are used here.
//!
//! Unknown fields are ignored, and enums stay text, because the platform may have values that are newer than this
//! version. A field of a row that has another form is read as none, so that the list stays readable.

mod budget;
mod subcode;

use super::money::Units;
use crate::platforms::rows::{text_or_none, value_or_none};
pub(super) use budget::Budget;
use secrecy::SecretString;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
pub(super) use subcode::Subcode;

/// The fields of a campaign that are requested; some of them are for the caller's `raw` alone.
pub(super) const CAMPAIGN_FIELDS: &str = "id,account_id,name,status,configured_status,effective_status,objective,\
    buying_type,special_ad_categories,daily_budget,lifetime_budget,budget_remaining,spend_cap,start_time,stop_time,\
    created_time,updated_time";

/// No identifier has more digits.
const MAX_ID: usize = 32;

/// Recognizes the id of a node, which may become part of a path.
pub(super) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-campaign-group/>, reading
#[derive(Debug, Deserialize)]
pub(super) struct Campaign {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) id: Option<String>,
    /// Without the `act_`.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) account_id: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
    /// The same as `status`, which some answers leave out (recorded live with v2.9, 2017-04).
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) configured_status: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) objective: Option<String>,
    #[serde(default)]
    pub(super) daily_budget: Budget,
    #[serde(default)]
    pub(super) lifetime_budget: Budget,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) start_time: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) stop_time: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) created_time: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) updated_time: Option<String>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-account/campaigns/>, creating, and
/// <https://developers.facebook.com/docs/marketing-api/reference/ad-campaign-group/>, updating
///
/// `is_adset_budget_sharing_enabled` is for campaigns without a budget of their own, and is not sent: every
/// campaign that is created here has one. `start_time` and `stop_time` are read-only on a campaign: the platform
/// reports success and changes nothing.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct CampaignParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) objective: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'static str>,
    /// Required of a new campaign, even when it is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) special_ad_categories: Option<Vec<String>>,
    /// The platform's own default is a bid cap (Campaign, `bid_strategy`; seen with v25.0, not verified on v26.0).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bid_strategy: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) daily_budget: Option<Units>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lifetime_budget: Option<Units>,
}

/// The answer to a create.
#[derive(Debug, Deserialize)]
pub(super) struct Created {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) id: Option<String>,
}

/// The answer to an update and to a deletion.
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

/// The end of a page of results.
#[derive(Debug, Deserialize)]
pub(super) struct Paging {
    pub(super) cursors: Option<Cursors>,
    /// An address with the access token in it. Its presence means that there is another page; it is never called.
    pub(super) next: Option<IgnoredAny>,
}

/// Both ends of a page.
#[derive(Debug, Deserialize)]
pub(super) struct Cursors {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) after: Option<String>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-account/>
#[derive(Debug, Deserialize)]
pub(super) struct AdAccount {
    /// Without the `act_`.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) account_id: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) currency: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) timezone_name: Option<String>,
    /// An integer.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) account_status: Option<String>,
}

/// <https://developers.facebook.com/docs/marketing-api/insights/parameters>
#[derive(Debug, Deserialize)]
pub(super) struct Insights {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) campaign_id: Option<String>,
    /// A decimal in major units.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) spend: Option<String>,
}

/// <https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived>
#[derive(Deserialize)]
pub(super) struct AccessToken {
    pub(super) access_token: SecretString,
    /// Seconds; some tokens come without it (recorded live, 2022-01).
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) expires_in: Option<String>,
}

/// Any answer: tells whether it is an error.
#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    pub(super) error: Option<IgnoredAny>,
}

/// <https://developers.facebook.com/docs/graph-api/guides/error-handling>
#[derive(Debug, Deserialize)]
pub(super) struct ErrorBody {
    pub(super) error: GraphError,
}

/// The error of an answer.
#[derive(Debug, Deserialize)]
pub(super) struct GraphError {
    pub(super) code: i64,
    #[serde(default)]
    pub(super) error_subcode: Option<Subcode>,
    #[serde(default, deserialize_with = "text_or_empty")]
    pub(super) message: String,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) is_transient: Option<bool>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) error_user_title: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) error_user_msg: Option<String>,
    /// An [`ErrorData`], usually as JSON inside of a string.
    pub(super) error_data: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) fbtrace_id: Option<String>,
}

fn text_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(text_or_none(deserializer)?.unwrap_or_default())
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

/// <https://developers.facebook.com/docs/graph-api/overview/rate-limiting>, `X-App-Usage`, and one entry of
/// `X-Business-Use-Case-Usage`, the only header that says when calls are accepted again.
#[derive(Debug, Deserialize)]
pub(super) struct Usage {
    #[serde(default)]
    call_count: Load,
    #[serde(default)]
    total_time: Load,
    #[serde(default)]
    total_cputime: Load,
    /// Minutes.
    pub(super) estimated_time_to_regain_access: Option<u64>,
}

impl Usage {
    pub(super) fn loads(&self) -> impl Iterator<Item = Load> {
        [self.call_count, self.total_time, self.total_cputime].into_iter()
    }
}

/// The same page, `X-Ad-Account-Usage`.
#[derive(Debug, Deserialize)]
pub(super) struct AccountUsage {
    pub(super) acc_id_util_pct: Load,
    /// Seconds.
    pub(super) reset_time_duration: Option<u64>,
}

/// The used part of a share, in percent: a number, or a string with one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load(f64);

impl Load {
    pub(super) fn is_full(self) -> bool {
        self.0 >= 100.0
    }
}

impl<'de> Deserialize<'de> for Load {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Load, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let text = value.as_str().and_then(|text| text.parse().ok());
        Ok(Load(value.as_f64().or(text).unwrap_or_default()))
    }
}
