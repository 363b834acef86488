//! The first steps of an account, in their order.

use crate::client::readings::Overview;
use crate::kit::addresses::{CAMPAIGNS, CONNECTIONS, NEW_CAMPAIGN, campaign};

/// With more campaigns than these, a person knows how a campaign comes to run.
const FIRST_CAMPAIGNS: usize = 3;

/// A step of the first five minutes.
pub(super) struct Step {
    pub(super) is_done: bool,
    /// The first that is not done.
    pub(super) is_next: bool,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    pub(super) link: (&'static str, String),
}

/// How far an account is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) connections: usize,
    pub(super) has_campaign: bool,
    pub(super) has_run: bool,
}

impl Progress {
    /// Whether the page no longer shows the steps.
    pub(super) fn is_over(&self) -> bool {
        self.connections > 0 && self.has_campaign && self.has_run
    }
}

/// Whether some campaign runs, or has run. It counts as one that has if the account has many, or none that is known.
pub(super) fn has_run(overview: &Overview) -> bool {
    let is_known = (1..=FIRST_CAMPAIGNS).contains(&overview.rows.len());
    !is_known || overview.active().next().is_some() || overview.accounts.iter().any(|account| account.has_numbers)
}

/// The steps. The page marks the first that is not done.
pub(super) fn steps(progress: Progress, overview: &Overview) -> [Step; 3] {
    let Progress { connections, has_campaign, has_run } = progress;
    let done = [connections > 0, has_campaign, has_campaign && has_run];
    let next = done.iter().position(|is_done| !is_done);
    let first = match overview.rows.as_slice() {
        [only] => ("Open the campaign", campaign(&only.campaign.id.to_string())),
        _ => ("Open the campaigns", CAMPAIGNS.to_owned()),
    };
    let step = |at: usize, title, text, link| Step { is_done: done[at], is_next: next == Some(at), title, text, link };
    [
        step(
            0,
            "Connect an ad account",
            "Sign in at the platform and choose what to share. Its campaigns appear here a moment later.",
            ("Connect an account", CONNECTIONS.to_owned()),
        ),
        step(
            1,
            "Create a campaign",
            "It starts paused, so nothing is spent until you activate it.",
            ("Create a campaign", NEW_CAMPAIGN.to_owned()),
        ),
        step(
            2,
            "See it run",
            "Give it ads at the platform, and activate it here. The platform reviews the ads, often within a day. The page \
             of the campaign says whether they are shown, and why not; its spend appears on this page.",
            first,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{AccountState, CampaignRow};
    use crate::kit::campaign::tests;
    use shared::domain::CampaignStatus::{self, Active, Paused};

    fn overview(statuses: &[CampaignStatus]) -> Overview {
        let row = |status: &CampaignStatus| CampaignRow::without_numbers(tests::campaign("alpha_1_2", *status));
        Overview { rows: statuses.iter().map(row).collect(), ..Overview::default() }
    }

    #[test]
    fn only_the_next_step_is_marked() {
        for (connections, has_campaign, has_run, next) in [
            (0, false, false, Some(0)),
            (0, true, true, Some(0)),
            (1, false, true, Some(1)),
            (1, true, false, Some(2)),
            (1, true, true, None),
        ] {
            let progress = Progress { connections, has_campaign, has_run };
            let steps = steps(progress, &overview(&[Paused]));
            assert_eq!(steps.iter().position(|step| step.is_next), next, "{progress:?}");
            assert!(steps.iter().filter(|step| step.is_next).count() <= 1, "{progress:?}");
            assert_eq!(progress.is_over(), steps.iter().all(|step| step.is_done), "{progress:?}");
        }
    }

    #[test]
    fn the_first_campaign_is_followed_until_it_runs() {
        assert!(!has_run(&overview(&[Paused])) && has_run(&overview(&[Paused, Active])));
        assert!(has_run(&overview(&[Paused; 4])) && has_run(&overview(&[])), "nothing is known to be new");
        let accounts = vec![AccountState { has_numbers: true, ..AccountState::default() }];
        assert!(has_run(&Overview { accounts, ..overview(&[Paused]) }), "it has run");
        let progress = Progress { connections: 1, has_campaign: true, has_run: false };
        let link = |statuses: &[CampaignStatus]| steps(progress, &overview(statuses))[2].link.1.clone();
        assert_eq!(link(&[Paused]), "/dashboard/campaigns/one?id=alpha_1_2");
        assert_eq!(link(&[Paused; 2]), "/dashboard/campaigns");
        assert_eq!(steps(progress, &overview(&[]))[1].link.1, "/dashboard/campaigns/new", "never an empty list");
    }
}
