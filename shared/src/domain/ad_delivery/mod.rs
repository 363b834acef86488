//! Whether the ads of a campaign are shown, and what holds them back, in the words of its platform (D173).
//!
//! An adapter reads a platform's words into [`Hold`]s; [`AdDelivery::of`] judges them. `delivery` is the name of another
//! thing here: an event on its way to a webhook endpoint.

mod ads;
mod advice;
mod hold;
mod judge;

pub use ads::{AdReview, AdState, Ads, AdsUnread, PlatformAd, Rejection};
pub use hold::{DeliveryReason, Effect, Hold, Level, MAX_DELIVERY_TEXT, Signals};
pub use judge::{AdCounts, AdDelivery, MAX_WORDS, ReasonGroup};

use super::variants;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Whether the ads of a campaign may be shown now, as far as its platform says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum DeliveryState {
    /// They may be shown; nothing is held against the campaign.
    Eligible,
    /// A fault is named, but not that the campaign is not shown.
    Limited,
    /// The platform says nothing, or a word that this version does not know.
    Unknown,
    /// Not shown yet; it passes without a change.
    Waiting,
    /// Not shown, and nothing says that it passes.
    Blocked,
    /// The campaign is not ACTIVE.
    Off,
}

impl DeliveryState {
    /// All states.
    pub const ALL: [DeliveryState; 6] = variants();

    /// The name in the API: `ELIGIBLE`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the name in the API.
    pub fn parse(name: &str) -> Option<DeliveryState> {
        name.parse().ok()
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
