//! The ads of a campaign, as its platform reports them.

use super::hold::cleaned;
use super::{Effect, Hold};
use crate::domain::variants;
use strum::{IntoStaticStr, VariantArray};

/// Whether an ad may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum AdState {
    CanRun,
    Waiting,
    Blocked,
    /// The advertiser has switched it off, or the group that holds it.
    Off,
    Unknown,
}

impl AdState {
    /// All states.
    pub const ALL: [AdState; 5] = variants();

    /// The name in the API: `CAN_RUN`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What the platform's review of an ad has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum AdReview {
    Approved,
    InReview,
    Rejected,
    Limited,
    /// The platform does not say it: some mask it while a group is off.
    Unknown,
}

impl AdReview {
    /// All outcomes.
    pub const ALL: [AdReview; 5] = variants();

    /// The name in the API: `IN_REVIEW`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why a review rejected an ad.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejection {
    /// The platform's code.
    pub code: Option<String>,
    /// Its text for people, cleaned and cut.
    pub text: Option<String>,
}

impl Rejection {
    /// A rejection as its platform words it.
    pub fn new(code: Option<&str>, text: Option<&str>) -> Rejection {
        Rejection { code: code.and_then(cleaned), text: text.and_then(cleaned) }
    }
}

/// An ad of a campaign. Removed ads are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformAd {
    /// The campaign's identifier on the platform.
    pub campaign: String,
    /// Identifier on the platform.
    pub id: String,
    /// Its name; `None` on platforms and for ads without one.
    pub name: Option<String>,
    /// The group of ads that holds it.
    pub group_id: Option<String>,
    pub group_name: Option<String>,
    /// The state that the platform itself concludes; `None` where the holds decide.
    pub verdict: Option<AdState>,
    pub review: AdReview,
    pub holds: Vec<Hold>,
    pub rejections: Vec<Rejection>,
}

impl PlatformAd {
    /// Whether it may be shown: what its platform concludes, or else its gravest hold. An ad that is switched off is off,
    /// whatever else is held against it.
    pub fn state(&self) -> AdState {
        let has = |effect| self.holds.iter().any(|hold| hold.effect == effect);
        match self.verdict {
            Some(state) => state,
            None if has(Effect::SwitchesOff) => AdState::Off,
            None if has(Effect::Blocks) => AdState::Blocked,
            None if has(Effect::Waits) => AdState::Waiting,
            None if has(Effect::IsUnknown) => AdState::Unknown,
            None => AdState::CanRun,
        }
    }

    /// Whether a review has rejected it.
    pub fn is_rejected(&self) -> bool {
        self.review == AdReview::Rejected
    }
}

/// Why the ads of a campaign were not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum AdsUnread {
    /// This request does not read them.
    NotRead,
    /// They are more than a request reads.
    TooMany,
    /// The connection lacks a permission for them.
    NotPermitted,
    /// The platform offers no ads of such a campaign to read.
    NotOffered,
}

impl AdsUnread {
    /// All reasons.
    pub const ALL: [AdsUnread; 4] = variants();

    /// The name in the API: `TOO_MANY`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The ads of one campaign: all of them, or why they were not read.
pub type Ads<'a> = Result<&'a [PlatformAd], AdsUnread>;
