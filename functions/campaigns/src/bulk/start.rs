//! `setStatuses`: activates or pauses many campaigns.

use shared::changes::{Bulk, BulkOutcome, attempt_until};
use shared::domain::{BulkId, CampaignId, Connection, ConnectionStatus, Platform};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{BulkReport, BulkRequest, BulkTargets, Reply, read_bulk};
use shared::error::Error;
use shared::serve::{Call, ClaimOutcome};
use tokio::time::Duration;

/// Time that is left for the response when the request stops applying changes. Maintenance applies the others.
const RESPONSE_TIME: Duration = Duration::from_secs(3);

/// Stores a change for each campaign that the status fits, and applies as many as there is time for.
pub(crate) async fn start(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let read = call.request.json_body().and_then(|body| read_bulk(call.request.shape, body));
    let BulkRequest { status, targets } = match read {
        Ok(request) => request,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    let is_continued = match call.claim().await? {
        ClaimOutcome::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ClaimOutcome::New => false,
        ClaimOutcome::Resumed { .. } => true,
    };
    // The same changes: their ids follow from the first request and its time.
    let (first, begun_at) = call.first_request();
    let bulk = Bulk { id: BulkId(first), status, requested_by: call.requester()?, begun_at, is_continued };
    let context = call.platform_context();
    let outcomes = match targets {
        BulkTargets::Accounts { platform, connection } => {
            let chosen = chosen(call, platform, connection.as_deref())?;
            bulk.of_accounts(context, &chosen, call.request.ends_at()?).await?
        }
        BulkTargets::Campaigns(ids) => {
            let ids = ids.iter().map(|id| CampaignId::parse(id).ok_or_else(|| Error::not_found("campaign")));
            bulk.of_campaigns(context, &ids.collect::<Result<Vec<_>, Error>>()?).await?
        }
    };
    let report = report(bulk.id, &outcomes);
    let until = call.request.deadline.checked_sub(RESPONSE_TIME).unwrap_or(call.request.deadline);
    let changes = outcomes.into_iter().flat_map(|outcome| outcome.changes).collect();
    attempt_until(&call.request.app, changes, until).await;
    Ok(Reply::Bulk(report))
}

/// The connections of a platform, or the one with an id. One that is not finished has no ad account.
fn chosen<'a>(
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

fn report(bulk: BulkId, outcomes: &[BulkOutcome]) -> BulkReport {
    let failure = |outcome: &BulkOutcome| {
        let error = outcome.error.as_ref()?;
        let reported = Error { retryable: error.retryable, ..Error::new(error.kind, error.message.clone()) };
        Some((outcome.account.platform, outcome.account.connection.clone(), reported))
    };
    BulkReport {
        bulk,
        changes: outcomes.iter().flat_map(|outcome| outcome.account.changes.clone()).collect(),
        unchanged: outcomes.iter().flat_map(|outcome| outcome.unchanged.clone()).collect(),
        canceled: outcomes.iter().flat_map(|outcome| outcome.canceled.clone()).collect(),
        failures: outcomes.iter().filter_map(failure).collect(),
    }
}
