//! Invariants at the end of a run, over the platforms' campaigns, the table and the client's responses.

use super::client::{ClientHistory, ClientResponse, CreateRequest, TargetResult};
use super::environment::{Environment, Service, Target};
use super::events;
use crate::in_process::json_of;
use serde_json::Value;
use shared::domain::{CampaignId, ChangeState, Create, Platform, maintenance_schedule};
use shared::store::table_keys;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// Beyond every due time in the table.
pub(super) const FAR_FUTURE: jiff::SignedDuration = jiff::SignedDuration::from_hours(24 * 365);

/// A campaign in its platform's own list.
struct CampaignInBooks {
    platform: Platform,
    account: String,
    id: String,
    name: String,
    budget: String,
    is_paused: bool,
}

impl CampaignInBooks {
    fn of(listed: &Value) -> CampaignInBooks {
        let text = |name: &str| match &listed[name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let budget = text("budget");
        let budget = if budget.contains('.') { budget.trim_end_matches('0').trim_end_matches('.') } else { &budget };
        CampaignInBooks {
            platform: Platform::parse(&text("platform")).expect("a platform"),
            account: text("account").trim_start_matches("act_").to_owned(),
            id: text("id"),
            name: text("name"),
            budget: budget.to_owned(),
            is_paused: ["PAUSED", "DISABLE"].contains(&text("status").as_str()),
        }
    }

    fn has_id(&self, id: &CampaignId, account: &str) -> bool {
        id.platform() == self.platform && account == self.account && id.remote_in(account) == Some(&self.id)
    }
}

impl std::fmt::Display for CampaignInBooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "campaign {} \"{}\" over {} in {} {}", self.id, self.name, self.budget, self.platform, self.account)
    }
}

/// All creates in the table.
pub(super) async fn creates(environment: &Environment) -> Vec<Create> {
    let store = &environment.start_without_faults().app.store;
    let mut creates = Vec::new();
    for id in environment.sort_keys().iter().filter_map(|sk| table_keys::parse_change_sk(sk)) {
        let change = store.change(environment.customer, id).await.expect("the table");
        creates.extend(change.and_then(Create::of));
    }
    creates
}

/// Checks every invariant; violations are added to the history.
pub(super) async fn check(environment: &Environment, history: &ClientHistory, requests: &[CreateRequest]) {
    let creates = creates(environment).await;
    let campaigns: Vec<CampaignInBooks> = environment.campaigns().await.iter().map(CampaignInBooks::of).collect();
    let invariants =
        Invariants { environment, history, service: environment.start_without_faults(), creates, campaigns };
    invariants.every_campaign_has_one_create();
    invariants.every_create_is_final();
    invariants.no_campaign_is_duplicated(requests);
    let due = environment.still_due(&[table_keys::DUE_CHANGE]);
    invariants.expect(due.is_empty(), || format!("still due: {due:?}"));
    for response in history.responses() {
        invariants.response_is_true(&response).await;
    }
    invariants.every_named_campaign_can_be_read().await;
    invariants.one_key_names_one_campaign();
    events::violations(environment).await.into_iter().for_each(|violation| history.report(violation));
}

struct Invariants<'a> {
    environment: &'a Environment,
    history: &'a ClientHistory,
    service: Service,
    creates: Vec<Create>,
    campaigns: Vec<CampaignInBooks>,
}

impl Invariants<'_> {
    fn expect(&self, holds: bool, violation: impl FnOnce() -> String) {
        if !holds {
            self.history.report(violation());
        }
    }

    fn every_campaign_has_one_create(&self) {
        for campaign in &self.campaigns {
            let created_it =
                |create: &&Create| create.campaign.as_ref().is_some_and(|id| campaign.has_id(id, &create.account_id));
            let owners: Vec<&Create> = self.creates.iter().filter(created_it).collect();
            match owners.as_slice() {
                [] => self.history.report(format!("orphan: {campaign}; creates: {:?}", self.states())),
                [owner] => {
                    let draft = owner.draft();
                    let matches_draft =
                        draft.name == campaign.name && draft.budget_amount.to_string() == campaign.budget;
                    self.expect(matches_draft, || {
                        format!("{campaign} differs from the draft of {}: {draft:?}", owner.id)
                    });
                    self.expect(campaign.is_paused, || format!("{campaign} is not paused"));
                }
                several => {
                    let several: Vec<String> = several.iter().map(|create| create.id.to_string()).collect();
                    self.history.report(format!("{campaign} belongs to several creates: {several:?}"));
                }
            }
        }
    }

    fn states(&self) -> Vec<(String, ChangeState)> {
        self.creates.iter().map(|create| (create.id.to_string(), create.state.clone())).collect()
    }

    fn every_create_is_final(&self) {
        for create in &self.creates {
            let is_at_platform = |id| self.campaigns.iter().any(|campaign| campaign.has_id(id, &create.account_id));
            let exists = match create.state {
                ChangeState::Applied => create.campaign.as_ref().is_some_and(is_at_platform),
                _ => true,
            };
            self.expect(exists, || format!("the campaign of {} does not exist", create.id));
            self.expect(create.state != ChangeState::Sending, || format!("{} is still unknown", create.id));
        }
    }

    /// A request creates at most one campaign in each account, however often it is sent.
    fn no_campaign_is_duplicated(&self, requests: &[CreateRequest]) {
        let mut created: BTreeMap<(Platform, &str, &str, &str), usize> = BTreeMap::new();
        for campaign in &self.campaigns {
            *created.entry((campaign.platform, &campaign.account, &campaign.name, &campaign.budget)).or_default() += 1;
        }
        for ((platform, account, name, budget), count) in created {
            let is_for = |request: &&CreateRequest| {
                request.name == name
                    && request.budget.to_string() == budget
                    && request.targets.iter().any(|target| target.0 == platform && target.1 == account)
            };
            let requested = requests.iter().filter(is_for).count();
            self.expect(count <= requested, || {
                format!("duplicate: {count} campaigns \"{name}\" in {platform} {account}, of {requested} requests")
            });
        }
    }

    /// A target is judged by its own connection: its error names no other, and blames none that works.
    fn no_target_is_blamed_for_another(&self, response: &ClientResponse) {
        for (target, error) in response.target_errors() {
            let (platform, account) = target;
            let message = error["message"].as_str().unwrap_or_default();
            let is_own = error["platform"].is_null() || error["platform"] == platform.as_upper();
            let names_another = |(_, other): &Target| other != account && message.contains(other);
            let is_misled = !is_own || response.request.targets.iter().any(names_another);
            // The page of a gateway refuses a create or a read before it with 403, too, and is about no connection.
            let is_of_gateway = ["refused the request with HTTP status", "refuses access to this ad account"]
                .iter()
                .any(|words| message.contains(words));
            let has_no_access = ["FORBIDDEN", "TOKEN_EXPIRED"].iter().any(|code| error["code"] == *code);
            self.expect(!is_misled && (!has_no_access || is_of_gateway || self.environment.was_down(target)), || {
                format!("{platform} {account} is judged by another connection: {error}")
            });
        }
    }

    async fn response_is_true(&self, response: &ClientResponse) {
        self.no_target_is_blamed_for_another(response);
        // A replay repeats the response of an earlier request and has no creates of its own.
        if response.is_replay {
            return;
        }
        let states = self.states_of(response).await;
        for (target, result) in response.results().iter().enumerate() {
            let state = states.as_ref().and_then(|states| states.get(target));
            match result {
                TargetResult::Created(id) => {
                    let stored = state.map(|state| (state["state"].as_str(), state["campaign_id"].as_str()));
                    let expected = Some((Some("created"), Some(id.as_str())));
                    self.expect(stored == expected, || format!("the response has {id}, and the create has {stored:?}"));
                }
                TargetResult::Unknown { is_retryable } => {
                    let is_keyed = response.request.key.is_some();
                    self.expect(*is_retryable == is_keyed, || {
                        format!("wrong retryable of an unknown outcome: {}", response.text)
                    });
                    // Without a stored create the response says that nothing was sent.
                    let is_explained = state.is_some() || response.text.contains("Nothing was sent to an ad platform.");
                    self.expect(is_explained, || format!("unknown outcome without a create: {}", response.text));
                }
                TargetResult::Failed { .. } => {
                    let is_created = state.is_some_and(|state| state["state"] == "created");
                    let is_contradicted = is_created && response.request.key.is_none();
                    self.expect(!is_contradicted, || format!("created, and the response is: {}", response.text));
                }
            }
        }
    }

    async fn every_named_campaign_can_be_read(&self) {
        let results = self.history.responses().into_iter().flat_map(|response| response.results());
        let named = results.filter_map(|result| match result {
            TargetResult::Created(id) => Some(id),
            _ => None,
        });
        for id in named.collect::<BTreeSet<String>>() {
            let path = format!("/v1/campaigns/{id}");
            let mut read = self.get(&path).await;
            if read.0 == 429 {
                // The service accepts a pause of at most an hour.
                sleep(Duration::from_secs(3_600)).await;
                read = self.get(&path).await;
            }
            let (status, body) = read;
            self.expect(status == 200, || format!("the response has {id}, and reading it returns {body}"));
        }
    }

    /// The targets of a request in `getIntents`; `None` when it stored no create.
    async fn states_of(&self, response: &ClientResponse) -> Option<Vec<Value>> {
        let (status, body) = self.get(&format!("/v1/campaigns/intents/{}", response.request_id)).await;
        if status == 404 {
            return None;
        }
        let targets = body["targets"].as_array().cloned();
        self.expect(targets.is_some(), || format!("the creates of a response cannot be read: {status} {body}"));
        for target in targets.iter().flatten() {
            self.expect(target["state"] != "unknown", || format!("still unknown: {target}"));
        }
        targets
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.environment.request("GET", path, None, "");
        let response = campaigns::handle(Arc::clone(&self.service.app), request).await;
        (response.status().as_u16(), json_of(response.body()))
    }

    /// Responses to one key never name different campaigns, and all replays are equal.
    fn one_key_names_one_campaign(&self) {
        let mut named: BTreeMap<(String, usize), String> = BTreeMap::new();
        let mut replays: BTreeMap<String, String> = BTreeMap::new();
        for response in self.history.responses() {
            let Some(key) = &response.request.key else { continue };
            for (target, result) in response.results().into_iter().enumerate() {
                let TargetResult::Created(id) = result else { continue };
                let first = named.entry((key.clone(), target)).or_insert_with(|| id.clone());
                self.expect(*first == id, || format!("key {key} created {first} and {id}"));
            }
            if response.is_replay {
                let first = replays.entry(key.clone()).or_insert_with(|| response.text.clone());
                self.expect(*first == response.text, || {
                    format!("key {key} is replayed as {first} and {}", response.text)
                });
            }
        }
    }
}

/// The last response of an outage: a campaign that exists is never called failed, and a request whose creates are
/// stored is not refused as a whole.
pub(super) async fn check_during_outage(environment: &Environment, history: &ClientHistory, response: &ClientResponse) {
    if response.is_refused_as_a_whole() {
        if !creates(environment).await.is_empty() {
            history.report(format!("one connection blocks the retry of all: {}", response.text));
        }
        return;
    }
    let campaigns: Vec<CampaignInBooks> = environment.campaigns().await.iter().map(CampaignInBooks::of).collect();
    for (result, (platform, account)) in response.results().iter().zip(&response.request.targets) {
        let is_of_target = |campaign: &CampaignInBooks| campaign.platform == *platform && campaign.account == *account;
        if matches!(result, TargetResult::Failed { .. }) && campaigns.iter().any(is_of_target) {
            history.report(format!("created on {platform} {account}, and called failed: {}", response.text));
        }
    }
}

/// Whether no create is unknown any more.
pub(super) async fn is_reconciled(environment: &Environment) -> bool {
    creates(environment).await.iter().all(|create| create.state != ChangeState::Sending)
}

/// Time from a response with an unknown outcome to its reconciliation: one interval, and a second for the search.
pub(super) const RECONCILED_AFTER: Duration =
    Duration::from_secs(maintenance_schedule::INTERVAL.unsigned_abs().as_secs() + 1);
