//! `createCampaign`.

use crate::approval::{ask_create, create_needs_approval, one_by_one};
use crate::dry_run;
use crate::request::require_confirmed;
use crate::resume::{read_back, results, resume};
use crate::targets::{TargetCreate, check_targets, prepare_targets};
use futures_util::future::join_all;
use shared::domain::{Campaign, Create};
use shared::envelope::{AccountChoice, CreateRequest, Reply, Target, TargetResult, Targets, read_create};
use shared::error::Error;
use shared::serve::{ApiRequest, Call, ClaimOutcome, RequiredConnections};
use shared::store::ConnectionRef;
use shared::store::table_keys::key_digest;

/// The connections of the targets. An invalid body names none, and the handler reports it.
pub(crate) fn required_connections(request: &ApiRequest) -> RequiredConnections {
    let read = read(request);
    let targets = read.as_ref().map(|request| request.targets.as_slice()).unwrap_or_default();
    RequiredConnections::Named(targets.iter().map(name).collect())
}

fn read(request: &ApiRequest) -> Result<CreateRequest, Error> {
    request.json_body().and_then(|body| read_create(request.shape, body))
}

fn name(target: &Target) -> ConnectionRef {
    match &target.choice {
        AccountChoice::Account(account) => ConnectionRef::Account(target.platform, account.clone()),
        AccountChoice::Connection(id) => ConnectionRef::Id(id.clone()),
        AccountChoice::OnlyConnection => ConnectionRef::Active(target.platform),
    }
}

/// Creates PAUSED campaigns. All targets are validated and all creates stored before anything is sent.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    let read = read(&call.request);
    if call.request.is_dry_run()? {
        return dry_run::create(call, &read?).await;
    }
    let request = match read {
        Ok(request) => request,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    if let Err(refusal) = require_confirmed(call) {
        return resume_earlier(call, &request.targets, refusal, Unsent::Refused).await;
    }
    let targets = match prepare(call, &request) {
        Ok(targets) => targets,
        Err(refusal) => return resume_earlier(call, &request.targets, refusal, Unsent::Sent).await,
    };
    let until = call.request.ends_at()?;
    let key = call.request.idempotency_key()?.map(key_digest);
    let requester = call.requester()?;
    let numbered = targets.iter().enumerate();
    let creates: Vec<Create> =
        numbered.map(|(number, target)| target.create(call, number, requester.clone(), (key.clone(), until))).collect();
    if creates.iter().any(|create| create_needs_approval(call, &create.budget())) {
        return match creates.as_slice() {
            [one] => match ask_create(call, one).await? {
                // An earlier request with the same key has sent it.
                Reply::Waiting(change) if change.state.is_sent() => {
                    reply(&request.targets, resume(call, &request.targets, &[change.id]).await?)
                }
                reply => Ok(reply),
            },
            _ => resume_earlier(call, &request.targets, one_by_one(), Unsent::Sent).await,
        };
    }
    let results = match call.claim(&creates).await? {
        ClaimOutcome::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ClaimOutcome::New => {
            let sends = targets.iter().zip(&creates).map(|(target, create)| target.send(call, create));
            results(&creates, join_all(sends).await)
        }
        ClaimOutcome::Resumed { creates, .. } => resume(call, &request.targets, &creates).await?,
    };
    reply(&request.targets, results)
}

/// What becomes of a target that an earlier request with the same `Idempotency-Key` has not sent.
enum Unsent {
    /// It is sent now, unless it depends on the refusal, as one whose connection was removed.
    Sent,
    /// It is refused, because the preview of an agent confirms nothing any more.
    Refused,
}

/// Handles a request that would be refused as a new one. What an earlier request with the same `Idempotency-Key` has
/// created is told.
async fn resume_earlier(call: &Call, targets: &Targets, refusal: Error, unsent: Unsent) -> Result<Reply, Error> {
    let (creates, refusal) = match call.claim_existing(refusal).await? {
        (ClaimOutcome::Replayed(stored), _) => return Ok(Reply::Replayed(stored)),
        (ClaimOutcome::Resumed { creates, .. }, refusal) => (creates, refusal),
        (ClaimOutcome::New, refusal) => return Err(refusal),
    };
    let results = match unsent {
        Unsent::Sent => resume(call, targets, &creates).await?,
        Unsent::Refused => read_back(call, targets, &creates, &refusal).await?,
    };
    reply(targets, results)
}

fn reply(targets: &Targets, results: Vec<TargetResult>) -> Result<Reply, Error> {
    match targets {
        Targets::One(_) => single_result(results).map(|campaign| Reply::Created(Box::new(campaign))),
        Targets::Many(_) => Ok(Reply::Targets(results)),
    }
}

fn single_result(results: Vec<TargetResult>) -> Result<Campaign, Error> {
    let first = results.into_iter().next();
    first.ok_or_else(|| Error::internal("a create request without a target"))?.outcome
}

/// Validates the request for all its targets. One invalid target fails the request.
fn prepare<'a>(call: &'a Call, request: &CreateRequest) -> Result<Vec<TargetCreate<'a>>, Error> {
    match &request.targets {
        Targets::One(target) => Ok(vec![TargetCreate::new(call, request, target, 0)?]),
        Targets::Many(several) => {
            check_targets(call, several)?;
            prepare_targets(several, |target, number| TargetCreate::new(call, request, target, number))
        }
    }
}
