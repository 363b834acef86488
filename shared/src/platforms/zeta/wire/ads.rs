//! Messages of ads, and the part of an ad account that decides whether they are shown.

use crate::platforms::rows::{text_or_none, value_or_none};
use serde::Deserialize;
use serde_with::apply;

/// An ad (List Ads).
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<Vec<String>> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::zeta) struct Ad {
    pub(in crate::platforms::zeta) id: String,
    pub(in crate::platforms::zeta) campaign_id: String,
    pub(in crate::platforms::zeta) ad_group_id: Option<String>,
    pub(in crate::platforms::zeta) name: Option<String>,
    /// Whether it is shown, in one word; the campaign's and the ad group's state included.
    pub(in crate::platforms::zeta) effective_status: Option<String>,
    /// Remarks, an open list.
    pub(in crate::platforms::zeta) delivery_status: Option<Vec<String>>,
    pub(in crate::platforms::zeta) rejection_reason: Option<String>,
}

/// What Reddit's people have decided on an ad account (Get Ad Account).
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::zeta) struct Approval {
    pub(in crate::platforms::zeta) admin_approval: Option<String>,
    /// `FRAUD`, `KYC_CHECK_FAILED`
    pub(in crate::platforms::zeta) suspension_reason: Option<String>,
}
