//! What a revert would do, for people.

use super::plan::{RevertPlan, RevertRow, StayRow};
use crate::client::accounts::{Connection, account_name};
use crate::kit::addresses;
use crate::kit::campaign::campaign_count;
use shared::domain::CampaignId;

/// Most rows of the page, so that it stays small.
const SHOWN: usize = 100;

/// The rows and the sums of the page.
pub(super) struct PlanView {
    pub(super) rows: Vec<Row<RevertRow>>,
    pub(super) stay: Vec<Row<StayRow>>,
    /// `3 campaigns`
    pub(super) as_before: Option<String>,
    pub(super) sums: Vec<String>,
    pub(super) activated: Option<String>,
    pub(super) not_daily: Option<String>,
    /// Rows that the page leaves out.
    pub(super) more: usize,
}

/// A campaign with its page and its ad account.
pub(super) struct Row<T> {
    pub(super) path: String,
    pub(super) platform: &'static str,
    pub(super) account: String,
    pub(super) of: T,
}

impl PlanView {
    pub(super) fn of(plan: RevertPlan, connections: &[Connection]) -> PlanView {
        let RevertPlan { rows, stay, as_before, sums, activated, not_daily, running: _, left: _, again: _ } = plan;
        let count = |number: usize| (number > 0).then(|| campaign_count(number));
        let more = rows.len().saturating_sub(SHOWN) + stay.len().saturating_sub(SHOWN);
        let reverts =
            rows.into_iter().take(SHOWN).map(|row| Row::new(&row.id.clone(), &row.account.clone(), row, connections));
        let stays =
            stay.into_iter().take(SHOWN).map(|row| Row::new(&row.id.clone(), &row.account.clone(), row, connections));
        PlanView {
            rows: reverts.collect(),
            stay: stays.collect(),
            as_before: count(as_before),
            sums,
            activated: count(activated),
            not_daily: count(not_daily),
            more,
        }
    }
}

impl<T> Row<T> {
    fn new(id: &CampaignId, account: &str, of: T, connections: &[Connection]) -> Row<T> {
        let platform = id.platform().display_name();
        Row {
            path: addresses::campaign(&id.to_string()),
            platform,
            account: account_name(platform, account, connections),
            of,
        }
    }
}
