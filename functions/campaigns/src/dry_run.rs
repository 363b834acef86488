//! Dry runs: what a create or an update would send. Nothing is stored, and nothing at a platform changes.

use crate::target_create::TargetCreate;
use crate::targets::require_targets;
use futures_util::future::join_all;
use shared::domain::{Campaign, CampaignChanges, Connection, Platform};
use shared::envelope::{CreateRequest, DryRunReport, DryRunResult, Reply, Target, Targets};
use shared::error::Error;
use shared::platforms::DryRun;
use shared::serve::Call;

/// A dry run has nothing to replay.
pub(crate) fn reject_key(call: &Call) -> Result<(), Error> {
    if call.request.is_keyed() {
        return Err(Error::field("Idempotency-Key", "must not be sent with dry_run, which creates nothing"));
    }
    Ok(())
}

/// The dry run of a create. A target that would fail does not affect the others.
pub(crate) async fn create(call: &Call, request: &CreateRequest) -> Result<Reply, Error> {
    reject_key(call)?;
    let (targets, is_list) = match &request.targets {
        Targets::One(target) => (std::slice::from_ref(target), false),
        Targets::Many(several) => {
            require_targets(call.customer.plan)?;
            (several.as_slice(), true)
        }
    };
    let runs = (0_u8..).zip(targets).map(|(number, target)| create_one(call, request, target, number));
    Ok(Reply::DryRun(DryRunReport { is_list, results: join_all(runs).await }))
}

async fn create_one(call: &Call, request: &CreateRequest, target: &Target, number: u8) -> DryRunResult {
    let create = match TargetCreate::new(call, request, target, number) {
        Ok(create) => create,
        Err(error) => return result(target.platform, None, "would_create", Err(error)),
    };
    let prepared = &create.prepared;
    let context = call.platform_context();
    let run = context.in_account(create.connection, |adapter, session| async move {
        adapter.rehearse_create(&session, prepared).await
    });
    result(target.platform, Some(create.connection), "would_create", run.await)
}

/// The dry run of an update. `changes` differ from `current`; without any nothing would be sent.
pub(crate) async fn update(
    call: &Call,
    connection: &Connection,
    current: &Campaign,
    changes: &CampaignChanges,
) -> Reply {
    let (verdict, run) = if changes.is_empty() {
        ("would_change_nothing", Ok(DryRun::new(Vec::new(), Ok(()))))
    } else {
        let context = call.platform_context();
        let run = context.in_account(connection, |adapter, session| async move {
            adapter.rehearse_update(&session, current, changes).await
        });
        ("would_update", run.await)
    };
    let results = vec![result(connection.platform, Some(connection), verdict, run)];
    Reply::DryRun(DryRunReport { is_list: false, results })
}

fn result(
    platform: Platform,
    connection: Option<&Connection>,
    verdict: &'static str,
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
        outcome,
    }
}
