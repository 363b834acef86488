//! What has to be true when a run is over: of the platforms' own lists, of the table, and of what the client saw.

use super::client::{Memory, Order, Seen, Verdict};
use super::world::{Service, World};
use crate::in_process::json_of;
use serde_json::Value;
use shared::domain::{CampaignId, Intent, IntentState, Platform, maintenance};
use shared::store::table_keys;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// Far beyond anything that may be due.
const FAR: jiff::SignedDuration = jiff::SignedDuration::from_hours(24 * 365);

/// A campaign as its platform shows it.
struct Held {
    platform: Platform,
    account: String,
    id: String,
    name: String,
    budget: String,
    is_paused: bool,
}

impl Held {
    fn of(card: &Value) -> Held {
        let text = |name: &str| match &card[name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let budget = text("budget");
        let budget = if budget.contains('.') { budget.trim_end_matches('0').trim_end_matches('.') } else { &budget };
        Held {
            platform: Platform::parse(&text("platform")).expect("a platform"),
            account: text("account").trim_start_matches("act_").to_owned(),
            id: text("id"),
            name: text("name"),
            budget: budget.to_owned(),
            is_paused: ["PAUSED", "DISABLE"].contains(&text("status").as_str()),
        }
    }

    fn is(&self, id: &CampaignId, account: &str) -> bool {
        id.platform() == self.platform && account == self.account && id.remote_in(account) == Some(&self.id)
    }
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "campaign {} \"{}\" over {} in {} {}", self.id, self.name, self.budget, self.platform, self.account)
    }
}

/// All intents that the table has.
pub(super) async fn intents(world: &World) -> Vec<Intent> {
    let store = &world.clean().app.store;
    let mut intents = Vec::new();
    for id in world.sort_keys().iter().filter_map(|sk| table_keys::parse_intent_sk(sk)) {
        intents.extend(store.intent(world.customer, id).await.expect("the table"));
    }
    intents
}

/// Holds the end of a run against all that is promised.
pub(super) async fn check(world: &World, memory: &Memory, orders: &[Order]) {
    let intents = intents(world).await;
    let held: Vec<Held> = world.campaigns().await.iter().map(Held::of).collect();
    let checked = Checked { world, memory, service: world.clean(), intents, held };
    checked.every_campaign_has_one_intent();
    checked.every_intent_is_final();
    checked.nothing_is_made_twice(orders);
    let due = checked.service.app.store.due_intents(world.now() + FAR, 100).await.expect("the table");
    checked.expect(due.is_empty(), || format!("still due: {due:?}"));
    for seen in memory.answers() {
        checked.what_was_seen_is_true(&seen).await;
    }
    checked.what_was_named_can_be_read().await;
    checked.one_key_names_one_campaign();
}

struct Checked<'a> {
    world: &'a World,
    memory: &'a Memory,
    service: Service,
    intents: Vec<Intent>,
    held: Vec<Held>,
}

impl Checked<'_> {
    fn expect(&self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.memory.object(what());
        }
    }

    fn every_campaign_has_one_intent(&self) {
        for held in &self.held {
            let is_of =
                |intent: &&Intent| matches!(&intent.state, IntentState::Created(id) if held.is(id, &intent.account_id));
            let owners: Vec<&Intent> = self.intents.iter().filter(is_of).collect();
            match owners.as_slice() {
                [] => self.memory.object(format!("orphan: {held}; intents: {:?}", self.states())),
                [owner] => {
                    let draft = &owner.draft;
                    let is_as_ordered = draft.name == held.name && draft.budget_amount.to_string() == held.budget;
                    self.expect(is_as_ordered, || format!("{held} is not what {} ordered: {draft:?}", owner.id));
                    self.expect(held.is_paused, || format!("{held} is not paused"));
                }
                several => {
                    let several: Vec<String> = several.iter().map(|intent| intent.id.to_string()).collect();
                    self.memory.object(format!("{held} is of several intents: {several:?}"));
                }
            }
        }
    }

    fn states(&self) -> Vec<(String, IntentState)> {
        self.intents.iter().map(|intent| (intent.id.to_string(), intent.state.clone())).collect()
    }

    fn every_intent_is_final(&self) {
        for intent in &self.intents {
            let exists = match &intent.state {
                IntentState::Created(id) => self.held.iter().any(|held| held.is(id, &intent.account_id)),
                _ => true,
            };
            self.expect(exists, || format!("{} came to a campaign that is not there", intent.id));
            self.expect(intent.state != IntentState::Unknown, || format!("{} is still unknown", intent.id));
        }
    }

    /// However often an order was sent, there is one campaign of it at most in each account.
    fn nothing_is_made_twice(&self, orders: &[Order]) {
        let mut made: BTreeMap<(Platform, &str, &str, &str), usize> = BTreeMap::new();
        for held in &self.held {
            *made.entry((held.platform, &held.account, &held.name, &held.budget)).or_default() += 1;
        }
        for ((platform, account, name, budget), count) in made {
            let is_for = |order: &&Order| {
                order.name == name
                    && order.budget.to_string() == budget
                    && order.targets.iter().any(|target| target.0 == platform && target.1 == account)
            };
            let ordered = orders.iter().filter(is_for).count();
            self.expect(count <= ordered, || {
                format!("duplicate: {count} campaigns \"{name}\" in {platform} {account}, of {ordered} orders")
            });
        }
    }

    async fn what_was_seen_is_true(&self, seen: &Seen) {
        // A replay says what an earlier request came to, and is no attempt of its own.
        if seen.is_replay {
            return;
        }
        let states = self.states_of(seen).await;
        for (target, verdict) in seen.verdicts().iter().enumerate() {
            let state = states.as_ref().and_then(|states| states.get(target));
            match verdict {
                Verdict::Created(id) => {
                    let says = state.map(|state| (state["state"].as_str(), state["campaign_id"].as_str()));
                    let right = Some((Some("created"), Some(id.as_str())));
                    self.expect(says == right, || format!("{id} was answered, and the intent says {says:?}"));
                }
                Verdict::Unknown { is_retryable } => {
                    let is_keyed = seen.order.key.is_some();
                    self.expect(*is_retryable == is_keyed, || format!("doubtful and retryable: {}", seen.text));
                    // Where nothing could be kept the answer says so, and that there may be none.
                    let is_told = state.is_some() || seen.text.contains("Nothing was sent to an ad platform.");
                    self.expect(is_told, || format!("doubtful, and no intent: {}", seen.text));
                }
                Verdict::Failed { .. } => {
                    let is_created = state.is_some_and(|state| state["state"] == "created");
                    let is_wrong = is_created && seen.order.key.is_none();
                    self.expect(!is_wrong, || format!("it was made, and the answer was: {}", seen.text));
                }
            }
        }
    }

    async fn what_was_named_can_be_read(&self) {
        let verdicts = self.memory.answers().into_iter().flat_map(|seen| seen.verdicts());
        let named = verdicts.filter_map(|verdict| match verdict {
            Verdict::Created(id) => Some(id),
            _ => None,
        });
        for id in named.collect::<BTreeSet<String>>() {
            let path = format!("/v1/campaigns/{id}");
            let mut read = self.get(&path).await;
            if read.0 == 429 {
                // No platform asks for a longer pause than the service accepts.
                sleep(Duration::from_secs(3_600)).await;
                read = self.get(&path).await;
            }
            let (status, body) = read;
            self.expect(status == 200, || format!("{id} was answered, and reading it says {body}"));
        }
    }

    /// What the service says became of a request's targets; nothing when it never began.
    async fn states_of(&self, seen: &Seen) -> Option<Vec<Value>> {
        let (status, body) = self.get(&format!("/v1/campaigns/intents/{}", seen.request_id)).await;
        if status == 404 {
            return None;
        }
        let targets = body["targets"].as_array().cloned();
        self.expect(targets.is_some(), || format!("the intents of an answer are not told: {status} {body}"));
        for target in targets.iter().flatten() {
            self.expect(target["state"] != "unknown", || format!("still unknown: {target}"));
        }
        targets
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.world.request("GET", path, None, "");
        let answer = campaigns::answer(Arc::clone(&self.service.app), request).await;
        (answer.status().as_u16(), json_of(answer.body()))
    }

    /// Answers to one key never name different campaigns, and all replays are the same.
    fn one_key_names_one_campaign(&self) {
        let mut named: BTreeMap<(String, usize), String> = BTreeMap::new();
        let mut replays: BTreeMap<String, String> = BTreeMap::new();
        for seen in self.memory.answers() {
            let Some(key) = &seen.order.key else { continue };
            for (target, verdict) in seen.verdicts().into_iter().enumerate() {
                let Verdict::Created(id) = verdict else { continue };
                let first = named.entry((key.clone(), target)).or_insert_with(|| id.clone());
                self.expect(*first == id, || format!("key {key} made {first} and {id}"));
            }
            if seen.is_replay {
                let first = replays.entry(key.clone()).or_insert_with(|| seen.text.clone());
                self.expect(*first == seen.text, || format!("key {key} is answered {first} and {}", seen.text));
            }
        }
    }
}

/// Whether all that a doubtful answer left open is known now.
pub(super) async fn is_settled(world: &World) -> bool {
    intents(world).await.iter().all(|intent| intent.state != IntentState::Unknown)
}

/// How long after a doubtful answer that has to be so, and a little for the last look.
pub(super) const SETTLED_AFTER: Duration = Duration::from_secs(maintenance::INTERVAL.unsigned_abs().as_secs() + 1);
