//! `POST /v1/campaigns` (spec 4.1).

use crate::targets::create_on_targets;
use shared::domain::{Campaign, CampaignDraft, Connection, ConnectionStatus, IntentId};
use shared::envelope::query::refuse_strangers;
use shared::envelope::{AccountChoice, CreateRequest, Reply, Target, Targets, read_create};
use shared::error::{Error, Kind};
use shared::platforms::{AdPlatform, adapter};
use shared::serve::Call;
use shared::store::CampaignRecord;

/// Creates PAUSED campaigns. Everything is validated before anything is sent.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    call.public.refuse_idempotency_key()?;
    let request = read_create(call.public.shape, call.public.json_body()?)?;
    match &request.targets {
        Targets::One(target) => {
            let order = Order::new(call, &request, target)?;
            Ok(Reply::Created(Box::new(order.send(call).await?)))
        }
        Targets::Many(targets) => create_on_targets(call, &request, targets).await,
    }
}

/// A create that may be sent: whose money, and what for.
pub(crate) struct Order<'a> {
    pub(crate) connection: &'a Connection,
    draft: CampaignDraft,
}

impl<'a> Order<'a> {
    /// Chooses the connection and holds the request against its account and platform.
    pub(crate) fn new(call: &'a Call, request: &CreateRequest, target: &Target) -> Result<Order<'a>, Error> {
        let connection = choose(call, target)?;
        let Some(account) = &connection.account else { return Err(no_active_connection(target)) };
        call.caller().reach(connection.platform)?;
        let draft = request.draft_for(account)?;
        adapter(connection.platform).check_draft(account, &draft)?;
        Ok(Order { connection, draft })
    }

    /// Creates the campaign and keeps what its platform does not.
    pub(crate) async fn send(&self, call: &Call) -> Result<Campaign, Error> {
        let draft = &self.draft;
        let marker = &IntentId { request: call.public.request_id, target: 0 }.marker(call.public.now);
        let made = |adapter: &'static dyn AdPlatform, session| async move {
            adapter.create_campaign(&session, draft, marker).await
        };
        let mut campaign = call.caller().in_account(self.connection, made).await?;
        let record = CampaignRecord {
            goal: Some(draft.goal),
            budget_period: Some(draft.budget_period),
            created_at: Some(call.public.now),
            // After the platform's own time of its last write, so that a later list says the same.
            updated_at: call.public.app.clock.now(),
        };
        record.clone().complete(&mut campaign);
        keep(call, &campaign, &record).await;
        Ok(campaign)
    }
}

/// The campaign exists and costs money: a record that cannot be kept must not turn into a failed request.
async fn keep(call: &Call, campaign: &Campaign, record: &CampaignRecord) {
    if let Err(error) = call.store().put_record(call.customer.id, &campaign.id, record).await {
        tracing::error!(campaign = %campaign.id, %error, "a created campaign's record was not kept");
    }
}

/// The connection that a request means. It is never guessed whose money is spent.
fn choose<'a>(call: &'a Call, target: &Target) -> Result<&'a Connection, Error> {
    let is_active = |connection: &&Connection| {
        connection.platform == target.platform && connection.status == ConnectionStatus::Active
    };
    let active: Vec<&Connection> = call.links.connections.iter().filter(is_active).collect();
    match (&target.choice, active.as_slice()) {
        (AccountChoice::Account(id), active) => active
            .iter()
            .copied()
            .find(|connection| connection.account_id() == id)
            .ok_or_else(|| no_active_connection(target)),
        (AccountChoice::Connection(id), active) => {
            active.iter().copied().find(|connection| connection.id.0 == *id).ok_or_else(|| no_active_connection(target))
        }
        (AccountChoice::TheOnlyOne, []) => Err(no_active_connection(target)),
        (AccountChoice::TheOnlyOne, [only]) => Ok(only),
        (AccountChoice::TheOnlyOne, several) => {
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
        AccountChoice::TheOnlyOne => String::new(),
    };
    let message = format!(
        "There is no active connection{which} on {platform}. Connect one: GET /v1/connections/{platform}/authorize."
    );
    Error::new(Kind::Forbidden, message).on(platform)
}
