//! Quirks: behavior that TikTok shows for some advertisers or at some times.
//!
//! TikTok API for Business v1.3: "Return codes". Recorded live: deleted advertisers (2026-07), ids that do not increase
//! with time, legacy objectives. Public connectors retry reads after 40700, 40200 and 40201. Not verified: the messages
//! of those three codes, whether the write happened before them, and the end of manual campaigns for conversions on
//! 2027-01-01, which only third parties announce.

use super::error::{ApiError, NO_PERMISSION};
use crate::ads;
use crate::quirks::Quirk;
use crate::service::RequestContext;
use jiff::Timestamp;

pub(crate) const DELETED_ADVERTISER: &str = "deleted_advertiser";
pub(crate) const PASSING_TROUBLES: &str = "passing_troubles";
pub(crate) const TROUBLED_CREATES: &str = "troubled_creates";
pub(crate) const AUTH_CODE_40101: &str = "auth_code_40101";
pub(crate) const ID_SKEW: &str = "id_skew";
pub(crate) const LEGACY_OBJECTIVES: &str = "legacy_objectives";
const NO_AD_PERMISSION: &str = "no_ad_permission";
pub(crate) const OLD_SMART_PLUS: &str = "old_smart_plus";
const SMART_PLUS_ONLY: &str = "smart_plus_only";

pub(crate) const QUIRKS: &[Quirk] = &[
    Quirk { name: DELETED_ADVERTISER, description: "Each grant also names an advertiser that has been deleted." },
    Quirk { name: PASSING_TROUBLES, description: "Every tenth read fails with 40700, 40200 or 40201 in turn." },
    Quirk {
        name: TROUBLED_CREATES,
        description: "The next request adds an advertiser in which three of four creates fail, two of them after the write.",
    },
    Quirk { name: AUTH_CODE_40101, description: "An invalid auth code answers 40101, not 40110." },
    Quirk {
        name: ID_SKEW,
        description: "Ids of new campaigns encode a time up to 8.6 minutes ahead, each with its own skew.",
    },
    Quirk {
        name: LEGACY_OBJECTIVES,
        description: "The next request adds an advertiser whose campaigns have legacy and unknown objectives.",
    },
    Quirk {
        name: SMART_PLUS_ONLY,
        description: "Manual campaigns for conversions are rejected now, not only from 2027-01-01.",
    },
    ads::UNKNOWN_WORD,
    ads::LATE_STATUS,
    ads::MANY_ADS,
    Quirk { name: NO_AD_PERMISSION, description: "The app may not read ads: 40001; not in \"all\"." },
    Quirk {
        name: OLD_SMART_PLUS,
        description: "The next request adds an advertiser with a running campaign of the old Smart+.",
    },
];

/// The advertiser with legacy objectives.
pub(crate) const ARCHIVE: &str = "7301002003004004001";
/// The advertiser whose creates fail.
pub(crate) const TROUBLED: &str = "7301002003004004002";
/// The advertiser with a campaign of the old Smart+.
pub(crate) const OLD_SMART: &str = "7301002003004004003";
/// An advertiser that was deleted after consent.
pub(crate) const DELETED: &str = "7301002003004004999";

/// Whether a quirk added the account.
pub(crate) fn is_quirk_account(id: &str) -> bool {
    [TROUBLED, ARCHIVE, OLD_SMART].contains(&id)
}

/// A transient error. It does not say whether the write happened.
fn transient_error(turn: u64) -> ApiError {
    let (code, message) = match turn % 3 {
        0 => (40700, "Internal service error. Please try again later."),
        1 => (40200, "Task error. Please try again later."),
        _ => (40201, "Task is not ready. Please try again later."),
    };
    ApiError::new(code, message)
}

/// Fails every tenth read, so that a retry succeeds.
pub(crate) fn check_read(reads: &mut u64, context: &RequestContext<'_>) -> Result<(), ApiError> {
    if !context.quirk(PASSING_TROUBLES) {
        return Ok(());
    }
    *reads += 1;
    if reads.is_multiple_of(10) { Err(transient_error(*reads / 10 - 1)) } else { Ok(()) }
}

/// Refuses calls for ads under the quirk `no_ad_permission`.
pub(crate) fn check_ads(context: &RequestContext<'_>) -> Result<(), ApiError> {
    if !context.quirk(NO_AD_PERMISSION) {
        return Ok(());
    }
    Err(ApiError::new(NO_PERMISSION, "No permission to operate: the app lacks the scope of this call."))
}

/// The planned outcome of a create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CreateOutcome {
    Succeeds,
    /// Fails without a write.
    FailsBeforeWrite(u64),
    /// Writes the campaign, then fails.
    FailsAfterWrite(u64),
}

impl CreateOutcome {
    /// Cycles through the outcomes of the troubled advertiser: 40700 after the write, 40200 before it, 40201 after it,
    /// success.
    pub(crate) fn next(advertiser: &str, creates: &mut u64, context: &RequestContext<'_>) -> Self {
        if advertiser != TROUBLED || !context.quirk(TROUBLED_CREATES) {
            return Self::Succeeds;
        }
        let turn = *creates % 4;
        *creates += 1;
        match turn {
            1 => Self::FailsBeforeWrite(turn),
            3 => Self::Succeeds,
            _ => Self::FailsAfterWrite(turn),
        }
    }

    pub(crate) fn check_before_write(self) -> Result<(), ApiError> {
        if let Self::FailsBeforeWrite(turn) = self { Err(transient_error(turn)) } else { Ok(()) }
    }

    pub(crate) fn check_after_write(self) -> Result<(), ApiError> {
        if let Self::FailsAfterWrite(turn) = self { Err(transient_error(turn)) } else { Ok(()) }
    }
}

/// Skewed ids start above every sequential id.
const FIRST_SKEWED: u64 = 1_800_000_000_000_000;

/// An id that encodes a time, as real ids do, up to 8.6 minutes ahead of `now`.
pub(crate) fn skewed_id(number: u64, now: Timestamp) -> u64 {
    let ahead = match number % 4 {
        1 => 516,
        2 => 0,
        3 => 301,
        _ => 90,
    };
    let second = u64::try_from(now.as_second()).unwrap_or_default() + ahead;
    FIRST_SKEWED + second * 1_000_000 + number % 1_000_000
}

/// Start of the rejection of manual campaigns for conversions.
const SMART_PLUS_FROM: &str = "2027-01-01 00:00:00";

/// Whether manual campaigns for conversions have ended. `now` is in TikTok's format.
pub(crate) fn manual_conversions_ended(context: &RequestContext<'_>, now: &str) -> bool {
    context.quirk(SMART_PLUS_ONLY) || now >= SMART_PLUS_FROM
}
