//! Messages of the TikTok API for Business v1.3 as its reference has them, with only the fields that are used here.
//!
//! Unknown fields are ignored, enums stay text, and an optional field of another type counts as absent, because the
//! platform may be newer than this code. Amounts are JSON numbers in major units of the account's currency.

mod ads;
mod values;

use crate::platforms::rows::{integer_or_none, text_or_none, value_or_none};
pub(super) use ads::*;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::{apply, skip_serializing_none};
pub(super) use values::*;

/// Every response, of success and of failure: `code` decides, not the HTTP status. It does not print, because the data
/// may be a token. <https://business-api.tiktok.com/portal/docs?id=1737172488964097>
#[derive(Deserialize)]
pub(super) struct Envelope {
    pub(super) code: i64,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) message: Option<String>,
    /// The platform's id of the call, for the log; not the `request_id` of a create.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) request_id: Option<String>,
    pub(super) data: Option<Box<RawValue>>,
}

/// A request with the credentials of the app.
#[derive(Serialize)]
pub(super) struct TokenRequest<'a> {
    pub(super) app_id: &'a str,
    pub(super) secret: &'a str,
    #[serde(flatten)]
    pub(super) credential: Credential<'a>,
}

/// The field of a [`TokenRequest`] beside the app's.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Credential<'a> {
    /// To exchange. <https://business-api.tiktok.com/portal/docs?id=1738373164380162>
    AuthCode(&'a str),
    /// To revoke (TikTok API for Business: Revoke a long-term access token).
    AccessToken(&'a str),
}

/// <https://business-api.tiktok.com/portal/docs?id=1738373164380162>
#[derive(Deserialize)]
pub(super) struct AccessToken {
    pub(super) access_token: SecretString,
    /// The numbers of the permissions that the token has.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) scope: Option<Vec<Id>>,
}

/// One of the accounts that a token reaches. <https://business-api.tiktok.com/portal/docs?id=1738455508553729>
#[derive(Debug, Deserialize)]
pub(super) struct Advertiser {
    pub(super) advertiser_id: Id,
}

/// <https://business-api.tiktok.com/portal/docs?id=1739593083610113>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct AdvertiserInfo {
    pub(super) advertiser_id: Id,
    pub(super) name: Option<String>,
    pub(super) currency: Option<String>,
    pub(super) timezone: Option<String>,
    pub(super) display_timezone: Option<String>,
}

/// A new campaign; both families have the same fields.
/// Manual: <https://business-api.tiktok.com/portal/docs?id=1739318962329602>; Smart+:
/// <https://business-api.tiktok.com/portal/docs?id=1843312852800706>
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub(super) struct CampaignCreate<'a> {
    pub(super) advertiser_id: &'a str,
    /// A 64-bit integer as text. Of several creates with the same one, only one succeeds.
    pub(super) request_id: String,
    pub(super) campaign_name: &'a str,
    pub(super) objective_type: &'static str,
    pub(super) app_promotion_type: Option<&'static str>,
    pub(super) sales_destination: Option<&'static str>,
    pub(super) budget_mode: &'static str,
    pub(super) budget: Amount,
    pub(super) budget_optimize_on: bool,
    pub(super) operation_status: &'static str,
}

/// The required field of the response to a create.
#[derive(Debug, Deserialize)]
pub(super) struct CampaignKey {
    pub(super) campaign_id: Id,
}

/// Manual: <https://business-api.tiktok.com/portal/docs?id=1739320422086657>; Smart+:
/// <https://business-api.tiktok.com/portal/docs?id=1843312876001282>
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub(super) struct CampaignUpdate {
    pub(super) advertiser_id: String,
    pub(super) campaign_id: String,
    pub(super) campaign_name: Option<String>,
    pub(super) budget: Option<Amount>,
}

/// Manual: <https://business-api.tiktok.com/portal/docs?id=1739320994354178>; Smart+:
/// <https://business-api.tiktok.com/portal/docs?id=1843312888885314>
#[derive(Debug, Serialize)]
pub(super) struct StatusUpdate<'a> {
    pub(super) advertiser_id: &'a str,
    pub(super) campaign_ids: [&'a str; 1],
    pub(super) operation_status: &'static str,
}

/// The response to a [`StatusUpdate`]. Not every response has the lists. The response to a deletion has the ids and the
/// new state beside an empty list (recorded live, 2026-05).
#[derive(Debug, Default, Deserialize)]
pub(super) struct StatusUpdated {
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) campaign_ids: Option<Vec<Id>>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
    pub(super) campaign_list: Option<Vec<StatusResult>>,
    pub(super) error_list: Option<Vec<StatusResult>>,
}

/// The outcome of a [`StatusUpdate`] for one campaign.
#[derive(Debug, Deserialize)]
pub(super) struct StatusResult {
    pub(super) campaign_id: Id,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) error_message: Option<String>,
}

/// `filtering` of a list of campaigns. <https://business-api.tiktok.com/portal/docs?id=1739315828649986>
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub(super) struct CampaignFilter {
    pub(super) primary_status: &'static str,
    pub(super) campaign_ids: Option<[String; 1]>,
}

/// A page of rows. <https://business-api.tiktok.com/portal/docs?id=1739315828649986>
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    pub(super) list: Option<Vec<T>>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) page_info: Option<PageInfo>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PageInfo {
    #[serde(default, deserialize_with = "integer_or_none")]
    pub(super) total_page: Option<i64>,
}

/// <https://business-api.tiktok.com/portal/docs?id=1739315828649986>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct Campaign {
    pub(super) campaign_id: Id,
    pub(super) advertiser_id: Option<Id>,
    pub(super) campaign_name: Option<String>,
    pub(super) objective_type: Option<String>,
    pub(super) budget_mode: Option<String>,
    /// Parsed separately: a row with an unreadable amount is still a row.
    pub(super) budget: Option<Box<RawValue>>,
    pub(super) operation_status: Option<String>,
    pub(super) secondary_status: Option<String>,
    pub(super) create_time: Option<String>,
    pub(super) modify_time: Option<String>,
}

/// The kind of a campaign. <https://business-api.tiktok.com/portal/docs?id=1739315828649986>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Default, Deserialize)]
pub(super) struct Automation {
    pub(super) campaign_automation_type: Option<String>,
    /// PROMOTE for a campaign that was made in the TikTok app.
    pub(super) campaign_system_origin: Option<String>,
    /// Whether it is one of the older kind of Smart+.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) is_smart_performance_campaign: Option<bool>,
}

/// One row of a report. <https://business-api.tiktok.com/portal/docs?id=1740302848100353>
#[derive(Debug, Deserialize)]
pub(super) struct ReportRow {
    pub(super) dimensions: Dimensions,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) metrics: Option<Metrics>,
}

/// The subject of a row.
#[derive(Debug, Deserialize)]
pub(super) struct Dimensions {
    pub(super) campaign_id: Id,
    /// `2026-11-01 00:00:00`, in the account's time zone.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) stat_time_day: Option<String>,
}

/// Numbers as text, or a dash for one that the platform does not have.
#[derive(Debug, Deserialize)]
pub(super) struct Metrics {
    pub(super) spend: Option<Box<RawValue>>,
    pub(super) impressions: Option<Box<RawValue>>,
    /// Clicks that lead to a destination.
    pub(super) clicks: Option<Box<RawValue>>,
    /// Counts on the day of the impression.
    pub(super) conversion: Option<Box<RawValue>>,
}
