//! What a change asks for while no platform has confirmed it. Pages show it beside what was seen, never instead of it, and
//! all of them in these words.

use super::row::sets_same;
use super::words::state_word;
use crate::kit::campaign::{CampaignSummary, status_word};
use crate::kit::money;
use jiff::Timestamp;
use shared::domain::{Action, BudgetPeriod, CampaignStatus, Change, ChangeState, ChangeStatus};

/// The values of a campaign that are asked for and not confirmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OnItsWay {
    /// `pause on its way`
    pub(crate) status: Option<String>,
    /// `60.00 USD on its way`
    pub(crate) budget: Option<String>,
}

/// Whether a change is to be sent by now and its platform has not taken it: it is tried again.
pub(crate) fn is_tried(change: &Change, now: Timestamp) -> bool {
    change.state == ChangeState::Scheduled && change.apply_at.is_none_or(|at| at <= now)
}

/// The outcome of a change for people. One that is still tried is on its way, whichever attempt that is.
pub(crate) fn outcome_word(change: &Change, now: Timestamp) -> &'static str {
    state_word(if is_tried(change, now) { ChangeStatus::Sending } else { change.status(now) })
}

/// Whether a change is to be done by now and is not confirmed.
fn is_on_its_way(change: &Change, now: Timestamp) -> bool {
    is_tried(change, now) || matches!(change.status(now), ChangeStatus::Sending | ChangeStatus::Unknown)
}

impl OnItsWay {
    /// What a change asks for and the campaign, as it was seen, does not have.
    pub(crate) fn of(change: &Change, campaign: &CampaignSummary, now: Timestamp) -> OnItsWay {
        if !is_on_its_way(change, now) {
            return OnItsWay::default();
        }
        let word = outcome_word(change, now).to_lowercase();
        let (status, asked) = match &change.action {
            Action::Update(asked) => (asked.status, asked),
            Action::Delete => {
                return OnItsWay { status: Some(format!("deletion {word}")), budget: None };
            }
            Action::Create(_) => return OnItsWay::default(),
        };
        let status = status.filter(|status| *status != campaign.status);
        // The platform has another budget than the month of this service.
        let is_monthly = campaign.budget_period == Some(BudgetPeriod::Monthly) || asked.budget_period.is_some();
        let is_new = |amount: &_| !is_monthly && campaign.budget_amount != Some(*amount);
        let budget = asked.budget_amount.filter(is_new);
        OnItsWay {
            status: status.map(|status| format!("{} {word}", status_name(status))),
            budget: budget.map(|amount| format!("{} {word}", money::in_currency(amount, campaign.currency))),
        }
    }

    /// What the newest of the changes of a campaign asks for, unless a newer one has set the same.
    pub(crate) fn of_newest(changes: &[&Change], campaign: &CampaignSummary, now: Timestamp) -> OnItsWay {
        let open = changes.iter().filter(|change| is_on_its_way(change, now));
        let Some(newest) = open.max_by_key(|change| change.began_at()) else { return OnItsWay::default() };
        let is_overtaken = |other: &&Change| {
            let is_newer = other.began_at() > newest.began_at() && other.state == ChangeState::Applied;
            is_newer && matches!(&newest.action, Action::Update(asked) if sets_same(&other.action, asked))
        };
        if changes.iter().any(is_overtaken) { OnItsWay::default() } else { OnItsWay::of(newest, campaign, now) }
    }

    /// All of it in a line; empty for nothing.
    pub(crate) fn words(&self) -> String {
        let parts: Vec<&str> = self.status.iter().chain(&self.budget).map(String::as_str).collect();
        parts.join(", ")
    }
}

/// What a change of the status is called.
fn status_name(status: CampaignStatus) -> &'static str {
    match status {
        CampaignStatus::Active => "activation",
        CampaignStatus::Paused => "pause",
        CampaignStatus::Archived => "deletion",
        CampaignStatus::Ended
        | CampaignStatus::Draft
        | CampaignStatus::ScheduledForDeletion
        | CampaignStatus::Unspecified => status_word(status),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{at, change, now, update};
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use shared::domain::{CampaignChanges, ChangeId};
    use uuid::Uuid;

    fn pause(state: ChangeState) -> Change {
        Change { state, ..update(CampaignChanges::of_status(CampaignStatus::Paused)) }
    }

    #[test]
    fn what_is_not_confirmed_has_the_same_word_in_all_its_attempts() {
        let seen = campaign("alpha_1_2", CampaignStatus::Active);
        let told = |change: &Change, now| (outcome_word(change, now), OnItsWay::of(change, &seen, now).words());
        let on_its_way = ("On its way", "pause on its way".to_owned());
        let (early, late) = (at("2026-12-01T08:59:00Z"), at("2026-12-01T09:01:00Z"));
        let tried = Change { apply_at: Some(now()), ..pause(ChangeState::Scheduled) };
        assert_eq!((told(&pause(ChangeState::Sending), now()), told(&tried, now())), (on_its_way.clone(), on_its_way));
        assert_eq!(told(&tried, early), ("Scheduled", String::new()), "its time has not come");
        let unknown = told(&pause(ChangeState::Sending), late);
        assert_eq!(unknown, ("Not known yet", "pause not known yet".to_owned()));
        assert_eq!(told(&pause(ChangeState::Applied), now()), ("Applied", String::new()));
    }

    #[test]
    fn only_what_the_campaign_does_not_have_is_on_its_way() {
        let paused = campaign("alpha_1_2", CampaignStatus::Paused);
        let asked = CampaignChanges { budget_amount: Some(60.into()), ..CampaignChanges::of_status(paused.status) };
        let told = |campaign: &CampaignSummary| OnItsWay::of(&update(asked.clone()), campaign, now()).words();
        assert_eq!(told(&paused), "60.00 USD on its way");
        let has_it = CampaignSummary { budget_amount: Some(60.into()), ..paused.clone() };
        let monthly = CampaignSummary { budget_period: Some(BudgetPeriod::Monthly), ..paused.clone() };
        assert_eq!((told(&has_it), told(&monthly)), (String::new(), String::new()));
        let deletion = OnItsWay::of(&change(Action::Delete), &paused, now());
        assert_eq!(deletion.words(), "deletion on its way");
    }

    #[test]
    fn a_newer_change_ends_what_was_on_its_way() {
        let seen = campaign("alpha_1_2", CampaignStatus::Active);
        let open = Change { state: ChangeState::Scheduled, ..pause(ChangeState::Sending) };
        let told = |changes: &[&Change]| OnItsWay::of_newest(changes, &seen, now()).words();
        assert_eq!(told(&[&open]), "pause on its way");
        let id = ChangeId::new(at("2026-12-01T09:00:05Z"), Uuid::nil(), 0);
        let later = Change { id, ..pause(ChangeState::Applied) };
        assert_eq!((told(&[&later, &open]), told(&[])), (String::new(), String::new()));
    }
}
