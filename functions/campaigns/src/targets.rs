//! The targets of `createCampaign`: one, or the same campaign in several ad accounts (D8 in docs/decisions.md).

use crate::chosen_connection::{choose, not_connected};
use crate::resume::create_sender;
use jiff::Timestamp;
use shared::changes::{held_dates, monthly_draft, require_unlimited};
use shared::domain::spending::NewBudget;
use shared::domain::{
    AdAccount, Attempt, Campaign, CampaignDefaults, CampaignDraft, ChangeId, ChangeOrigin, ChangeTarget, Connection,
    Create, Currency, DefaultsSource, Executor, MonthlyBudget, NewCampaign, Plan, Reason, Requester,
};
use shared::envelope::{CreateRequest, Target};
use shared::error::{Error, FieldError, Kind};
use shared::platforms::{CreateInput, PreparedCreate};
use shared::serve::Call;

/// A validated create for one target.
pub(crate) struct TargetCreate<'a> {
    pub(crate) connection: &'a Connection,
    account: &'a AdAccount,
    draft: CampaignDraft,
    /// Start and end, if the service holds them.
    held: (Option<Timestamp>, Option<Timestamp>),
    /// The monthly budget that the service holds; the draft has the daily budget of today.
    monthly: Option<MonthlyBudget>,
    /// The values that the caller cannot say, which the draft has too, and who has set them.
    pub(crate) defaults: Option<(CampaignDefaults, DefaultsSource)>,
    pub(crate) prepared: PreparedCreate,
}

impl<'a> TargetCreate<'a> {
    /// Chooses the connection, and checks and translates the request for its ad account and platform.
    pub(crate) fn new(
        call: &'a Call,
        request: &CreateRequest,
        target: &Target,
        number: usize,
    ) -> Result<TargetCreate<'a>, Error> {
        let connection = choose(&call.connected.connections, target)?;
        let Some(account) = &connection.account else { return Err(not_connected(target)) };
        let (adapter, context) = call.platform_context().call_context(connection.platform)?;
        let draft = request.draft_for(target, account)?;
        let (draft, monthly) = monthly_draft(adapter, account, draft, call.request.now)?;
        if monthly.is_some() {
            require_unlimited(call.spending.as_ref(), account.currency)?;
        }
        let held = held_dates(adapter.facts().capabilities, account, &draft, call.request.now)?;
        let marker = &change_id(call, number).marker();
        let defaults = context.config.settings.defaults_of(connection);
        let draft = CampaignDraft { defaults: defaults.as_ref().map(|(values, _)| values.clone()), ..draft };
        let now = context.now;
        let prepared = adapter.prepare_create(&CreateInput { account, draft: &draft, marker, now })?;
        Ok(TargetCreate { connection, account, draft, held, monthly, defaults, prepared })
    }

    /// The record that is stored before the create is sent.
    pub(crate) fn create(
        &self,
        call: &Call,
        number: usize,
        requested_by: Requester,
        (key_digest, until): (Option<String>, Timestamp),
    ) -> Create {
        let (held_start_at, held_end_at) = self.held;
        let target = ChangeTarget::in_account(call.customer.id, self.connection, self.account.currency, None);
        let origin = ChangeOrigin { request: call.request.request_id, requested_by, executed_by: Executor::Request };
        let (draft, monthly) = (self.draft.clone(), self.monthly);
        let action = NewCampaign { draft, held_start_at, held_end_at, monthly, key_digest };
        Create::sent(
            change_id(call, number),
            target,
            origin,
            action,
            Attempt { number: 1, at: call.request.now, until },
        )
    }

    /// What the create would count against a spending limit.
    pub(crate) fn budget(&self) -> NewBudget<'_> {
        let amount = self.draft.budget_amount;
        NewBudget { connection: &self.connection.id, currency: self.account.currency, amount }
    }

    pub(crate) async fn send(&self, call: &Call, create: &Create) -> Result<Campaign, Error> {
        create_sender(call).send(self.connection, create, &self.prepared).await
    }
}

fn change_id(call: &Call, number: usize) -> ChangeId {
    ChangeId::new(call.request.now, call.request.request_id, number)
}

/// Validates all targets with `prepare`, which gets each target's index. Field errors of all targets are reported
/// together, and take precedence over a missing connection.
pub(crate) fn prepare_targets<T>(
    targets: &[Target],
    prepare: impl Fn(&Target, usize) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut prepared = Vec::new();
    let mut field_errors: Vec<FieldError> = Vec::new();
    let mut first_refusal = None;
    for (index, target) in targets.iter().enumerate() {
        match prepare(target, index) {
            Ok(create) => prepared.push(create),
            Err(error) if error.kind == Kind::Validation => {
                let with_target =
                    |error: FieldError| FieldError { field: format!("targets[{index}]: {}", error.field), ..error };
                field_errors.extend(error.details.into_iter().map(with_target));
            }
            Err(error) => first_refusal = first_refusal.or(Some(error)),
        }
    }
    if !field_errors.is_empty() {
        return Err(Error::fields(field_errors));
    }
    first_refusal.map_or(Ok(prepared), Err)
}

/// Checks what the targets have in common: the plan includes them (D33 in docs/decisions.md), and no amount is meant for
/// ad accounts of several currencies, because nothing is converted: 6000 USD is no 6000 JPY.
pub(crate) fn check_targets(call: &Call, targets: &[Target]) -> Result<(), Error> {
    require_targets(call.customer.plan)?;
    let without_own = targets.iter().enumerate().filter(|(_, target)| target.budget_amount.is_none());
    let accounts: Vec<(usize, &AdAccount)> = without_own
        .filter_map(|(index, target)| {
            Some((index, choose(&call.connected.connections, target).ok()?.account.as_ref()?))
        })
        .collect();
    let mut currencies: Vec<Currency> = accounts.iter().map(|(_, account)| account.currency).collect();
    currencies.dedup();
    if currencies.len() < 2 {
        return Ok(());
    }
    let named: Vec<String> = accounts
        .iter()
        .map(|(index, account)| format!("targets[{index}] ({}) {}", account.id, account.currency.code()))
        .collect();
    let message = format!(
        "is one amount for ad accounts of several currencies, and nothing is converted: {}. Send a budget_amount in each \
         of these targets",
        named.join(", ")
    );
    Err(Error::field("budget_amount", message))
}

/// Checks that a plan includes `targets`.
pub(crate) fn require_targets(plan: Plan) -> Result<(), Error> {
    if plan.limits().has_targets {
        return Ok(());
    }
    let message = format!(
        "Plan {} does not include targets: change to plan {}, or send one create for each ad account.",
        plan.as_str(),
        Plan::smallest_with(|limits| limits.has_targets).as_str()
    );
    Err(Error::new(Kind::Forbidden, message).because(Reason::PlanLimit))
}
