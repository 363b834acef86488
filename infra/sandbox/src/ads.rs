//! The ads of campaigns, and what holds campaigns and ad accounts back, before a platform says it in its own words.
//!
//! A new campaign has no ad. An ad belongs to the one ad group of its campaign; the platforms whose ads have no group
//! leave it out.

use crate::quirks::Quirk;
use crate::service::RequestContext;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A campaign that is not removed, and its ads, have a word that no document of the platform has: [`UNHEARD_OF`].
pub(crate) const UNKNOWN_WORD: Quirk = Quirk {
    name: "unknown_word",
    description: "Campaigns and ads have a status word of delivery that the platform does not document; not in \"all\".",
};
/// The words of a campaign are late.
pub(crate) const LATE_STATUS: Quirk = Quirk {
    name: "late_status",
    description: "A campaign keeps its old word of delivery for three reads after a change, a removal excepted.",
};
/// A campaign has more ads than a client wants to read.
pub(crate) const MANY_ADS: Quirk =
    Quirk { name: "many_ads", description: "A campaign with an ad has 2100 more, all of them approved." };

/// The word of the quirk [`UNKNOWN_WORD`].
pub(crate) const UNHEARD_OF: &str = "UNHEARD_OF";

/// What a reviewer wrote about a rejected ad.
pub(crate) const REJECTION: &str = "Misleading claim";

/// The ads that the quirk [`MANY_ADS`] adds to a campaign.
const MORE_ADS: u64 = 2_100;
/// The distance of two ids, so that the ads of [`MANY_ADS`] fit between them.
const STEP: u64 = 10_000;
/// The reads that still show the old words under the quirk [`LATE_STATUS`].
const LATE_READS: u8 = 3;

/// What an ad may do, as a test or a person sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AdState {
    Approved,
    InReview,
    Rejected,
    /// Approved, and switched off.
    Paused,
}

impl AdState {
    pub(crate) const ALL: &'static [Self] = &[Self::Approved, Self::InReview, Self::Rejected, Self::Paused];
}

/// What holds a campaign or an ad account back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Hold {
    /// The platform has suspended it.
    Suspended,
    /// A payment is open.
    Billing,
    /// The budget is spent.
    BudgetSpent,
    /// The audience is too small.
    Audience,
}

/// The holds that a platform has a word for.
pub(crate) struct Holds {
    pub(crate) of_accounts: &'static [Hold],
    pub(crate) of_campaigns: &'static [Hold],
}

/// One ad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ad {
    /// Unique on its platform, among groups too.
    pub(crate) id: u64,
    /// Its ad group.
    pub(crate) group: u64,
    pub(crate) state: AdState,
}

impl Ad {
    pub(crate) fn name(&self) -> String {
        format!("Ad {}", self.id)
    }

    pub(crate) fn group_name(&self) -> String {
        format!("Ad group {}", self.group)
    }
}

/// The ads and the holds of a platform, by the ids of its campaigns and accounts as control requests have them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Ads {
    campaigns: BTreeMap<String, Vec<Ad>>,
    campaign_holds: BTreeMap<String, Hold>,
    account_holds: BTreeMap<String, Hold>,
    /// The newest id of an ad or a group.
    last_id: u64,
    /// The words that the latest read of a campaign has shown.
    #[serde(skip)]
    shown: RefCell<BTreeMap<String, Shown>>,
}

/// The words of a campaign as a client has seen them.
#[derive(Debug, Clone)]
struct Shown {
    words: Vec<String>,
    /// The reads that show them after a change.
    left: u8,
}

impl Default for Ads {
    fn default() -> Self {
        Self {
            campaigns: BTreeMap::new(),
            campaign_holds: BTreeMap::new(),
            account_holds: BTreeMap::new(),
            last_id: 700_000_000_000,
            shown: RefCell::default(),
        }
    }
}

impl Ads {
    /// Sets the ads of a campaign. An ad keeps its id as long as its place in the list exists.
    pub(crate) fn set(&mut self, campaign: &str, states: &[AdState]) {
        let old = self.campaigns.remove(campaign).unwrap_or_default();
        let group = old.first().map_or_else(|| self.next_id(), |ad| ad.group);
        let mut ads = Vec::new();
        for (index, state) in states.iter().enumerate() {
            let id = old.get(index).map_or_else(|| self.next_id(), |ad| ad.id);
            ads.push(Ad { id, group, state: *state });
        }
        self.campaigns.insert(campaign.to_owned(), ads);
    }

    /// Adds an approved ad to a campaign without ads.
    pub(crate) fn add_where_none(&mut self, campaign: &str) {
        if self.stored(campaign).is_empty() {
            self.set(campaign, &[AdState::Approved]);
        }
    }

    /// Sets or ends the hold of a campaign.
    pub(crate) fn hold_campaign(&mut self, campaign: &str, hold: Option<Hold>) {
        set_hold(&mut self.campaign_holds, campaign, hold);
    }

    /// Sets or ends the hold of an account.
    pub(crate) fn hold_account(&mut self, account: &str, hold: Option<Hold>) {
        set_hold(&mut self.account_holds, account, hold);
    }

    /// The ads of a campaign as they were set.
    pub(crate) fn stored(&self, campaign: &str) -> &[Ad] {
        self.campaigns.get(campaign).map(Vec::as_slice).unwrap_or_default()
    }

    /// The ads of a campaign in the order of their ids, with those of the quirk [`MANY_ADS`].
    pub(crate) fn of(&self, campaign: &str, context: &RequestContext<'_>) -> Vec<Ad> {
        let mut ads = self.stored(campaign).to_vec();
        if let (true, Some(first)) = (context.quirk(MANY_ADS.name), ads.first().copied()) {
            ads.extend((1..=MORE_ADS).map(|more| Ad { id: first.id + more, state: AdState::Approved, ..first }));
            ads.sort_unstable_by_key(|ad| ad.id);
        }
        ads
    }

    pub(crate) fn campaign_hold(&self, campaign: &str) -> Option<Hold> {
        self.campaign_holds.get(campaign).copied()
    }

    pub(crate) fn account_hold(&self, account: &str) -> Option<Hold> {
        self.account_holds.get(account).copied()
    }

    /// The words of delivery that a read of a campaign shows in place of `current`, under the quirks [`UNKNOWN_WORD`]
    /// and [`LATE_STATUS`]. A platform asks once per read and campaign, and never for a removed one, whose word is how
    /// clients know the removal.
    pub(crate) fn words(&self, campaign: &str, current: Vec<String>, context: &RequestContext<'_>) -> Vec<String> {
        if context.quirk(UNKNOWN_WORD.name) {
            return vec![UNHEARD_OF.to_owned()];
        }
        let mut all = self.shown.borrow_mut();
        let old = all.get_mut(campaign).filter(|shown| shown.words != current && shown.left > 0);
        if let (true, Some(old)) = (context.quirk(LATE_STATUS.name), old) {
            old.left -= 1;
            return old.words.clone();
        }
        all.insert(campaign.to_owned(), Shown { words: current.clone(), left: LATE_READS });
        current
    }

    /// [`Ads::words`] of a platform whose campaigns have one word.
    pub(crate) fn word(&self, campaign: &str, current: &str, context: &RequestContext<'_>) -> String {
        self.words(campaign, vec![current.to_owned()], context).concat()
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += STEP;
        self.last_id
    }
}

fn set_hold(holds: &mut BTreeMap<String, Hold>, id: &str, hold: Option<Hold>) {
    match hold {
        Some(hold) => holds.insert(id.to_owned(), hold),
        None => holds.remove(id),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Settings;
    use crate::session::NOON;

    fn settings(quirks: &[&'static str]) -> Settings {
        Settings { quirks: quirks.iter().copied().collect(), ..Settings::default() }
    }

    fn context(settings: &Settings) -> RequestContext<'_> {
        RequestContext { now: NOON.parse().unwrap(), settings, is_ignored: false }
    }

    #[test]
    fn an_ad_keeps_its_id_when_its_state_changes() {
        let (mut ads, settings) = (Ads::default(), settings(&[]));
        ads.set("1", &[AdState::InReview, AdState::Paused]);
        let before = ads.of("1", &context(&settings));
        ads.set("1", &[AdState::Approved]);
        let after = ads.of("1", &context(&settings));
        assert_eq!(after, [Ad { state: AdState::Approved, ..before[0] }]);
        ads.add_where_none("1");
        ads.add_where_none("2");
        assert_eq!(ads.of("1", &context(&settings)), after, "it has one already");
        let other = ads.of("2", &context(&settings));
        assert_eq!(other.len(), 1);
        assert!(other[0].id != after[0].id && other[0].group != after[0].group);
    }

    #[test]
    fn many_ads_have_ids_of_their_own() {
        let (mut ads, settings) = (Ads::default(), settings(&["many_ads"]));
        ads.set("1", &[AdState::Rejected, AdState::Paused]);
        let many = ads.of("1", &context(&settings));
        assert_eq!(many.len(), 2_102);
        assert!(many.windows(2).all(|two| two[0].id < two[1].id), "in order, each once");
        assert_eq!(ads.of("2", &context(&settings)), [], "it has no ad");
    }

    #[test]
    fn an_old_word_is_shown_for_three_reads_after_a_change() {
        let (ads, late, prompt) = (Ads::default(), settings(&["late_status"]), settings(&[]));
        assert_eq!(ads.word("1", "PAUSED", &context(&late)), "PAUSED", "the first read knows no old word");
        let read = || ads.word("1", "ACTIVE", &context(&late));
        assert_eq!([read(), read(), read(), read()], ["PAUSED", "PAUSED", "PAUSED", "ACTIVE"]);
        assert_eq!(ads.word("1", "PAUSED", &context(&prompt)), "PAUSED");
        assert_eq!(ads.word("1", "ACTIVE", &context(&settings(&["unknown_word"]))), UNHEARD_OF);
    }
}
