//! What a revert would do, for people.

use super::plan::{Counted, RevertPlan, RevertRow, StayRow};
use crate::client::accounts::{Connection, account_name};
use crate::kit::addresses;
use crate::kit::campaign::campaign_count;
use shared::domain::CampaignId;
use std::collections::BTreeSet;

/// Most rows of the page, so that it stays small.
const SHOWN: usize = 100;

/// The rows and the sums of the page.
pub(super) struct PlanView {
    pub(super) rows: Vec<Row<RevertRow>>,
    pub(super) stay: Vec<Row<StayRow>>,
    /// `3 campaigns`
    pub(super) as_before: Option<String>,
    /// The ids of the campaigns that are not ticked.
    left_out: BTreeSet<String>,
    /// What the ticked ones do together.
    pub(super) sums: Vec<String>,
    /// `3,600.00 USD a day less`
    pub(super) differences: String,
    pub(super) activated: String,
    pub(super) not_daily: String,
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
    /// Shows a plan. `left_out` are the ids of the campaigns that the person has not ticked.
    pub(super) fn of(plan: RevertPlan, left_out: &[String], connections: &[Connection]) -> PlanView {
        let RevertPlan { rows, stay, as_before, running: _, left: _, again: _ } = plan;
        let shown = || rows.iter().take(SHOWN);
        let left_out: BTreeSet<String> =
            shown().map(|row| row.id.to_string()).filter(|id| left_out.contains(id)).collect();
        let Counted { sums, differences, activated, not_daily } =
            Counted::of(shown().filter(|row| !left_out.contains(&row.id.to_string())));
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
            left_out,
            sums,
            differences: differences.join(", "),
            activated: count(activated).unwrap_or_default(),
            not_daily: count(not_daily).unwrap_or_default(),
            more,
        }
    }

    /// Whether a campaign is ticked.
    pub(super) fn is_ticked(&self, row: &Row<RevertRow>) -> bool {
        !self.left_out.contains(&row.of.id.to_string())
    }

    /// Which campaigns the sums are for.
    pub(super) fn counted(&self) -> String {
        match self.left_out.len() {
            0 => "for all listed".to_owned(),
            left_out => format!("for the {} that were ticked when this was counted", self.rows.len() - left_out),
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
