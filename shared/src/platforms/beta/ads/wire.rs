//! Ads, issues and the state of an ad account, as they are read.

use crate::platforms::rows::{text_or_none, value_or_none};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_with::apply;
use std::collections::BTreeMap;

/// <https://developers.facebook.com/docs/marketing-api/reference/adgroup/>
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<ReviewFeedback> => #[serde(default, deserialize_with = "value_or_none")],
    Option<Vec<Issue>> => #[serde(default, deserialize_with = "value_or_none")],
    Option<AdSet> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::beta) struct Ad {
    pub(super) id: Option<String>,
    pub(super) campaign_id: Option<String>,
    pub(super) name: Option<String>,
    /// Whether it may be shown.
    pub(super) effective_status: Option<String>,
    pub(super) ad_review_feedback: Option<ReviewFeedback>,
    pub(super) issues_info: Option<Vec<Issue>>,
    /// The group that holds it.
    pub(super) adset: Option<AdSet>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-campaign/>
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<Timestamp> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Default, Deserialize)]
pub(in crate::platforms::beta) struct AdSet {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) start_time: Option<Timestamp>,
    pub(super) end_time: Option<Timestamp>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-campaign-issues-info/>, and the same of an ad
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::beta) struct Issue {
    /// A number. Its meanings are not published.
    pub(super) error_code: Option<String>,
    /// Texts in the language of the user.
    pub(super) error_message: Option<String>,
    pub(super) error_summary: Option<String>,
    pub(super) error_type: Option<String>,
    /// An object also has the issues of those above it.
    pub(super) level: Option<String>,
}

/// Texts by their codes. Codes are not published, and some are titles in the language of the user.
pub(super) type Feedback = BTreeMap<String, Box<RawValue>>;

/// <https://developers.facebook.com/docs/marketing-api/reference/adgroup-review-feedback/>
#[apply(
    Option<Feedback> => #[serde(default, deserialize_with = "value_or_none")],
    Option<BTreeMap<String, Box<RawValue>>> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Default, Deserialize)]
pub(in crate::platforms::beta) struct ReviewFeedback {
    pub(super) global: Option<Feedback>,
    /// A [`Feedback`] for each placement. Either of the two may be set.
    pub(super) placement_specific: Option<BTreeMap<String, Box<RawValue>>>,
}

/// <https://developers.facebook.com/docs/marketing-api/reference/ad-account/>
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct AccountState {
    /// Integers.
    pub(super) account_status: Option<String>,
    pub(super) disable_reason: Option<String>,
}
