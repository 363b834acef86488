//! The state after a key was stopped or its changes were reverted: who reverted what and when, and which campaigns run.

use crate::kit::campaign::campaign_count;
use crate::kit::changes::requester_for;
use crate::kit::known_campaign::SeenCampaign;
use crate::kit::left::{Doer, applied, applied_at, is_undo, left};
use crate::kit::running::Running;
use crate::kit::text::{listed, when};
use jiff::{SignedDuration, Timestamp};
use shared::domain::{Action, CampaignStatus, CampaignValues, Change, ChangeState, KeyId, PersonId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Pages read the history so far back. Of an older stop they say only the time.
pub(crate) const LOOKS_BACK: SignedDuration = SignedDuration::from_hours(48);

/// The campaigns that a key has changed, and which of them are reverted.
#[derive(Debug, Default)]
pub(crate) struct Aftermath<'a> {
    /// The campaigns that it has changed, and those of its stop.
    campaigns: BTreeSet<String>,
    /// Those with their former values, each with the change that reverted it.
    reverted: BTreeMap<String, &'a Change>,
    /// Those whose revert is not confirmed yet.
    reverting: BTreeSet<String>,
    /// Those that the same request has reverted already.
    seen: BTreeSet<String>,
    /// The newest applied change of each campaign that says what it has.
    newest: BTreeMap<String, &'a Change>,
    /// The change that has paused each campaign that somebody else has paused since, other than by an undo.
    paused: BTreeMap<String, &'a Change>,
}

impl<'a> Aftermath<'a> {
    /// Reads it from these changes.
    pub(crate) fn of(key: &KeyId, changes: &'a [Change], now: Timestamp) -> Aftermath<'a> {
        let own = Doer::Key(key);
        let id = |change: &Change| change.campaign.as_ref().map(ToString::to_string);
        let is_own = |change: &&Change| Doer::answering_for(change) == own;
        let mut found =
            Aftermath { campaigns: changes.iter().filter(is_own).filter_map(id).collect(), ..Aftermath::default() };
        let applied = applied(changes, now);
        for change in applied.iter().copied() {
            found.follow(change, Doer::answering_for(change) == own);
        }
        for one in left(&applied, |_| true).into_iter().flat_map(|left| left.ended) {
            let by = one.by.filter(|by| Doer::answering_for(by) != own);
            if let (true, Some(by), Some(campaign)) = (Doer::answering_for(one.of) == own, by, id(one.of)) {
                found.reverted.insert(campaign, by);
            }
        }
        let is_open = |change: &&Change| matches!(change.state, ChangeState::Scheduled | ChangeState::Sending);
        let undoes = |change: &&Change| is_undo(change) && Doer::answering_for(change) != own;
        let is_known = |campaign: &String| found.campaigns.contains(campaign);
        let open: Vec<&Change> = changes.iter().filter(undoes).filter(is_open).collect();
        let is_of_same = |change: &&&Change| open.iter().any(|open| open.request == change.request);
        let seen = applied.iter().filter(|change| undoes(change)).filter(is_of_same);
        let seen: BTreeSet<String> = seen.filter_map(|change| id(change)).filter(is_known).collect();
        let reverting: BTreeSet<String> = open.iter().filter_map(|change| id(change)).filter(is_known).collect();
        Aftermath { seen: seen.difference(&reverting).cloned().collect(), reverting, ..found }
    }

    /// Follows an applied change; they come in the order in which they were applied.
    fn follow(&mut self, change: &'a Change, is_own: bool) {
        let Some(campaign) = change.campaign.as_ref().map(ToString::to_string) else { return };
        if let Action::Update(asked) = &change.action
            && let Some(status) = asked.status
        {
            match status == CampaignStatus::Paused && !is_own && !is_undo(change) {
                true => self.paused.insert(campaign.clone(), change),
                false => self.paused.remove(&campaign),
            };
        }
        // A step has the budget of a day, and not that of the month.
        if change.after.is_some() && !change.is_step {
            self.newest.insert(campaign, change);
        }
    }

    /// Which of its campaigns run with which budgets; `None` if that is not known. `kept` has the campaigns as they were read
    /// last.
    pub(crate) fn runs(&self, kept: &HashMap<String, SeenCampaign>, now: Timestamp) -> Option<String> {
        if self.campaigns.is_empty() { None } else { self.running(&self.campaigns, kept, now).words_of("its") }
    }

    /// Those of some campaigns that run, by the newest change or by a later reading.
    pub(crate) fn running(
        &self,
        campaigns: &BTreeSet<String>,
        kept: &HashMap<String, SeenCampaign>,
        now: Timestamp,
    ) -> Running {
        let mut running = Running::default();
        for campaign in campaigns {
            let seen = kept.get(campaign);
            match (self.found_after(campaign, seen, now), seen) {
                (Some((values, _)), _) => running.add_found(values, now),
                (None, Some(seen)) => running.add(&seen.campaign, now),
                (None, None) => running.add_unread(),
            }
        }
        running
    }

    /// Whether a campaign has its former values.
    pub(crate) fn is_reverted(&self, campaign: &str) -> bool {
        self.reverted.contains_key(campaign) && !self.is_reverting(campaign)
    }

    /// Whether the revert of a campaign is not confirmed yet.
    pub(crate) fn is_reverting(&self, campaign: &str) -> bool {
        self.reverting.contains(campaign)
    }

    /// What the newest change of a campaign has found, and when; `None` if it was read later.
    pub(crate) fn found_after(
        &self,
        campaign: &str,
        seen: Option<&SeenCampaign>,
        now: Timestamp,
    ) -> Option<(&'a CampaignValues, Timestamp)> {
        let change = self.newest.get(campaign)?;
        let found = (change.after.as_ref()?, applied_at(change, now)?);
        seen.is_none_or(|seen| seen.at < found.1).then_some(found)
    }

    /// Who has paused a campaign since: `you`.
    pub(crate) fn paused_by(&self, campaign: &str, me: &PersonId) -> Option<String> {
        self.paused.get(campaign).map(|change| requester_for(&change.requested_by, Some(me)))
    }

    /// How far a revert is: `Being reverted: 12 of 19 seen.`, and then `19 campaigns reverted by you at 09:13 UTC.` `None` without
    /// one.
    pub(crate) fn words(&self, me: &PersonId, now: Timestamp) -> Option<String> {
        match self.reverting.len() {
            0 => self.reverted_words(me, now),
            waits => Some(format!("Being reverted: {} of {} seen.", self.seen.len(), self.seen.len() + waits)),
        }
    }

    fn reverted_words(&self, me: &PersonId, now: Timestamp) -> Option<String> {
        let at = self.reverted.values().filter_map(|change| applied_at(change, now)).max()?;
        let mut names: Vec<String> = Vec::new();
        for by in self.reverted.values() {
            let name = requester_for(&by.requested_by, Some(me));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let (campaigns, by) = (campaign_count(self.reverted.len()), listed(&names));
        Some(format!("{campaigns} reverted by {by} {}.", when(at, now)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::{at, now, person, update, values};
    use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeId, Requester};
    use uuid::Uuid;

    pub(crate) fn key() -> KeyId {
        KeyId("key_1".to_owned())
    }

    /// A change of the daily budget of a campaign.
    pub(crate) fn budget(time: &str, number: u32, by: Requester, [before, after]: [u32; 2]) -> Change {
        let of = |amount: u32| CampaignValues {
            status: CampaignStatus::Active,
            budget_amount: Some(amount.into()),
            ..values("A")
        };
        let asked = CampaignChanges { budget_amount: Some(after.into()), ..CampaignChanges::default() };
        let only_if = CampaignChanges { budget_amount: Some(before.into()), ..CampaignChanges::default() };
        let is_person = matches!(by, Requester::Person { .. });
        Change {
            id: ChangeId::new(at(time), Uuid::from_u128(number.into()), 0),
            campaign: CampaignId::parse(&format!("alpha_1_{number}")),
            state: ChangeState::Applied,
            settled_at: Some(at(time)),
            before: Some(of(before)),
            after: Some(of(after)),
            only_if: is_person.then_some(only_if),
            requested_by: by,
            ..update(asked)
        }
    }

    fn told(changes: &[Change]) -> Vec<String> {
        let kept = (1..=2).map(|number| {
            let id = format!("alpha_1_{number}");
            (id.clone(), SeenCampaign { campaign: campaign(&id, CampaignStatus::Active), at: now(), is_silent: false })
        });
        let after = Aftermath::of(&key(), changes, now());
        let words = [after.words(&PersonId("p".to_owned()), now()), after.runs(&kept.collect(), now())];
        words.into_iter().flatten().map(|line| line.replace(crate::kit::text::TODAY, "")).collect()
    }

    #[test]
    fn what_was_reverted_says_when_by_whom_and_what_goes_on() {
        let bot = || Requester::ApiKey { id: key(), name: "Wild".to_owned() };
        let raised = |number| budget("2026-12-01T08:00:00Z", number, bot(), [10, 200]);
        let back = |number| budget("2026-12-01T08:12:00Z", number, person(None), [200, 10]);
        let runs = "2 of its campaigns run now, with budgets of 20.00 USD a day.";
        assert_eq!(told(&[raised(1), raised(2)]), [runs], "nothing is reverted");
        let all = told(&[back(2), back(1), raised(1), raised(2)]);
        assert_eq!(all, ["2 campaigns reverted by you at 1 Dec 2026, 08:12 UTC.", runs]);
        let open = Change { state: ChangeState::Scheduled, after: None, settled_at: None, ..back(2) };
        let part = told(&[open, back(1), raised(1), raised(2)]);
        assert_eq!(part, ["Being reverted: 1 of 2 seen.", runs]);
        assert!(told(&[]).is_empty(), "it did nothing");
        let seen = |at| {
            let campaign = campaign("alpha_1_1", CampaignStatus::Active);
            HashMap::from([("alpha_1_1".to_owned(), SeenCampaign { campaign, at, is_silent: false })])
        };
        let changes = [raised(1)];
        let runs = |at| Aftermath::of(&key(), &changes, now()).runs(&seen(at), now()).unwrap();
        assert!(runs(at("2026-12-01T07:59:00Z")).contains("200.00 USD a day"), "the change is newer than the reading");
        assert!(runs(at("2026-12-01T08:01:00Z")).contains("10.00 USD a day"), "the reading is newer");
    }
}
