//! `setStatuses` and `setBudgets`: change many campaigns. `undoChange` of such a change, or of a set
//! of changes, makes another one.

use shared::changes::{Bulk, BulkOutcome, attempt_until};
use shared::domain::{
    BulkAccount, BulkAction, BulkId, CampaignId, Change, Connection, ConnectionStatus, NewBudget, Platform, Reference,
    StoredResponse,
};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{
    BudgetChanges, BudgetsRequest, BulkReport, BulkRequest, BulkTargets, Reply, Shape, read_budgets, read_bulk,
};
use shared::error::Error;
use shared::serve::{Call, ClaimOutcome};
use tokio::time::Duration;

/// Time reserved for the response: the request stops applying changes so long before its deadline. Maintenance applies the
/// rest.
const RESPONSE_TIME: Duration = Duration::from_secs(3);

/// Stores a change for each campaign that can take the status, and applies as many as there is time for.
pub(crate) async fn set_statuses(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let read = call.request.json_body().and_then(|body| read_bulk(call.request.shape, body));
    match read {
        Ok(BulkRequest { status, targets, reference }) => {
            change_targets(call, BulkAction::Status(status), targets, reference).await
        }
        Err(refusal) => call.replay_earlier_or_refuse(refusal).await,
    }
}

/// Stores a change for each campaign whose budget changes, and applies as many as there is time for.
pub(crate) async fn set_budgets(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let read = call.request.json_body().and_then(|body| read_budgets(call.request.shape, body));
    let BudgetsRequest { changes, reference } = match read {
        Ok(request) => request,
        Err(refusal) => return call.replay_earlier_or_refuse(refusal).await,
    };
    match changes {
        BudgetChanges::Percent(percent, targets) => {
            require_key(call)?;
            change_targets(call, BulkAction::Percent(percent), targets, reference).await
        }
        BudgetChanges::Amounts(budgets) => set_amounts(call, &budgets, reference).await,
    }
}

/// Refuses a percentage without an `Idempotency-Key`: a request that is sent again would change the budgets again.
fn require_key(call: &Call) -> Result<(), Error> {
    if call.request.is_keyed() {
        return Ok(());
    }
    let message = "is required with percent: a request that is sent again without it changes the budgets again";
    Err(Error::field("Idempotency-Key", message))
}

async fn change_targets(
    call: &Call,
    action: BulkAction,
    targets: BulkTargets,
    reference: Option<Reference>,
) -> Result<Reply, Error> {
    let bulk = match claim_bulk(call, action, &[], reference).await? {
        BulkClaim::Bulk(bulk) => bulk,
        BulkClaim::Replayed(stored) => return Ok(Reply::Replayed(stored)),
    };
    let context = call.platform_context();
    let outcomes = match targets {
        BulkTargets::Accounts { platform, connection } => {
            let chosen = chosen_connections(call, platform, connection.as_deref())?;
            bulk.change_accounts(context, &chosen, call.request.ends_at()?).await?
        }
        BulkTargets::Campaigns(ids) => {
            let ids = ids.iter().map(|id| CampaignId::parse(id).ok_or_else(|| Error::not_found("campaign")));
            bulk.change_campaigns(context, "ids", &ids.collect::<Result<Vec<_>, Error>>()?).await?
        }
    };
    Ok(apply(call, &bulk, outcomes).await)
}

async fn set_amounts(call: &Call, budgets: &[NewBudget], reference: Option<Reference>) -> Result<Reply, Error> {
    let bulk = match claim_bulk(call, BulkAction::Budgets, budgets, reference).await? {
        BulkClaim::Bulk(bulk) => bulk,
        BulkClaim::Replayed(stored) => return Ok(Reply::Replayed(stored)),
    };
    let ids: Vec<CampaignId> = budgets.iter().map(|budget| budget.campaign.clone()).collect();
    let outcomes = bulk.change_campaigns(call.platform_context(), "budgets", &ids).await?;
    Ok(apply(call, &bulk, outcomes).await)
}

/// Undoes a bulk change in these ad accounts.
pub(crate) async fn undo(
    call: &Call,
    of: BulkId,
    accounts: &[BulkAccount],
    reference: Option<Reference>,
) -> Result<Reply, Error> {
    let bulk = match claim_bulk(call, BulkAction::Undo(of), &[], reference).await? {
        BulkClaim::Bulk(bulk) => bulk,
        BulkClaim::Replayed(stored) => return Ok(Reply::Replayed(stored)),
    };
    let outcomes = bulk.undo_accounts(call.platform_context(), accounts, call.request.ends_at()?).await?;
    Ok(apply(call, &bulk, outcomes).await)
}

/// Undoes a set of changes.
pub(crate) async fn undo_set(call: &Call, changes: &[Change], reference: Option<Reference>) -> Result<Reply, Error> {
    let bulk = match claim_bulk(call, BulkAction::UndoSet, &[], reference).await? {
        BulkClaim::Bulk(bulk) => bulk,
        BulkClaim::Replayed(stored) => return Ok(Reply::Replayed(stored)),
    };
    let outcomes = bulk.undo_changes(call.platform_context(), changes, call.request.ends_at()?).await?;
    Ok(apply(call, &bulk, outcomes).await)
}

/// A bulk change that this request begins or continues, or the stored response to an earlier request.
enum BulkClaim<'a> {
    Bulk(Bulk<'a>),
    Replayed(StoredResponse),
}

/// Claims the `Idempotency-Key`. The ids of the changes follow from the first request with it, and its time.
async fn claim_bulk<'a>(
    call: &Call,
    action: BulkAction,
    budgets: &'a [NewBudget],
    reference: Option<Reference>,
) -> Result<BulkClaim<'a>, Error> {
    call.note_reference(reference.as_ref());
    let is_continued = match call.claim().await? {
        ClaimOutcome::Replayed(stored) => return Ok(BulkClaim::Replayed(stored)),
        ClaimOutcome::New => false,
        ClaimOutcome::Resumed { .. } => true,
    };
    let (first, begun_at) = call.first_request();
    let (id, origin, is_flat) = (BulkId(first), call.origin(reference)?, call.request.shape == Shape::Flat);
    Ok(BulkClaim::Bulk(Bulk { id, action, budgets, is_flat, origin, begun_at, is_continued }))
}

/// Applies as many of the changes as there is time for.
async fn apply(call: &Call, bulk: &Bulk<'_>, outcomes: Vec<BulkOutcome>) -> Reply {
    let report = report(bulk, &outcomes);
    let until = call.request.deadline.checked_sub(RESPONSE_TIME).unwrap_or(call.request.deadline);
    let changes = outcomes.into_iter().flat_map(|outcome| outcome.changes).collect();
    attempt_until(&call.request.app, changes, until).await;
    Reply::Bulk(report)
}

/// The connections of a platform, or the one with an id. One that is not finished has no ad account.
fn chosen_connections<'a>(
    call: &'a Call,
    platform: Option<Platform>,
    connection: Option<&str>,
) -> Result<Vec<&'a Connection>, Error> {
    let is_chosen = |one: &&Connection| {
        one.status != ConnectionStatus::Pending
            && platform.is_none_or(|platform| one.platform == platform)
            && connection.is_none_or(|id| one.id.0 == id)
    };
    let chosen: Vec<&Connection> = call.connected.connections.iter().filter(is_chosen).collect();
    if connection.is_some() && chosen.is_empty() { Err(Error::not_found("connection")) } else { Ok(chosen) }
}

fn report(bulk: &Bulk<'_>, outcomes: &[BulkOutcome]) -> BulkReport {
    let failure = |outcome: &BulkOutcome| {
        let error = outcome.error.as_ref()?;
        let reported = Error { retryable: error.retryable, ..Error::new(error.kind, error.message.clone()) };
        Some((outcome.account.platform, outcome.account.connection.clone(), reported))
    };
    BulkReport {
        bulk: bulk.id,
        reference: bulk.origin.reference.clone(),
        changes: outcomes.iter().flat_map(|outcome| outcome.account.changes.clone()).collect(),
        unchanged: outcomes.iter().flat_map(|outcome| outcome.unchanged.clone()).collect(),
        refused: outcomes.iter().flat_map(|outcome| outcome.refused.clone()).collect(),
        canceled: outcomes.iter().flat_map(|outcome| outcome.canceled.clone()).collect(),
        failures: outcomes.iter().filter_map(failure).collect(),
    }
}
