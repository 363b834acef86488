//! Dry runs: what a create or an update would send. Nothing is stored, and nothing at a platform changes.

use crate::chosen_connection::choose;
use crate::request::CampaignInPath;
use crate::targets::{plan_targets, spendings};
use futures_util::future::join_all;
use shared::changes::{ChangePreview, CreatePlan, StoredState, Verdict, preview, preview_creates};
use shared::domain::{Action, CampaignChanges, Connection, Platform};
use shared::envelope::{CreateRequest, DryRunReport, DryRunResult, DryRunVerdict, Reply, Target, Targets};
use shared::error::{Error, Kind};
use shared::platforms::DryRun;
use shared::serve::Call;

/// Refuses an `Idempotency-Key`: a dry run has nothing to replay.
pub(crate) fn reject_key(call: &Call) -> Result<(), Error> {
    if call.request.is_keyed() {
        return Err(Error::field("Idempotency-Key", "must not be sent with dry_run, which creates nothing"));
    }
    Ok(())
}

/// The dry run of a create. With `targets` each target has a result. Without, an inconclusive dry run is an error.
pub(crate) async fn create(call: &Call, request: &CreateRequest) -> Result<Reply, Error> {
    reject_key(call)?;
    let spendings = &spendings(call, request).await?;
    let plans = preview_creates(plan_targets(call, request, spendings)?, spendings, call.request.now);
    let refused = plans.iter().zip(0..).find_map(|(plan, index)| Some((plan.as_ref().err()?.kind, index)));
    let runs = plans.into_iter().zip(request.targets.as_slice()).map(|(plan, target)| run_create(call, target, plan));
    let mut results = join_all(runs).await.into_iter().map(|result| with_refused(result, refused));
    match (&request.targets, results.next()) {
        (Targets::One(_), Some(result)) => reply(result),
        (_, first) => {
            let results = first.into_iter().chain(results).collect();
            Ok(Reply::DryRun(DryRunReport { is_list: true, results }))
        }
    }
}

async fn run_create(call: &Call, target: &Target, plan: Result<CreatePlan<'_>, Error>) -> DryRunResult {
    let CreatePlan { verdict, connection, prepared, defaults, .. } = match plan {
        Ok(plan) => plan,
        Err(refusal) => {
            let connection = choose(&call.connected.connections, target).ok();
            return result(target.platform, connection, DryRunVerdict::WouldCreate, Err(refusal));
        }
    };
    let prepared = &prepared;
    let context = call.platform_context();
    let run = context
        .in_account(connection, |adapter, session| async move { adapter.dry_run_create(&session, prepared).await });
    let result = result(target.platform, Some(connection), DryRunVerdict::WouldCreate, run.await);
    DryRunResult { needs_approval: verdict == Verdict::AwaitsApproval, defaults, ..result }
}

/// One refused target refuses the whole create, so nothing would be created in the other targets.
fn with_refused(result: DryRunResult, refused: Option<(Kind, usize)>) -> DryRunResult {
    match refused {
        Some((kind, index)) if result.outcome.is_ok() => {
            let message = format!("Nothing would be created, because targets[{index}] would be refused.");
            DryRunResult { outcome: Err(Error::new(kind, message)), ..result }
        }
        _ => result,
    }
}

/// The dry run of an update: shows the requests that it would send. The platform's own dry run, if it has one, finds what
/// only the platform can refuse.
pub(crate) async fn update(
    call: &Call,
    campaign: &CampaignInPath<'_>,
    action: Action,
    stored: StoredState,
) -> Result<Reply, Error> {
    reject_key(call)?;
    let context = call.platform_context();
    let request = campaign.request(call, action, None, None)?;
    let ChangePreview { plan, current, changes_record } = preview(context, &request, stored).await?;
    let changes = &plan.updates();
    let dry_run =
        async |changes: &CampaignChanges| context.dry_run_update(campaign.connection, &current, changes).await;
    // Some values reach the platform later. It has to accept them, too.
    let accepted = match plan.checked.as_ref().filter(|checked| *checked != changes) {
        Some(checked) => dry_run(checked).await.and_then(|run| run.outcome),
        None => Ok(()),
    };
    let run = match accepted {
        Ok(()) => dry_run(changes).await,
        Err(refusal) => Err(refusal),
    };
    let does_something = changes_record || !changes.is_empty();
    let verdict = if does_something { DryRunVerdict::WouldUpdate } else { DryRunVerdict::WouldChangeNothing };
    let result = result(campaign.connection.platform, Some(campaign.connection), verdict, run);
    let needs_approval = plan.verdict == Verdict::AwaitsApproval;
    reply(DryRunResult { needs_approval, activates: plan.activates, ..result })
}

/// The response to a dry run in one ad account.
fn reply(result: DryRunResult) -> Result<Reply, Error> {
    match result.outcome {
        Err(error) if error.kind.is_inconclusive() => Err(error),
        _ => Ok(Reply::DryRun(DryRunReport { is_list: false, results: vec![result] })),
    }
}

fn result(
    platform: Platform,
    connection: Option<&Connection>,
    verdict: DryRunVerdict,
    run: Result<DryRun, Error>,
) -> DryRunResult {
    let failed = |error| DryRun::new(Vec::new(), Err(error));
    let DryRun { requests, is_checked_by_platform, outcome } = run.unwrap_or_else(failed);
    DryRunResult {
        platform,
        connection_id: connection.map(|connection| connection.id.clone()),
        account_id: connection.map(|connection| connection.account_id().to_owned()),
        verdict,
        requests,
        is_checked_by_platform,
        needs_approval: false,
        activates: false,
        defaults: None,
        outcome,
    }
}
