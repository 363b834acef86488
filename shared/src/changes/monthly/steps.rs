//! The changes that adjust a daily budget: each is a scheduled change that is due at once, and the activation at the month's end.

use crate::changes::failure::change_error;
use crate::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignId, CampaignStatus, CampaignValues, Change, ChangeId, ChangeState,
    ChangeTarget, Connection, Currency, CustomerId, MonthlyBudget, PlatformCampaign, Purpose, Reason,
};
use crate::error::{Error, Kind};
use jiff::Timestamp;
use rust_decimal::Decimal;
use uuid::Uuid;

/// The campaign whose steps are stored.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) customer: CustomerId,
    pub(super) campaign: &'a CampaignId,
    pub(super) connection: &'a Connection,
    pub(super) currency: Currency,
    pub(super) monthly: &'a MonthlyBudget,
    pub(super) now: Timestamp,
}

impl Target<'_> {
    /// Sets a daily budget.
    pub(super) fn set(self, daily: Decimal) -> Change {
        self.waiting(CampaignChanges { budget_amount: Some(daily), ..CampaignChanges::default() }, self.now)
    }

    /// Pauses the campaign.
    pub(super) fn pause(self) -> Change {
        self.waiting(CampaignChanges::of_status(CampaignStatus::Paused), self.now)
    }

    /// Activates the campaign with a daily budget.
    pub(super) fn activate(self, daily: Decimal, at: Timestamp) -> Change {
        let status = Some(CampaignStatus::Active);
        self.waiting(CampaignChanges { status, budget_amount: Some(daily), ..CampaignChanges::default() }, at)
    }

    fn waiting(self, changes: CampaignChanges, at: Timestamp) -> Change {
        let Target { customer, campaign, connection, currency, monthly, now } = self;
        let id = ChangeId::new(now, Uuid::new_v4(), 0);
        let target = ChangeTarget::in_account(customer, connection, currency, Some(campaign.clone()));
        // A change that is due at once has no event `scheduled`.
        let at = if at > now { at } else { id.created_at() };
        Change::scheduled(id, target, monthly.origin(), Purpose::Step, Action::Update(changes), at)
    }

    /// The change that records why the monthly budget ends: somebody has changed the budget at the platform.
    pub(super) fn ended_by(self, campaign: &PlatformCampaign) -> Change {
        let name = self.connection.platform.display_name();
        let message = format!(
            "The budget of the campaign was changed on {name}, so this service does not hold a monthly one any more. The \
             campaign keeps the budget that it has there. PATCH it with budget_period MONTHLY and budget_amount to begin \
             again."
        );
        let reason = change_error(&Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile));
        let (amount, period) = (Some(self.monthly.amount), Some(BudgetPeriod::Monthly));
        let changes = CampaignChanges { budget_amount: amount, budget_period: period, ..CampaignChanges::default() };
        Change {
            state: ChangeState::Canceled(Some(reason)),
            after: Some(CampaignValues::of(campaign)),
            settled_at: Some(self.now),
            ..self.waiting(changes, self.now)
        }
    }
}
