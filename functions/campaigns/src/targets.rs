//! The targets of `createCampaign`: one, or the same campaign in several ad accounts (D8).

use crate::chosen_connection::{choose, not_connected};
use shared::changes::{CampaignRequest, CreatePlan, plan_create};
use shared::domain::spending::Spendings;
use shared::domain::{AdAccount, Attempt, ChangeOrigin, Currency, Plan, PlanStatement, Reason};
use shared::envelope::{CreateRequest, Target, Targets};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Plans the create of each target. An error refuses all of them.
pub(crate) fn plan_targets<'a>(
    call: &'a Call,
    request: &CreateRequest,
    spendings: &Spendings,
) -> Result<Vec<Result<CreatePlan<'a>, Error>>, Error> {
    if let Targets::Many(several) = &request.targets {
        check_targets(call, several)?;
    }
    let attempt = Attempt { number: 1, at: call.request.now, until: call.request.ends_at()? };
    let origin = call.origin(None)?;
    let plan = |(number, target): (usize, &Target)| {
        let connection = choose(&call.connected.connections, target)?;
        let Some(account) = &connection.account else { return Err(not_connected(target)) };
        let (_, context) = call.platform_context().call_context(connection.platform)?;
        let campaign = CampaignRequest {
            customer: call.customer.id,
            connection,
            account,
            draft: request.draft_for(target, account)?,
            defaults: context.config.settings.defaults_of(connection),
            origin: ChangeOrigin { reference: request.reference_of(target), ..origin.clone() },
            number,
            attempt,
        };
        plan_create(campaign, spendings)
    };
    Ok(request.targets.as_slice().iter().enumerate().map(plan).collect())
}

/// What the creates count against: the limit of the key, and those of the users of the targets' connections.
pub(crate) async fn spendings(call: &Call, request: &CreateRequest) -> Result<Spendings, Error> {
    let connections = &call.connected.connections;
    call.spendings_in(request.targets.as_slice().iter().filter_map(|target| choose(connections, target).ok())).await
}

/// Checks what the targets have in common: the plan includes them (D33), and no amount is meant for ad accounts of
/// several currencies, because nothing is converted: 6000 USD is no 6000 JPY.
fn check_targets(call: &Call, targets: &[Target]) -> Result<(), Error> {
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
    let larger = Plan::smallest_with(|limits| limits.has_targets);
    Err(Error::new(Kind::Forbidden, PlanStatement::Targets { plan, larger }).because(Reason::PlanLimit))
}
