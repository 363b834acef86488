//! `createCampaign`.

use crate::dry_run;
use crate::resume::{create_sender, results, resume};
use crate::targets::prepare_targets;
use futures_util::future::join_all;
use jiff::Timestamp;
use shared::domain::{Campaign, CampaignDraft, Connection, ConnectionStatus, Intent, IntentId, IntentState};
use shared::envelope::query::read_dry_run;
use shared::envelope::{AccountChoice, CreateRequest, Reply, Target, TargetResult, Targets, read_create};
use shared::error::{Error, Kind};
use shared::platforms::{CreateInput, PreparedCreate};
use shared::serve::{ApiRequest, Call, ClaimOutcome, ConnectionScope};
use shared::store::ConnectionRef;
use shared::store::table_keys::key_digest;

/// Connections that the error for a missing `connection_id` names.
const MAX_CHOICES: usize = 10;

/// The connections of the targets. An invalid body names none, and the handler reports it.
pub(crate) fn scope(request: &ApiRequest) -> ConnectionScope {
    let read = request.json_body().and_then(|body| read_create(request.shape, body));
    let targets = read.as_ref().map(|request| request.targets.as_slice()).unwrap_or_default();
    ConnectionScope::Named(targets.iter().map(name).collect())
}

fn name(target: &Target) -> ConnectionRef {
    match &target.choice {
        AccountChoice::Account(account) => ConnectionRef::Account(target.platform, account.clone()),
        AccountChoice::Connection(id) => ConnectionRef::Id(id.clone()),
        AccountChoice::OnlyConnection => ConnectionRef::Active(target.platform),
    }
}

/// Creates PAUSED campaigns. All targets are validated and all intents stored before anything is sent.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    let is_dry_run = read_dry_run(&call.request.query)?;
    let request = read_create(call.request.shape, call.request.json_body()?)?;
    if is_dry_run {
        return dry_run::create(call, &request).await;
    }
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
pub(crate) struct TargetCreate<'a> {
    pub(crate) connection: &'a Connection,
    draft: CampaignDraft,
    pub(crate) prepared: PreparedCreate,
}

impl<'a> TargetCreate<'a> {
    /// Chooses the connection, and checks and translates the request for its ad account and platform.
    pub(crate) fn new(
        call: &'a Call,
        request: &CreateRequest,
        target: &Target,
        number: u8,
    ) -> Result<TargetCreate<'a>, Error> {
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
            let named: Vec<String> = several
                .iter()
                .take(MAX_CHOICES)
                .map(|connection| format!("{} (account {})", connection.id, connection.account_id()))
                .collect();
            let more = if several.len() > MAX_CHOICES { ", and others" } else { "" };
            let message = format!("is required, because several accounts are connected: {}{more}", named.join(", "));
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
