//! Two conflicting plans from the same state are not both stored: random pairs of requests, planned from the table and the
//! platform, and stored one after the other or concurrently.
//!
//! ```sh
//! RACES_SEED=4711 cargo test -p tests spending::races
//! ```

use super::Stage;
use crate::in_process::engine::{TABLE, client_over, items, serve};
use crate::random::Random;
use crate::sample::{env_number, seeds};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynoxide::Database;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::changes::request::{ChangeRequest, number};
use shared::changes::{ChangePlan, ChangePreview, StoredState, Verdict, preview, with_user};
use shared::domain::spending::Spender;
use shared::domain::{
    Action, Attempt, BudgetPeriod, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, ChangeId, ChangeOrigin,
    ChangeState, Connection, CustomerConnections, DateChange, ExternalRef, KeyId, Platform, Requester,
};
use shared::store::{Commit, CommitResult, RecordMove, Store};
use shared::tokens::PlatformContext;
use tokio::task::yield_now;
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

/// The user of all connections, who has a limit too.
const USER: &str = "shop42";
/// Pairs of a run.
const PAIRS: u64 = 600;

/// A connection to the table on which each call lets another one begin first.
#[derive(Clone)]
struct Yielding(Database);

impl std::fmt::Debug for Yielding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Yielding")
    }
}

impl HttpConnector for Yielding {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let database = self.0.clone();
        HttpConnectorFuture::new(async move {
            yield_now().await;
            Ok(serve(&database, &request))
        })
    }
}

/// The campaigns that the requests are about, and who makes them.
struct Races<'a> {
    stage: &'a Stage,
    connected: &'a CustomerConnections,
    store: Store,
    campaigns: Vec<CampaignId>,
}

/// A request with its plan, from the record as it was read.
struct Planned<'a> {
    request: ChangeRequest<'a>,
    before: CampaignRecord,
    plan: ChangePlan,
}

impl<'a> Races<'a> {
    fn now(&self) -> Timestamp {
        self.stage.app.clock.now()
    }

    fn connection(&self, campaign: &CampaignId) -> &'a Connection {
        let of_platform = |one: &&Connection| one.platform == campaign.platform();
        self.connected.connections.iter().find(of_platform).expect("a connection")
    }

    /// A random request of the key with the limit, or of one of two keys without.
    fn request(&self, random: &mut Random, campaign: &CampaignId) -> ChangeRequest<'a> {
        let connection = self.connection(campaign);
        let account = ChangeRequest::account_of(connection).expect("an ad account");
        let others = ["key_1", "key_2"].map(|id| KeyId(id.to_owned()));
        let key = random.pick(&[self.stage.key.clone(), self.stage.key.clone(), others[0].clone(), others[1].clone()]);
        let now = self.now();
        ChangeRequest {
            customer: self.stage.owner.customer,
            connection,
            account,
            campaign: campaign.clone(),
            remote_id: campaign.remote_in(&account.id).expect("a campaign of the account").to_owned(),
            action: if random.chance(100) { Action::Delete } else { Action::Update(changes(random, now, campaign)) },
            apply_at: None,
            pending: None,
            origin: ChangeOrigin::new(
                Uuid::from_u64_pair(random.below(u64::MAX), random.below(u64::MAX)),
                Requester::ApiKey { id: key, name: String::new() },
            ),
            first_at: now,
            number: number::EDIT,
            attempt: Attempt { number: 1, at: now, until: now + SignedDuration::from_mins(1) },
            is_flat: false,
            condition: None,
            only_if: None,
        }
    }

    /// Plans a request on what is there; `None` if it is refused, or waits for a person.
    async fn plan(&self, request: ChangeRequest<'a>) -> Option<Planned<'a>> {
        let (app, store, customer) = (&self.stage.app, &self.store, request.customer);
        let deadline = Instant::now() + Duration::from_mins(1);
        let (connected, now) = (self.connected, self.now());
        let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
        let before = store.latest_record(customer, &request.campaign).await.expect("a read").unwrap_or_default();
        let spenders: Vec<Spender> = match &request.origin.requested_by {
            Requester::ApiKey { id, .. } => vec![Spender::Key(id.clone())],
            Requester::Person { .. } => Vec::new(),
        };
        let of_key = store.spending_state(customer, &spenders, Some(&request.campaign)).await.expect("a read");
        let (of_key, campaign) = (of_key.in_force().expect("a user that stays"), Some(&request.campaign));
        let spending = with_user(store, customer, of_key, request.connection, campaign, now).await;
        let spending = spending.expect("a read");
        let stored = StoredState { record: before.clone(), spending };
        let Ok(ChangePreview { plan, .. }) = preview(context, &request, stored).await else { return None };
        (plan.verdict != Verdict::AwaitsApproval).then_some(Planned { request, before, plan })
    }
}

impl Planned<'_> {
    fn moved(&self) -> Option<RecordMove<'_>> {
        let Planned { request, before, plan } = self;
        let (after, cancel, put, at) = (plan.record.clone(), &plan.cancel, &plan.store, request.attempt.at);
        let moves = plan.record.revision != before.revision;
        moves.then_some(RecordMove { campaign: &request.campaign, before, after, cancel, put, at })
    }

    async fn commit(&self, store: &Store) -> CommitResult {
        let (moved, ChangePlan { change, turn, reserve, .. }) = (self.moved(), &self.plan);
        let (change, turn, spendings) = (change.as_ref(), *turn, Some(reserve));
        let waited = self.request.pending.as_ref();
        let commit = Commit { change, waited, turn, spendings, moved: moved.as_ref() };
        store.commit(self.request.customer, commit).await.expect("an outcome")
    }

    /// The changes that it stores.
    fn new_ids(&self) -> Vec<ChangeId> {
        self.plan.store.iter().chain(&self.plan.change).map(|change| change.id).collect()
    }

    fn canceled(&self) -> Vec<ChangeId> {
        self.plan.cancel.iter().map(|(change, _)| change.id).collect()
    }

    fn events(&self) -> usize {
        self.moved().map_or(0, |moved| moved.events().len())
    }
}

/// A random change of name, status, budget and, where the service holds them, of dates.
fn changes(random: &mut Random, now: Timestamp, campaign: &CampaignId) -> CampaignChanges {
    let is_held = [Platform::Beta, Platform::Gamma].contains(&campaign.platform());
    let date = |random: &mut Random| match random.below(6) {
        0 => Some(DateChange::Clear),
        1 | 2 => Some(DateChange::Set(now + SignedDuration::from_hours(random.pick(&[24, 48, 72, 96])))),
        _ => None,
    };
    let statuses = [CampaignStatus::Active, CampaignStatus::Active, CampaignStatus::Paused];
    CampaignChanges {
        name: random.chance(200).then(|| random.pick(&["One", "Two"]).to_owned()),
        status: random.chance(600).then(|| random.pick(&statuses)),
        budget_amount: random.chance(400).then(|| Decimal::from(random.pick(&[40_u32, 60, 1_240, 3_100]))),
        budget_period: random.chance(200).then(|| random.pick(&[BudgetPeriod::Monthly, BudgetPeriod::Daily])),
        start_at: if is_held { date(random) } else { None },
        end_at: if is_held { date(random) } else { None },
    }
}

/// Puts a table back to these items.
fn restore(database: &Database, before: &[Value]) {
    let now = items(database);
    for item in now.iter().filter(|item| !before.contains(item)) {
        let delete = json!({"TableName": TABLE, "Key": {"pk": item["pk"], "sk": item["sk"]}});
        database.delete_item(serde_json::from_value(delete).expect("a request")).expect("a write");
    }
    for item in before.iter().filter(|item| !now.contains(item)) {
        let put = json!({"TableName": TABLE, "Item": item});
        database.put_item(serde_json::from_value(put).expect("a request")).expect("a write");
    }
}

fn count_events(database: &Database) -> usize {
    let is_event = |item: &&Value| item["sk"]["S"].as_str().is_some_and(|sort| sort.starts_with("EVENT#"));
    items(database).iter().filter(is_event).count()
}

/// Two plans, in the order in which they are stored unless that is at the same time; returns whether they were in each
/// other's way.
async fn race(races: &Races<'_>, [one, two]: [&Planned<'_>; 2], seed: u64, at_once: bool) -> bool {
    let (store, database) = (&races.store, &races.stage.owner.database);
    let (customer, campaign) = (one.request.customer, &one.request.campaign);
    let (before, events_before) = (one.before.revision, count_events(database));
    let spenders = [Spender::Key(races.stage.key.clone()), Spender::User(ExternalRef::parse(USER).expect("a name"))];
    let versions = async || {
        let state = store.spending_state(customer, &spenders, None).await.expect("a read");
        state.spendings.iter().map(|spending| spending.version).collect::<Vec<i64>>()
    };
    let versions_before = versions().await;
    let outcomes = if at_once {
        <[CommitResult; 2]>::from(tokio::join!(one.commit(store), two.commit(store)))
    } else {
        [one.commit(store).await, two.commit(store).await]
    };
    let all = [(one, outcomes[0]), (two, outcomes[1])];
    let made: Vec<&Planned<'_>> =
        all.iter().filter(|(_, outcome)| *outcome == CommitResult::Stored).map(|(planned, _)| *planned).collect();
    let context = || format!("seed {seed}: {outcomes:?} of {:#?} and {:#?}", one.plan, two.plan);
    assert!(!made.is_empty(), "nothing was in the way of the first: {}", context());

    let moves = made.iter().filter(|planned| planned.moved().is_some()).count();
    let record = store.latest_record(customer, campaign).await.expect("a read").unwrap_or_default();
    assert!(moves <= 1, "two moves of one revision: {}", context());
    assert_eq!(record.revision, before + i64::from(moves == 1), "{}", context());
    let versions_after = versions().await;
    for (number, spender) in spenders.iter().enumerate() {
        let reserves = made.iter().filter(|planned| planned.plan.reserve.of(spender).is_some()).count();
        assert!(reserves <= 1, "two of one version: {}", context());
        assert_eq!(versions_after[number], versions_before[number] + i64::from(reserves == 1), "{}", context());
    }
    let turns = made.iter().filter(|planned| planned.plan.turn.is_some() && planned.plan.change.is_some()).count();
    assert!(turns <= 1, "two turns at once: {}", context());
    let told: usize = made.iter().map(|planned| planned.events()).sum();
    assert_eq!(count_events(database), events_before + told, "{}", context());

    let canceled: Vec<ChangeId> = made.iter().flat_map(|planned| planned.canceled()).collect();
    for (planned, outcome) in all {
        for id in planned.new_ids() {
            let stored = store.change(customer, id).await.expect("a read");
            assert_eq!(stored.is_some(), outcome == CommitResult::Stored, "{id}: {}", context());
        }
        for id in planned.canceled() {
            let stored = store.change(customer, id).await.expect("a read").expect("a change");
            let is_canceled = matches!(stored.state, ChangeState::Canceled(_));
            assert_eq!(is_canceled, canceled.contains(&id), "{id}: {}", context());
        }
    }
    made.len() < 2
}

#[tokio::test(start_paused = true)]
async fn conflicting_plans_from_the_same_state_are_not_both_stored() {
    let stage = Stage::with_daily(&[Platform::Alpha, Platform::Beta, Platform::Gamma], 500).await;
    for connection in &stage.connections {
        stage.owner("PATCH", &format!("/v1/connections/{connection}"), &json!({"external_ref": USER})).await;
    }
    let limit = json!({"spending_limit": {"amounts": [{"currency": "USD", "daily": 5_000, "lifetime": 5_000}]}});
    stage.owner("PUT", &format!("/v1/users/{USER}"), &limit).await;
    let mut campaigns = Vec::new();
    for platform in [Platform::Alpha, Platform::Beta, Platform::Gamma] {
        for (name, status) in [("Paused", None), ("Running", Some(json!({"status": "ACTIVE"})))] {
            let id = stage.campaign(platform, name, 50).await;
            if let Some(active) = status {
                stage.owner("PATCH", &format!("/v1/campaigns/{id}"), &active).await;
            }
            campaigns.push(CampaignId::parse(&id).expect("an id"));
        }
    }
    let customer = stage.owner.customer;
    let connected = stage.app.store.customer_connections(customer, stage.app.clock.now()).await.expect("connections");
    let store = Store::new(client_over(Yielding(stage.owner.database.clone())), TABLE);
    let races = Races { stage: &stage, connected: &connected, store, campaigns };
    let untouched = items(&stage.owner.database);
    let (mut raced, mut lost) = (0, 0);
    for seed in seeds(env_number("RACES_SEED"), PAIRS) {
        let random = &mut Random::new(seed);
        // The platforms count requests by time.
        sleep(Duration::from_secs(1)).await;
        let campaign = random.pick(&races.campaigns);
        // What the service holds already: dates, a month, and changes that wait.
        for _ in 0..random.below(3) {
            if let Some(held) = races.plan(races.request(random, &campaign)).await
                && let Some(moved) = held.moved()
            {
                let commit = Commit { moved: Some(&moved), ..Commit::default() };
                races.store.commit(customer, commit).await.expect("a write");
            }
        }
        let one = races.plan(races.request(random, &campaign)).await;
        let two = races.plan(races.request(random, &campaign)).await;
        if let (Some(one), Some(two)) = (one, two) {
            let is_lost = race(&races, [&one, &two], seed, random.chance(500)).await;
            raced += 1;
            lost += u64::from(is_lost);
        }
        restore(&stage.owner.database, &untouched);
    }
    if env_number("RACES_SEED").is_none() {
        assert!(raced > PAIRS / 4 && lost > PAIRS / 20, "{raced} races, {lost} with one plan stored");
    }
}
