//! What counts against a limit, by campaign: `kit/limit/counted.html`.

use crate::kit::addresses;
use crate::kit::money::in_currency;
use crate::kit::text::readable;
use jiff::Timestamp;
use shared::domain::spending::{Contribution, Spender};
use shared::domain::{CampaignId, Spending};

/// What counts of a campaign.
pub(crate) struct CountedRow {
    pub(crate) campaign: String,
    /// Its name, where the page knows it, or else its id.
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) platform: &'static str,
    pub(crate) daily: String,
    pub(crate) lifetime: String,
    pub(crate) notes: Vec<String>,
    pub(crate) is_under_way: bool,
}

/// What counts against the limit of a key or a user.
pub(crate) fn counted(spending: &Spending, now: Timestamp) -> Vec<CountedRow> {
    let rows = spending.contributions.iter();
    rows.map(|(campaign, one)| row(campaign, one, &spending.spender, now)).collect()
}

fn row(campaign: &CampaignId, contribution: &Contribution, spender: &Spender, now: Timestamp) -> CountedRow {
    let Contribution { currency, recent, pending, .. } = contribution;
    let until = recent.filter(|recent| now < recent.until && recent.amount > contribution.daily);
    let until = until.map(|recent| format!("Less counts from {} on.", readable(recent.until)));
    let is_nothing = contribution.counted_daily(now).is_zero() && contribution.counted_lifetime().is_zero();
    let runs = (contribution.is_activated && is_nothing).then(|| match spender {
        Spender::Key(_) => "Nothing of it counts any more. Stopping the key still pauses it, because the key has \
                            activated it."
            .to_owned(),
        Spender::User(_) => "Nothing of it counts any more.".to_owned(),
    });
    let under_way = pending.map(|_| "A change is under way.".to_owned());
    CountedRow {
        campaign: campaign.to_string(),
        name: campaign.to_string(),
        path: addresses::campaign(&campaign.to_string()),
        platform: campaign.platform().display_name(),
        daily: in_currency(contribution.counted_daily(now), *currency),
        lifetime: in_currency(contribution.counted_lifetime(), *currency),
        notes: until.into_iter().chain(runs).chain(under_way).collect(),
        is_under_way: pending.is_some(),
    }
}
