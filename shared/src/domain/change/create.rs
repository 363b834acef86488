//! Creates: changes that make a campaign.

use super::{Action, Approval, Attempt, Change, ChangeId, ChangeOrigin, ChangeTarget, Executor, Marker};
use super::{NewCampaign, NewMonthlyBudget, Purpose};
use crate::domain::monthly::{Ledger, MonthlyBudget};
use crate::domain::spending::NewBudget;
use crate::domain::{CampaignChanges, CampaignDraft, CampaignId, CampaignStatus, HeldDates};
use jiff::Timestamp;
use rust_decimal::Decimal;
use std::ops::Deref;

/// A change that creates a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Create {
    change: Change,
    new: NewCampaign,
}

impl Deref for Create {
    type Target = Change;

    fn deref(&self) -> &Change {
        &self.change
    }
}

impl From<Create> for Change {
    fn from(create: Create) -> Change {
        create.change
    }
}

impl Create {
    /// A create that is sent at once.
    pub fn immediate(
        id: ChangeId,
        target: ChangeTarget,
        origin: ChangeOrigin,
        new: NewCampaign,
        attempt: Attempt,
    ) -> Create {
        let change = Change::immediate(id, target, origin, Action::Create(new.clone()), attempt);
        Create { change, new }
    }

    /// A create that a person has to approve.
    pub fn for_approval(
        id: ChangeId,
        target: ChangeTarget,
        origin: ChangeOrigin,
        new: NewCampaign,
        now: Timestamp,
    ) -> Create {
        let change = Change::for_approval(id, target, origin, Action::Create(new.clone()), now);
        Create { change, new }
    }

    /// A change as a create, if it is one.
    pub fn of(change: Change) -> Option<Create> {
        let Action::Create(new) = &change.action else { return None };
        Some(Create { new: new.clone(), change })
    }

    /// The same create in its next attempt.
    #[must_use]
    pub fn sending(&self, attempt: Attempt) -> Create {
        Create { change: self.change.sending(attempt), new: self.new.clone() }
    }

    /// The same create once a person has approved it.
    #[must_use]
    pub fn approved_by(&self, approval: Approval) -> Create {
        let change = Change { approval: Some(approval), executed_by: Executor::Approval, ..self.change.clone() };
        Create { change, new: self.new.clone() }
    }

    /// The fields that only a create has.
    pub fn new_campaign(&self) -> &NewCampaign {
        &self.new
    }

    /// The draft of the campaign.
    pub fn draft(&self) -> &CampaignDraft {
        &self.new.draft
    }

    /// The marker of the campaign.
    pub fn marker(&self) -> Marker {
        self.id.marker_since(self.began_at())
    }

    /// The budget of the campaign, for the limit of the key.
    pub fn budget(&self) -> NewBudget<'_> {
        NewBudget { connection: &self.connection, currency: self.currency, amount: self.draft().budget_amount }
    }

    /// The monthly budget that the service holds for the campaign, due at once.
    pub fn monthly(&self, now: Timestamp) -> Option<MonthlyBudget> {
        let NewMonthlyBudget { amount, day } = self.new.monthly?;
        let ledger = Ledger::begin(day, Decimal::ZERO, self.draft().budget_amount);
        Some(MonthlyBudget::new(amount, self.origin(), ledger, now))
    }

    /// The dates that the service holds for the campaign.
    pub fn held_dates(&self) -> HeldDates {
        let NewCampaign { held_start_at, held_end_at, .. } = &self.new;
        HeldDates {
            start_at: *held_start_at,
            activation: None,
            end_at: *held_end_at,
            pause: held_end_at.map(|_| self.id.of_pause()),
        }
    }

    /// The change that pauses the campaign at the end that the service holds, if there is one. Every attempt to store
    /// it has the same id.
    pub fn pause_at_end(&self, campaign: &CampaignId) -> Option<Change> {
        let end_at = self.new.held_end_at?;
        let pause = Action::Update(CampaignChanges::of_status(CampaignStatus::Paused));
        let target = ChangeTarget { campaign: Some(campaign.clone()), ..self.target() };
        Some(Change::scheduled(self.id.of_pause(), target, self.origin(), Purpose::HeldDate, pause, end_at))
    }
}
