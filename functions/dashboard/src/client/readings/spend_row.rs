//! A campaign with what it spends, as short tables show it.

use super::overview::CampaignRow;
use crate::kit::addresses;
use crate::kit::money;
use crate::kit::total::Total;
use jiff::Timestamp;

/// A row of such a table: `client/readings/spend_rows.html`.
pub(crate) struct SpendRow {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) platform: String,
    pub(crate) account: String,
    pub(crate) tone: &'static str,
    pub(crate) status: String,
    pub(crate) today: String,
    pub(crate) week: String,
}

impl SpendRow {
    pub(crate) fn of(row: &CampaignRow, now: Timestamp) -> SpendRow {
        let CampaignRow { campaign, account, numbers, .. } = row;
        let shown = |total: Total| total.text(|amount| money::in_currency(amount, campaign.currency));
        let (status, tone) = campaign.badge(None, now);
        SpendRow {
            name: campaign.name.clone(),
            path: addresses::campaign(&campaign.id.to_string()),
            platform: campaign.id.platform().display_name().to_owned(),
            account: account.clone(),
            tone,
            status,
            today: shown(numbers.spend.today),
            week: shown(numbers.spend.week),
        }
    }
}
