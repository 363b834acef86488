//! The state after a key was stopped or its changes were reverted: who reverted what and when, and which campaigns run.

use crate::kit::campaign::{CampaignSummary, campaign_count};
use crate::kit::changes::requester_for;
use crate::kit::left::{Doer, applied, applied_at, is_undo, left};
use crate::kit::running::Running;
use crate::kit::text::{listed, when};
use jiff::Timestamp;
use shared::domain::{Change, ChangeState, KeyId, PersonId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The campaigns that a key has changed, and which of them are reverted.
#[derive(Debug, Default)]
pub(crate) struct Aftermath<'a> {
    /// The campaigns that it has changed, and those of its stop.
    campaigns: BTreeSet<String>,
    /// Those with their former values, each with the change that reverted it.
    reverted: BTreeMap<String, &'a Change>,
    /// Those whose revert is not confirmed yet.
    reverting: BTreeSet<String>,
}

impl<'a> Aftermath<'a> {
    /// Reads it from these changes.
    pub(crate) fn of(key: &KeyId, changes: &'a [Change], now: Timestamp) -> Aftermath<'a> {
        let own = Doer::Key(key);
        let id = |change: &Change| change.campaign.as_ref().map(ToString::to_string);
        let is_own = |change: &&Change| Doer::answering_for(change) == own;
        let mut found =
            Aftermath { campaigns: changes.iter().filter(is_own).filter_map(id).collect(), ..Aftermath::default() };
        for one in left(&applied(changes, now), |_| true).into_iter().flat_map(|left| left.ended) {
            let by = one.by.filter(|by| Doer::answering_for(by) != own);
            if let (true, Some(by), Some(campaign)) = (Doer::answering_for(one.of) == own, by, id(one.of)) {
                found.reverted.insert(campaign, by);
            }
        }
        let is_open = |change: &&Change| matches!(change.state, ChangeState::Scheduled | ChangeState::Sending);
        let undoes = |change: &&Change| is_undo(change) && is_open(change) && Doer::answering_for(change) != own;
        let reverting = changes.iter().filter(undoes).filter_map(id);
        found.reverting = reverting.filter(|campaign| found.campaigns.contains(campaign)).collect();
        found
    }

    /// The sentences of a page: `19 campaigns reverted by you at 09:13 UTC.`, then which campaigns run with which budgets. `kept`
    /// has the campaigns as they were read last.
    pub(crate) fn words(&self, kept: &HashMap<String, CampaignSummary>, me: &PersonId, now: Timestamp) -> Vec<String> {
        let mut running = Running::default();
        for campaign in &self.campaigns {
            match kept.get(campaign) {
                Some(known) => running.add(known, now),
                None => running.add_unread(),
            }
        }
        let runs = if self.campaigns.is_empty() { None } else { running.words_of("its") };
        [self.reverted_words(me, now), self.reverting_words(), runs].into_iter().flatten().collect()
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

    fn reverting_words(&self) -> Option<String> {
        let verb = if self.reverting.len() == 1 { "is" } else { "are" };
        (!self.reverting.is_empty()).then(|| format!("{} {verb} being reverted.", campaign_count(self.reverting.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::{at, now, person, update, values};
    use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeId, Requester};
    use uuid::Uuid;

    fn key() -> KeyId {
        KeyId("key_1".to_owned())
    }

    /// A change of the daily budget of a campaign.
    fn budget(time: &str, number: u32, by: Requester, [before, after]: [u32; 2]) -> Change {
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
            (id.clone(), campaign(&id, CampaignStatus::Active))
        });
        let words = Aftermath::of(&key(), changes, now()).words(&kept.collect(), &PersonId("p".to_owned()), now());
        words.into_iter().map(|line| line.replace(crate::kit::text::TODAY, "")).collect()
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
        assert_eq!(
            part,
            ["1 campaign reverted by you at 1 Dec 2026, 08:12 UTC.", "1 campaign is being reverted.", runs]
        );
        assert!(told(&[]).is_empty(), "it did nothing");
    }
}
