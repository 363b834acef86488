//! What the words of Meta mean, a row for each (Marketing API v26: the enums of the fields that are named here; the
//! states of an account are numbers, and others than Meta list them).

use crate::domain::{AdReview, DeliveryReason, Effect, Level};

/// What a word holds against a campaign, an ad or an account; `None` for nothing.
pub(super) type Held = Option<(Effect, DeliveryReason)>;

/// A campaign or an ad that an issue keeps from being shown, or only disturbs.
pub(super) const WITH_ISSUES: &str = "WITH_ISSUES";
/// The type of an issue that keeps it from being shown.
pub(super) const HARD_ERROR: &str = "HARD_ERROR";

/// `effective_status` of a campaign. ACTIVE says nothing of its ads: a campaign without ads has it too.
pub(super) const CAMPAIGNS: &[(&str, Held)] = &[
    ("ACTIVE", None),
    ("PAUSED", Some((Effect::SwitchesOff, DeliveryReason::CampaignStatus))),
    ("ARCHIVED", Some((Effect::SwitchesOff, DeliveryReason::CampaignStatus))),
    ("DELETED", Some((Effect::SwitchesOff, DeliveryReason::CampaignStatus))),
    ("IN_PROCESS", Some((Effect::Waits, DeliveryReason::Processing))),
    (WITH_ISSUES, Some((Effect::Limits, DeliveryReason::Other))),
];

/// `effective_status` of an ad: its review, and what is held against it; `None` for an ad that is left out. A group or
/// a campaign that is off hides the review.
pub(super) const ADS: &[(&str, Option<(AdReview, Held)>)] = &[
    ("ACTIVE", Some((AdReview::Approved, None))),
    ("PAUSED", Some((AdReview::Unknown, Some((Effect::SwitchesOff, DeliveryReason::AdsOff))))),
    ("ADSET_PAUSED", Some((AdReview::Unknown, Some((Effect::SwitchesOff, DeliveryReason::AdsOff))))),
    ("CAMPAIGN_PAUSED", Some((AdReview::Unknown, Some((Effect::SwitchesOff, DeliveryReason::AdsOff))))),
    ("IN_PROCESS", Some((AdReview::Unknown, Some((Effect::Waits, DeliveryReason::Processing))))),
    ("PENDING_REVIEW", Some((AdReview::InReview, Some((Effect::Waits, DeliveryReason::AdsInReview))))),
    ("PREAPPROVED", Some((AdReview::Approved, Some((Effect::Waits, DeliveryReason::Other))))),
    ("DISAPPROVED", Some((AdReview::Rejected, Some((Effect::Blocks, DeliveryReason::AdsRejected))))),
    ("PENDING_BILLING_INFO", Some((AdReview::Unknown, Some((Effect::Blocks, DeliveryReason::Billing))))),
    (WITH_ISSUES, Some((AdReview::Unknown, Some((Effect::Limits, DeliveryReason::Other))))),
    ("ARCHIVED", None),
    ("DELETED", None),
];

/// `level` of an issue.
pub(super) const ISSUE_LEVELS: &[(&str, Level)] =
    &[("CAMPAIGN", Level::Campaign), ("AD_SET", Level::Ad), ("AD", Level::Ad), ("CREATIVE", Level::Ad)];

/// `account_status`, with its name.
pub(super) const ACCOUNTS: &[(&str, (&str, Held))] = &[
    ("1", ("ACTIVE", None)),
    ("2", ("DISABLED", Some((Effect::Blocks, DeliveryReason::Account)))),
    ("3", ("UNSETTLED", Some((Effect::Limits, DeliveryReason::Billing)))),
    ("7", ("PENDING_RISK_REVIEW", Some((Effect::Waits, DeliveryReason::Account)))),
    ("8", ("PENDING_SETTLEMENT", Some((Effect::Blocks, DeliveryReason::Billing)))),
    ("9", ("IN_GRACE_PERIOD", Some((Effect::Limits, DeliveryReason::Billing)))),
    ("100", ("PENDING_CLOSURE", Some((Effect::Limits, DeliveryReason::Account)))),
    ("101", ("CLOSED", Some((Effect::Blocks, DeliveryReason::Account)))),
];

/// `disable_reason`, with its name. 0 is none.
pub(super) const DISABLE_REASONS: &[(&str, &str)] = &[
    ("1", "ADS_INTEGRITY_POLICY"),
    ("2", "ADS_IP_REVIEW"),
    ("3", "RISK_PAYMENT"),
    ("4", "GRAY_ACCOUNT_SHUT_DOWN"),
    ("5", "ADS_AFC_REVIEW"),
    ("6", "BUSINESS_INTEGRITY_RAR"),
    ("7", "PERMANENT_CLOSE"),
    ("8", "UNUSED_RESELLER_ACCOUNT"),
    ("9", "UNUSED_ACCOUNT"),
];
