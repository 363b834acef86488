//! A campaign with what it spends, as short tables show it.

use super::overview::CampaignRow;
use crate::kit::addresses;
use crate::kit::money;
use crate::kit::text::as_of;
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
    /// What was asked for and is not confirmed.
    pub(crate) on_its_way: Option<String>,
    /// When it was read, if that is not now: `as of 02:58 UTC`.
    pub(crate) as_of: Option<String>,
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
            on_its_way: row.on_its_way.status.clone(),
            as_of: row.as_of.map(|at| as_of(at, now)),
            today: shown(numbers.spend.today),
            week: shown(numbers.spend.week),
        }
    }
}
