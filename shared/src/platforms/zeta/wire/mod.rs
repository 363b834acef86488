//! Messages of the Reddit Ads API v3, as published at <https://ads-api.reddit.com/docs/v3/>.
//!
//! Unknown fields are ignored, enums stay text, and an optional field of another type counts as absent, because the
//! platform may be newer than this code.

mod ads;
mod report;

pub(super) use ads::{Ad, Approval};
pub(super) use report::{Metric, ReportPage, ReportRequest};

use crate::error::Error;
use crate::platforms::rows::{Whole, text_or_none, value_or_none};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::{apply, skip_serializing_none};

/// The wrapper of every body, in requests and answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Data<T> {
    pub(super) data: T,
}

/// A page of a listing. Rows stay as received.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub(super) data: Vec<Box<RawValue>>,
    pub(super) pagination: Option<Pagination>,
}

/// The addresses of the neighbouring pages.
#[derive(Debug, Deserialize)]
pub(super) struct Pagination {
    /// Absent or null on the last page.
    pub(super) next_url: Option<String>,
}

/// A business of the user (List My Businesses), or a conversion pixel (List Pixels).
#[derive(Debug, Deserialize)]
pub(super) struct Identified {
    pub(super) id: String,
}

/// An ad account (Get Ad Account).
#[apply(Option => #[serde(default, deserialize_with = "value_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct AdAccount {
    /// Identifier, with a prefix such as `t2_` or `a2_`.
    pub(super) id: String,
    pub(super) name: Option<String>,
    /// ISO 4217 code.
    pub(super) currency: Option<String>,
    /// IANA name of a zone.
    pub(super) time_zone_id: Option<String>,
}

/// A campaign as read (Get Campaign).
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<Timestamp> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Deserialize)]
pub(super) struct Campaign {
    pub(super) id: String,
    #[serde_with(skip_apply)]
    pub(super) ad_account_id: Option<String>,
    /// A name such as `2026` may come as a number.
    pub(super) name: Option<String>,
    pub(super) objective: Option<String>,
    pub(super) configured_status: Option<String>,
    pub(super) effective_status: Option<String>,
    pub(super) start_time: Option<Timestamp>,
    pub(super) end_time: Option<Timestamp>,
    pub(super) created_at: Option<Timestamp>,
    pub(super) modified_at: Option<Timestamp>,
}

/// The budget in a [`Campaign`]: unreadable as soon as one of its parts is. Millionths of the account's currency.
#[derive(Debug, Deserialize)]
pub(super) struct Budget {
    /// The budget is the campaign's own; otherwise its ad groups have theirs. No amount depends on it.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) is_campaign_budget_optimization: Option<bool>,
    pub(super) goal_type: Option<String>,
    pub(super) goal_value: Option<Whole>,
}

/// The fields of a [`Campaign`] that identify its create. Unreadable is not absent.
#[derive(Debug, Deserialize)]
pub(super) struct Labelled {
    /// Ignored, and so absent, on accounts that pay by credit card.
    pub(super) invoice_label: Option<String>,
    #[expect(dead_code, reason = "it only has to be readable")]
    created_at: Option<Timestamp>,
}

/// A new campaign (Create Campaign), but for its `conversion_pixel_id`. Properties that are not published are refused.
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub(super) struct NewCampaign<'a> {
    pub(super) name: &'a str,
    /// At most 80 characters.
    pub(super) invoice_label: String,
    pub(super) objective: &'static str,
    pub(super) configured_status: &'static str,
    pub(super) is_campaign_budget_optimization: bool,
    pub(super) goal_type: &'static str,
    pub(super) goal_value: i64,
    pub(super) start_time: String,
    pub(super) end_time: Option<String>,
    pub(super) bid_strategy: &'static str,
    pub(super) bid_type: &'static str,
    pub(super) optimization_goal: Option<&'static str>,
    pub(super) view_through_conversion_type: Option<&'static str>,
}

/// Changes of a campaign (Update Campaign); what is left out stays.
#[skip_serializing_none]
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Patch {
    pub(super) name: Option<String>,
    pub(super) configured_status: Option<&'static str>,
    pub(super) goal_value: Option<i64>,
    pub(super) start_time: Option<String>,
    /// Null takes it away.
    pub(super) end_time: Option<Option<String>>,
}

/// The body of a refusal (Errors).
#[derive(Debug, Deserialize)]
pub(super) struct ErrorBody {
    pub(super) error: Refusal,
}

/// The reason of a refusal, in one of two forms: `code` and `message`, or `reason` and `explanation`.
#[apply(Option => #[serde(default, deserialize_with = "value_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    pub(super) code: Option<Whole>,
    pub(super) message: Option<String>,
    /// A name such as `BAD_REQUEST`.
    pub(super) reason: Option<String>,
    pub(super) explanation: Option<String>,
    pub(super) fields: Option<Vec<FieldRefusal>>,
}

/// The error of one field.
#[derive(Debug, Deserialize)]
pub(super) struct FieldRefusal {
    /// A path such as `data/goal_value`; some come bare.
    pub(super) field: Option<String>,
    pub(super) message: Option<String>,
}

/// An id of the platform, before it becomes part of a path or a filter.
pub(super) fn id(text: &str) -> Result<&str, Error> {
    let is_id = !text.is_empty() && text.len() <= 100 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_id.then_some(text).ok_or_else(|| Error::not_found("campaign"))
}

/// The filter of a report on one campaign.
pub(super) fn campaign_filter(campaign: &str) -> Result<String, Error> {
    Ok(format!("campaign:id=={}", id(campaign)?))
}
