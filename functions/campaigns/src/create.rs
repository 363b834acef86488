//! `createCampaign`.

use crate::targets::prepare_targets;
use futures_util::future::join_all;
use jiff::Timestamp;
use shared::domain::{Campaign, CampaignDraft, Connection, ConnectionStatus, Intent, IntentId, IntentState};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{AccountChoice, CreateRequest, Reply, Target, TargetResult, Targets, read_create};
use shared::error::{Error, Kind};
use shared::intents::CreateSender;
use shared::platforms::{CreateInput, PreparedCreate};
use shared::serve::{Call, ClaimOutcome, earlier_outcome_unknown};
use shared::store::table_keys::key_digest;
use uuid::Uuid;

/// Creates PAUSED campaigns. All targets are validated and all intents stored before anything is sent.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let request = read_create(call.request.shape, call.request.json_body()?)?;
    let creates = match prepare(call, &request) {
        Ok(creates) => creates,
        Err(refusal) => return reconcile_only(call, &request.targets, refusal).await,
    };
    let until = call.request.ends_at()?;
    let key = call.request.idempotency_key()?.map(key_digest);
    let numbered = (0_u8..).zip(&creates);
    let intents: Vec<Intent> =
        numbered.map(|(target, create)| create.intent(call, target, (key.clone(), until))).collect();
    let results = match call.claim(&intents).await? {
        ClaimOutcome::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ClaimOutcome::New => {
            let sends = creates.iter().zip(&intents).map(|(create, intent)| create.send(call, intent));
            results(&intents, join_all(sends).await)
        }
        ClaimOutcome::Resumed { first } => resume(call, &request.targets, first, None).await?,
    };
    reply(&request.targets, results)
}

/// Handles a request that is not valid now. An earlier request with the same `Idempotency-Key` may have sent it, so its
/// intents are reconciled.
async fn reconcile_only(call: &Call, targets: &Targets, refusal: Error) -> Result<Reply, Error> {
    match call.claim_existing(refusal).await? {
        (ClaimOutcome::Replayed(stored), _) => Ok(Reply::Replayed(stored)),
        (ClaimOutcome::Resumed { first }, refusal) => {
            reply(targets, resume(call, targets, first, Some(&refusal)).await?)
        }
        (ClaimOutcome::New, refusal) => Err(refusal),
    }
}

fn reply(targets: &Targets, results: Vec<TargetResult>) -> Result<Reply, Error> {
    match targets {
        Targets::One(_) => single_result(results).map(|campaign| Reply::Created(Box::new(campaign))),
        Targets::Many(_) => Ok(Reply::Targets(results)),
    }
}

/// Continues the intents of an earlier request with the same `Idempotency-Key`. With a refusal, nothing more is sent.
async fn resume(
    call: &Call,
    targets: &Targets,
    first: Uuid,
    refusal: Option<&Error>,
) -> Result<Vec<TargetResult>, Error> {
    let intents =
        call.store().intents(call.customer.id, first, call.request.now).await.map_err(earlier_outcome_unknown)?;
    let expected = match targets {
        Targets::One(_) => 1,
        Targets::Many(several) => several.len(),
    };
    if intents.len() != expected {
        return Err(intents_expired());
    }
    let needs_renewal = |intent: &Intent| intent.key_digest.is_none() || intent.needs_renewal(call.request.now);
    if intents.iter().any(needs_renewal) {
        let key = call.request.idempotency_key()?.map(key_digest);
        call.store()
            .renew_intents(&intents, key.as_deref(), call.request.now)
            .await
            .map_err(earlier_outcome_unknown)?;
    }
    let sender = CreateSender { blocked_by: refusal, ..create_sender(call) };
    let outcomes = join_all(intents.iter().map(|intent| sender.resume(intent))).await;
    Ok(results(&intents, outcomes))
}

/// The error for a key with expired intents. This is rare: a key outlives its intents by at most a day, and maintenance
/// renews intents with an unknown outcome. A response without a target would suggest that it was not created.
fn intents_expired() -> Error {
    let message = "The create with this Idempotency-Key is more than 30 days old, and some of its outcomes have expired. \
                   List the campaigns, then create the missing ones with a new key.";
    Error::new(Kind::Conflict, message)
}

fn create_sender(call: &Call) -> CreateSender<'_> {
    CreateSender { context: call.platform_context(), is_keyed: call.request.is_keyed(), blocked_by: None }
}

fn results(intents: &[Intent], outcomes: Vec<Result<Campaign, Error>>) -> Vec<TargetResult> {
    let result = |(intent, outcome): (&Intent, Result<Campaign, Error>)| TargetResult {
        platform: intent.platform,
        account_id: intent.account_id.clone(),
        outcome,
    };
    intents.iter().zip(outcomes).map(result).collect()
}

fn single_result(results: Vec<TargetResult>) -> Result<Campaign, Error> {
    let first = results.into_iter().next();
    first.ok_or_else(|| Error::internal("a create request without a target"))?.outcome
}

/// Validates the request for all its targets. One invalid target fails the request.
fn prepare<'a>(call: &'a Call, request: &CreateRequest) -> Result<Vec<TargetCreate<'a>>, Error> {
    match &request.targets {
        Targets::One(target) => Ok(vec![TargetCreate::new(call, request, target, 0)?]),
        Targets::Many(several) => prepare_targets(call.customer.plan, several, |target, number| {
            TargetCreate::new(call, request, target, number)
        }),
    }
}

/// A validated create for one target.
struct TargetCreate<'a> {
    connection: &'a Connection,
    draft: CampaignDraft,
    prepared: PreparedCreate,
}

impl<'a> TargetCreate<'a> {
    /// Chooses the connection, and checks and translates the request for its ad account and platform.
    fn new(call: &'a Call, request: &CreateRequest, target: &Target, number: u8) -> Result<TargetCreate<'a>, Error> {
        let connection = choose(call, target)?;
        let Some(account) = &connection.account else { return Err(no_active_connection(target)) };
        let (adapter, context) = call.platform_context().call_context(connection.platform)?;
        let draft = request.draft_for(account)?;
        let marker = &intent_id(call, number).marker(call.request.now);
        let (settings, now) = (&context.config.settings, context.now);
        let prepared = adapter.prepare_create(&CreateInput { account, draft: &draft, marker, settings, now })?;
        Ok(TargetCreate { connection, draft, prepared })
    }

    /// The record that is stored before the create is sent.
    fn intent(&self, call: &Call, target: u8, (key_digest, until): (Option<String>, Timestamp)) -> Intent {
        Intent {
            id: intent_id(call, target),
            customer: call.customer.id,
            platform: self.connection.platform,
            account_id: self.connection.account_id().to_owned(),
            draft: self.draft.clone(),
            key_digest,
            state: IntentState::Unknown,
            attempt: 1,
            created_at: call.request.now,
            send_deadline: until,
            expires_at: Intent::expiry_from(call.request.now),
        }
    }

    async fn send(&self, call: &Call, intent: &Intent) -> Result<Campaign, Error> {
        create_sender(call).send(self.connection, intent, &self.prepared).await
    }
}

fn intent_id(call: &Call, target: u8) -> IntentId {
    IntentId { request: call.request.request_id, target }
}

/// The connection of a target. It is never guessed: the ad account pays.
fn choose<'a>(call: &'a Call, target: &Target) -> Result<&'a Connection, Error> {
    let is_active = |connection: &&Connection| {
        connection.platform == target.platform && connection.status == ConnectionStatus::Active
    };
    let active: Vec<&Connection> = call.connected.connections.iter().filter(is_active).collect();
    match (&target.choice, active.as_slice()) {
        (AccountChoice::Account(id), active) => active
            .iter()
            .copied()
            .find(|connection| connection.account_id() == id)
            .ok_or_else(|| no_active_connection(target)),
        (AccountChoice::Connection(id), active) => {
            active.iter().copied().find(|connection| connection.id.0 == *id).ok_or_else(|| no_active_connection(target))
        }
        (AccountChoice::OnlyConnection, []) => Err(no_active_connection(target)),
        (AccountChoice::OnlyConnection, [only]) => Ok(only),
        (AccountChoice::OnlyConnection, several) => {
            let choices: Vec<String> = several
                .iter()
                .map(|connection| format!("{} (account {})", connection.id, connection.account_id()))
                .collect();
            let message = format!("is required, because several accounts are connected: {}", choices.join(", "));
            Err(Error::field("connection_id", message))
        }
    }
}

fn no_active_connection(target: &Target) -> Error {
    let platform = target.platform;
    let which = match &target.choice {
        AccountChoice::Account(id) => format!(" to the ad account {id}"),
        AccountChoice::Connection(id) => format!(" {id}"),
        AccountChoice::OnlyConnection => String::new(),
    };
    let message = format!(
        "There is no active connection{which} on {platform}. Connect one: GET /v1/connections/{platform}/authorize."
    );
    Error::new(Kind::Forbidden, message).on(platform)
}
