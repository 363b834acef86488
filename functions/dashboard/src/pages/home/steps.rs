//! The first steps of an account, in their order.

use crate::client::readings::Overview;
use crate::kit::addresses::{CAMPAIGNS, CONNECTIONS, NEW_CAMPAIGN, campaign};
use jiff::{SignedDuration, Timestamp};
use shared::domain::{Action, CampaignStatus, Change, ChangeState};

/// With more campaigns than these, a person knows how a campaign comes to run.
const FIRST_CAMPAIGNS: usize = 3;
/// For how long an account is new. Its ad accounts may have campaigns that run; the steps are about its own.
const NEW: SignedDuration = SignedDuration::from_hours(24);

/// A step of the first five minutes.
pub(super) struct Step {
    pub(super) is_done: bool,
    /// The first that is not done.
    pub(super) is_next: bool,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    /// `None` where there is nothing to open yet.
    pub(super) link: Option<(&'static str, String)>,
}

impl Step {
    /// The words of its badge.
    pub(super) fn state(&self) -> &'static str {
        match (self.is_done, self.is_next) {
            (true, _) => "Done",
            (false, true) => "Next",
            (false, false) => "Later",
        }
    }
}

/// How far an account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) is_connected: bool,
    pub(super) has_campaign: bool,
    pub(super) has_run: bool,
}

impl Progress {
    /// `connected` are the times at which ad accounts were connected. `is_own` says whether the account has created or changed
    /// a campaign, and `has_activated` whether it has activated one. In a new account nothing else counts.
    pub(super) fn of(connected: &[Timestamp], is_own: bool, has_activated: bool, overview: &Overview) -> Progress {
        let is_new = connected.iter().all(|at| overview.now.duration_since(*at) < NEW);
        Progress {
            is_connected: !connected.is_empty(),
            has_campaign: is_own || !is_new && !overview.rows.is_empty(),
            has_run: if is_new { has_activated } else { has_run(overview) },
        }
    }

    /// Whether the page no longer shows the steps.
    pub(super) fn is_over(self) -> bool {
        self.is_connected && self.has_campaign && self.has_run
    }
}

/// Whether a change has let a campaign run.
pub(super) fn has_activated(change: &Change) -> bool {
    let Action::Update(asked) = &change.action else { return false };
    asked.status == Some(CampaignStatus::Active) && change.state == ChangeState::Applied
}

/// Whether some campaign runs, or has run. It counts as one that has if the account has many, or none that is known.
fn has_run(overview: &Overview) -> bool {
    let is_known = (1..=FIRST_CAMPAIGNS).contains(&overview.rows.len());
    !is_known || overview.active().next().is_some() || overview.accounts.iter().any(|account| account.has_numbers)
}

/// The steps. The page marks the first that is not done.
pub(super) fn steps(progress: Progress, overview: &Overview) -> [Step; 3] {
    let Progress { is_connected, has_campaign, has_run } = progress;
    let done = [is_connected, has_campaign, has_campaign && has_run];
    let next = done.iter().position(|is_done| !is_done);
    let first = match overview.rows.as_slice() {
        [only] => ("Open the campaign", campaign(&only.campaign.id.to_string())),
        _ => ("Open the campaigns", CAMPAIGNS.to_owned()),
    };
    let step = |at: usize, title, text, link| Step { is_done: done[at], is_next: next == Some(at), title, text, link };
    let connect = if is_connected { "See the connections" } else { "Connect an account" };
    [
        step(
            0,
            "Connect an ad account",
            "Sign in at the platform and choose what to share. Its campaigns appear here a moment later.",
            Some((connect, CONNECTIONS.to_owned())),
        ),
        step(
            1,
            "Create a campaign",
            "It starts paused, so nothing is spent until you activate it.",
            is_connected.then(|| ("Create a campaign", NEW_CAMPAIGN.to_owned())),
        ),
        step(
            2,
            "Activate it",
            "Give it ads at the platform, and activate it here. The platform reviews the ads, often within a day. The page \
             of the campaign says whether they are shown, and why not; its spend appears on this page.",
            has_campaign.then_some(first),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{AccountState, CampaignRow};
    use crate::kit::campaign::tests;
    use crate::kit::changes::sample::{now, update};
    use shared::domain::CampaignChanges;
    use shared::domain::CampaignStatus::{Active, Paused};

    fn overview(statuses: &[CampaignStatus]) -> Overview {
        let row = |status: &CampaignStatus| CampaignRow::without_numbers(tests::campaign("alpha_1_2", *status));
        Overview { rows: statuses.iter().map(row).collect(), now: now(), ..Overview::default() }
    }

    fn activation(state: ChangeState) -> Change {
        Change { state, ..update(CampaignChanges::of_status(Active)) }
    }

    #[test]
    fn only_the_next_step_is_marked_and_none_leads_to_an_empty_list() {
        for (is_connected, has_campaign, has_run, next, links) in [
            (false, false, false, Some(0), 1),
            (false, true, true, Some(0), 2),
            (true, false, true, Some(1), 2),
            (true, true, false, Some(2), 3),
            (true, true, true, None, 3),
        ] {
            let progress = Progress { is_connected, has_campaign, has_run };
            let steps = steps(progress, &overview(&[Paused]));
            assert_eq!(steps.iter().position(|step| step.is_next), next, "{progress:?}");
            assert!(steps.iter().filter(|step| step.is_next).count() <= 1, "{progress:?}");
            assert_eq!(steps.iter().filter(|step| step.link.is_some()).count(), links, "{progress:?}");
            assert_eq!(progress.is_over(), steps.iter().all(|step| step.is_done), "{progress:?}");
        }
    }

    #[test]
    fn a_new_account_keeps_its_steps_until_a_campaign_of_its_own_runs() {
        let (connected, runs) = ([now() - SignedDuration::from_mins(5)], overview(&[Active; 70]));
        let of = |is_own, has_activated| Progress::of(&connected, is_own, has_activated, &runs);
        let progress = |has_campaign, has_run| Progress { is_connected: true, has_campaign, has_run };
        assert_eq!(of(false, false), progress(false, false), "the campaigns of its ad account are not its own");
        assert_eq!(of(true, false), progress(true, false));
        assert!(of(true, true).is_over());
        assert!(has_activated(&activation(ChangeState::Applied)) && !has_activated(&activation(ChangeState::Sending)));
        let old = [now() - SignedDuration::from_hours(25)];
        assert!(Progress::of(&old, false, false, &runs).is_over(), "it only looks at what runs");
    }

    #[test]
    fn the_first_campaign_is_followed_until_it_runs() {
        assert!(!has_run(&overview(&[Paused])) && has_run(&overview(&[Paused, Active])));
        assert!(has_run(&overview(&[Paused; 4])) && has_run(&overview(&[])), "nothing is known to be new");
        let accounts = vec![AccountState { has_numbers: true, ..AccountState::default() }];
        assert!(has_run(&Overview { accounts, ..overview(&[Paused]) }), "it has run");
        let progress = Progress { is_connected: true, has_campaign: true, has_run: false };
        let link = |statuses: &[CampaignStatus]| {
            let [.., last] = steps(progress, &overview(statuses));
            last.link.unwrap().1
        };
        assert_eq!(link(&[Paused]), "/dashboard/campaigns/one?id=alpha_1_2");
        assert_eq!(link(&[Paused; 2]), "/dashboard/campaigns");
        let [_, create, _] = steps(progress, &overview(&[]));
        assert_eq!(create.link.unwrap().1, "/dashboard/campaigns/new", "never an empty list");
    }
}
