//! What a platform holds against a campaign or an ad.

use super::super::{is_hidden, variants};
use super::DeliveryState;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Longest text of a platform that is shown, in characters.
pub const MAX_DELIVERY_TEXT: usize = 300;

/// Why a campaign or an ad is not shown, or not as it could be. The list may grow: a client reads a new one as `OTHER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum DeliveryReason {
    /// The campaign itself is off.
    CampaignStatus,
    /// The group of campaigns above it is off.
    ParentOff,
    /// The groups or ads below it are off.
    AdsOff,
    /// This service has paused it: its month is spent, or its activation waits for the start.
    HeldByService,
    /// Its dates or hours have not begun.
    NotStarted,
    /// Its dates are over.
    Ended,
    /// It has no ad: the platform's list of its ads is whole and empty.
    NoAds,
    /// The platform counts no ad that could be shown. Those that it has may all be rejected.
    NoEligibleAds,
    AdsInReview,
    /// The platform is still preparing it.
    Processing,
    /// The platform is still learning whom to show it.
    Learning,
    AdsRejected,
    /// Ads are shown to a part of the audience only.
    AdsLimited,
    /// Its budget is used up.
    BudgetSpent,
    /// Its budget limits it, or is not valid.
    Budget,
    Billing,
    /// The ad account is suspended, in review, or not verified.
    Account,
    /// Audience, keywords or locations.
    Targeting,
    Bidding,
    /// A pixel, identity, product, app, form or permission.
    Asset,
    /// See the platform's words.
    Other,
}

impl DeliveryReason {
    /// All reasons.
    pub const ALL: [DeliveryReason; 21] = variants();

    /// The name in the API: `ADS_REJECTED`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the name in the API.
    pub fn parse(name: &str) -> Option<DeliveryReason> {
        name.parse().ok()
    }
}

/// Where a reason lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Level {
    /// In this service.
    Service,
    Account,
    /// In the group of campaigns above the campaign.
    Parent,
    Campaign,
    /// In ads, or in the groups of ads that hold them.
    Ad,
}

impl Level {
    /// All levels, from the top.
    pub const ALL: [Level; 5] = variants();

    /// The name in the API: `account`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What a word of a platform means for showing the ads. The order is that of reasons: the first is the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Not shown, and nothing says that it passes.
    Blocks,
    /// Not shown yet; it passes without a change.
    Waits,
    /// The advertiser has switched it off.
    SwitchesOff,
    /// A fault that does not keep it from being shown.
    Limits,
    /// A word that this version does not know.
    IsUnknown,
}

/// One thing that is held against a campaign or an ad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub effect: Effect,
    pub reason: DeliveryReason,
    pub level: Level,
    /// The platform's word; `None` for what this service knows by itself.
    pub word: Option<String>,
    /// The platform's text for people; `None` where it has none.
    pub message: Option<String>,
}

impl Hold {
    /// What a word of a platform means.
    pub fn new(effect: Effect, reason: DeliveryReason, level: Level, word: &str) -> Hold {
        Hold { effect, reason, level, word: cleaned(word), message: None }
    }

    /// A word that this version does not know. It is kept, and never guessed.
    pub fn unknown(level: Level, word: &str) -> Hold {
        Hold::new(Effect::IsUnknown, DeliveryReason::Other, level, word)
    }

    /// The same with the platform's text.
    #[must_use]
    pub fn saying(self, text: Option<&str>) -> Hold {
        Hold { message: text.and_then(cleaned), ..self }
    }
}

/// What a platform says of a campaign itself, without its ads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// The state that the platform itself concludes; `None` where the holds and the ads decide.
    pub verdict: Option<DeliveryState>,
    pub holds: Vec<Hold>,
}

impl Signals {
    /// Holds that decide together with the ads.
    pub fn of(holds: Vec<Hold>) -> Signals {
        Signals { verdict: None, holds }
    }
}

/// A text of a platform on one line, without characters that hide others, cut at [`MAX_DELIVERY_TEXT`]; `None` if nothing
/// is left.
pub(super) fn cleaned(text: &str) -> Option<String> {
    // Before the words are parted: a hidden character between two spaces would leave both.
    let shown = |c: &char| c.is_whitespace() || !(c.is_control() || is_hidden(*c));
    let text: String = text.chars().filter(shown).collect();
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_DELIVERY_TEXT).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
