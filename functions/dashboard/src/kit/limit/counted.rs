//! What counts against a limit, by campaign: `kit/limit/counted.html`.

use crate::kit::addresses;
use crate::kit::campaign::CampaignSummary;
use crate::kit::money::in_currency;
use crate::kit::text::readable;
use jiff::Timestamp;
use shared::domain::spending::{Contribution, Spender};
use shared::domain::{CampaignId, Spending};

/// What counts of a campaign.
pub(crate) struct CountedRow {
    pub(crate) campaign: String,
    /// Its name; `None` for one that is not known now.
    pub(crate) name: Option<String>,
    /// `Active, 50.00 USD a day`
    pub(crate) state: Option<String>,
    pub(crate) path: String,
    pub(crate) platform: &'static str,
    pub(crate) daily: String,
    pub(crate) lifetime: String,
    pub(crate) notes: Vec<String>,
    pub(crate) is_under_way: bool,
}

/// What counts against the limit of a key or a user. `campaigns` are those that are known, with their names.
pub(crate) fn counted<'a>(
    spending: &Spending,
    campaigns: impl Iterator<Item = &'a CampaignSummary> + Clone,
    now: Timestamp,
) -> Vec<CountedRow> {
    let row = |(id, one): (&CampaignId, &Contribution)| {
        let known = campaigns.clone().find(|campaign| campaign.id == *id);
        CountedRow {
            name: known.map(|campaign| campaign.name.clone()),
            state: known.map(|campaign| format!("{}, {}", campaign.status_word(now), campaign.budget())),
            ..row(id, one, &spending.spender, now)
        }
    };
    spending.contributions.iter().map(row).collect()
}

impl CountedRow {
    /// What names the campaign.
    pub(crate) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("A campaign of {}", self.platform))
    }
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
        name: None,
        state: None,
        path: addresses::campaign(&campaign.to_string()),
        platform: campaign.platform().display_name(),
        daily: in_currency(contribution.counted_daily(now), *currency),
        lifetime: in_currency(contribution.counted_lifetime(), *currency),
        notes: until.into_iter().chain(runs).chain(under_way).collect(),
        is_under_way: pending.is_some(),
    }
}
