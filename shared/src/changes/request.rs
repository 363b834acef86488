//! A request to change one campaign: of a caller, of a preview, or of maintenance when a stored change is due.

use crate::domain::spending::Spender;
use crate::domain::{
    Action, AdAccount, Attempt, Campaign, CampaignChanges, CampaignId, Change, ChangeId, ChangeOrigin, ChangeTarget,
    Connection, CustomerId, Purpose,
};
use crate::error::Error;
use crate::platforms::errors::token_expired;
use crate::platforms::{AdPlatform, adapter};
use crate::store::{SpendingState, Store};
use jiff::Timestamp;

/// Numbers of the changes that a request may make. The id of a change follows from the request and the number, so a
/// retry under an `Idempotency-Key` finds it.
pub mod number {
    use std::ops::Range;

    /// The update or the removal itself.
    pub const EDIT: usize = 0;
    /// The pause at an end that the service holds.
    pub const PAUSE: usize = 1;
    /// The activation at a start that the service holds.
    pub const ACTIVATION: usize = 2;
    /// The change of a monthly budget.
    pub const MONTHLY_BUDGET: usize = 3;
    /// The activation at the month's end, in the name of whoever takes the monthly budget over.
    pub const RESUMPTION: usize = 4;
    /// The rest of a partly applied edit, and the rest of that one. An edit has six fields, so five follow at most.
    pub const REMAINDERS: Range<usize> = 5..10;
    /// Another pause, after an activation that is under way.
    pub const SECOND_PAUSE: usize = REMAINDERS.end;
    /// All numbers.
    pub const ALL: Range<usize> = EDIT..SECOND_PAUSE + 1;
}

/// Refuses to change a campaign that has changed since the caller read it.
pub type Condition<'a> = dyn Fn(&Campaign) -> Result<(), Error> + Sync + 'a;

/// A requested change of one campaign.
pub struct ChangeRequest<'a> {
    pub customer: CustomerId,
    pub connection: &'a Connection,
    pub account: &'a AdAccount,
    pub campaign: CampaignId,
    /// The campaign's id on its platform.
    pub remote_id: String,
    pub action: Action,
    /// The requested time; `None` for now.
    pub apply_at: Option<Timestamp>,
    /// The stored change that this is an attempt at; `None` for a new request.
    pub pending: Option<Change>,
    pub origin: ChangeOrigin,
    /// The time of the first request with the same `Idempotency-Key`.
    pub first_at: Timestamp,
    /// The number of the change itself.
    pub number: usize,
    pub attempt: Attempt,
    /// Whether a budget amount without a period means the present daily budget, as the flat shape shows it.
    pub is_flat: bool,
    pub condition: Option<&'a Condition<'a>>,
    /// The values that the campaign must still have. They are stored with the change.
    pub only_if: Option<CampaignChanges>,
}

impl<'a> ChangeRequest<'a> {
    /// The ad account of a connection whose consent is finished.
    pub fn account_of(connection: &Connection) -> Result<&AdAccount, Error> {
        connection.account.as_ref().ok_or_else(|| token_expired(connection.platform))
    }

    pub(super) fn now(&self) -> Timestamp {
        self.attempt.at
    }

    pub(super) fn adapter(&self) -> &'static dyn AdPlatform {
        adapter(self.connection.platform)
    }

    /// What the change counts against, and the turn, as they are now.
    pub(super) async fn spending_again(&self, store: &Store, known: &SpendingState) -> Result<SpendingState, Error> {
        let spenders: Vec<Spender> = known.spendings.iter().map(|spending| spending.spender.clone()).collect();
        let state = store.spending_state(self.customer, &spenders, Some(&self.campaign)).await?;
        if state.spendings.as_slice().len() == spenders.len() {
            Ok(state)
        } else {
            Err(Error::internal("a spending is gone"))
        }
    }

    /// An attempt at a stored change.
    pub(super) fn again(
        pending: Change,
        connection: &'a Connection,
        attempt: Attempt,
    ) -> Result<ChangeRequest<'a>, Error> {
        let campaign = pending.campaign.clone().ok_or_else(|| Error::internal("an edit has no campaign"))?;
        Ok(ChangeRequest {
            customer: pending.customer,
            connection,
            account: ChangeRequest::account_of(connection)?,
            remote_id: campaign.remote_in(&pending.account_id).unwrap_or_default().to_owned(),
            campaign,
            action: pending.action.clone(),
            apply_at: None,
            origin: pending.origin(),
            first_at: pending.created_at(),
            number: number::EDIT,
            attempt,
            is_flat: false,
            condition: None,
            only_if: pending.only_if.clone(),
            pending: Some(pending),
        })
    }

    /// The id of the change itself.
    pub(super) fn change_id(&self) -> ChangeId {
        self.pending.as_ref().map_or_else(|| self.id(self.number), |pending| pending.id)
    }

    /// The id of a change that the request makes. All attempts under one `Idempotency-Key` have the same.
    pub(super) fn id(&self, number: usize) -> ChangeId {
        ChangeId::new(self.first_at, self.origin.request, number)
    }

    fn target(&self) -> ChangeTarget {
        let campaign = Some(self.campaign.clone());
        ChangeTarget::in_account(self.customer, self.connection, self.account.currency, campaign)
    }

    /// The change that is sent now: a new one, or the next attempt at the stored one.
    pub(super) fn immediate(&self, action: Action, number: usize) -> Change {
        if let Some(pending) = &self.pending {
            return pending.sending(self.attempt);
        }
        let sent = Change::immediate(self.id(number), self.target(), self.origin.clone(), action, self.attempt);
        Change { only_if: self.only_if.clone(), ..sent }
    }

    /// A change for a later time.
    pub(super) fn scheduled(&self, action: Action, number: usize, at: Timestamp) -> Change {
        self.waiting(Purpose::Time, action, number, at)
    }

    /// A change for a date that the service holds.
    pub(super) fn for_held_date(&self, action: Action, number: usize, at: Timestamp) -> Change {
        self.waiting(Purpose::HeldDate, action, number, at)
    }

    fn waiting(&self, purpose: Purpose, action: Action, number: usize, at: Timestamp) -> Change {
        Change::scheduled(self.id(number), self.target(), self.origin.clone(), purpose, action, at)
    }

    /// A change that a person has to approve.
    pub(super) fn for_approval(&self, action: Action, number: usize) -> Change {
        let asked = Change::for_approval(self.id(number), self.target(), self.origin.clone(), action, self.now());
        // The attempt after the approval needs a number that no attempt has had.
        Change { attempt: self.attempt.number - 1, only_if: self.only_if.clone(), ..asked }
    }
}
