//! `createCampaign`.

use crate::dry_run;
use crate::request::{require_confirmed, store_waiting};
use crate::resume::{create_sender, read_back, results, resume};
use crate::targets::{plan_targets, spendings};
use futures_util::future::join_all;
use shared::changes::{CreatePlan, Verdict, all_or_none, count_creates};
use shared::domain::spending::Spendings;
use shared::domain::{Campaign, Change};
use shared::envelope::{AccountChoice, CreateRequest, Reply, Target, TargetResult, Targets, read_create};
use shared::error::Error;
use shared::serve::{ApiRequest, Call, ClaimOutcome, RequiredConnections};
use shared::store::ConnectionRef;
use std::slice::from_ref;

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
        Err(refusal) => return call.replay_earlier_or_refuse(refusal).await,
    };
    call.note_reference(request.reference.as_ref());
    if let Err(refusal) = require_confirmed(call) {
        return resume_earlier(call, &request.targets, refusal, Unsent::Refuse).await;
    }
    let spendings = spendings(call, &request).await?;
    let plans = match plan(call, &request, &spendings) {
        Ok(plans) => plans,
        Err(refusal) => return resume_earlier(call, &request.targets, refusal, Unsent::Send).await,
    };
    if let [one @ CreatePlan { verdict: Verdict::AwaitsApproval, .. }] = plans.as_slice() {
        return ask(call, &request.targets, one, &spendings).await;
    }
    let results = match call.claim_creates(&plans, spendings).await? {
        ClaimOutcome::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ClaimOutcome::New => {
            let sender = create_sender(call);
            let sends = plans.iter().map(|plan| sender.send(plan.connection, &plan.create, &plan.prepared));
            results(plans.iter().map(|plan| &plan.create), join_all(sends).await)
        }
        ClaimOutcome::Resumed { changes: creates, .. } => resume(call, &request.targets, &creates).await?,
    };
    reply(&request.targets, results)
}

/// Plans the creates of all targets. One refused target refuses all.
fn plan<'a>(call: &'a Call, request: &CreateRequest, spendings: &Spendings) -> Result<Vec<CreatePlan<'a>>, Error> {
    let targets = plan_targets(call, request, spendings)?;
    match &request.targets {
        Targets::One(_) => targets.into_iter().collect(),
        Targets::Many(_) => all_or_none(targets),
    }
}

/// Stores a create that a person has to approve. Nothing is counted before that.
async fn ask(call: &Call, targets: &Targets, plan: &CreatePlan<'_>, spendings: &Spendings) -> Result<Reply, Error> {
    let counted = count_creates(from_ref(plan), spendings, call.request.now);
    match store_waiting(call, counted.map(|_| Change::from(plan.create.clone()))).await? {
        // An earlier request with the same key has sent it.
        Reply::Waiting(change) if change.state.is_sent() => reply(targets, resume(call, targets, &[change.id]).await?),
        reply => Ok(reply),
    }
}

/// What to do with a target that an earlier request with the same `Idempotency-Key` has not sent.
enum Unsent {
    /// Send it now, unless its own connection refuses it, for example because it was removed.
    Send,
    /// Refuse it: the preview that the request confirms is not valid any more.
    Refuse,
}

/// Handles a request that would be refused as a new one. Reports what an earlier request with the same `Idempotency-Key`
/// has created.
async fn resume_earlier(call: &Call, targets: &Targets, refusal: Error, unsent: Unsent) -> Result<Reply, Error> {
    let (creates, refusal) = match call.continue_earlier_or_refuse(refusal).await? {
        (ClaimOutcome::Replayed(stored), _) => return Ok(Reply::Replayed(stored)),
        (ClaimOutcome::Resumed { changes: creates, .. }, refusal) => (creates, refusal),
        (ClaimOutcome::New, refusal) => return Err(refusal),
    };
    let results = match unsent {
        Unsent::Send => resume(call, targets, &creates).await?,
        Unsent::Refuse => read_back(call, targets, &creates, &refusal).await?,
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
