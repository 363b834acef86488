//! A hostile agent: random calls of all tools with a limited key, from two processes at a time, with tokens that are old,
//! altered, of other arguments or of other tools, while responses are lost, days pass and a person changes campaigns. The
//! sandbox's books say what runs, what was bought, and that nothing outside of the agent's accounts was touched.
//!
//! ```sh
//! HOSTILE_CALLS=10000 cargo test -p tests agents::hostile -- --nocapture
//! ```

use super::{Agent, ToolAnswer, books, draft};
use crate::random::Random;
use crate::sample::Sample;
use crate::spending::{Stage, daily, running_of};
use futures_util::future::join_all;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::Platform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// Calls unless `HOSTILE_CALLS` is set.
const CALLS: usize = 500;
const CAP: i64 = 300;
const FAULTS: [&str; 5] = ["drop_after", "drop", "error", "throttle", "slow"];
/// Faults of updates: a confirmed create names its campaign.
const UPDATE_FAULTS: [&str; 6] = ["drop_after", "drop", "error", "throttle", "slow", "ignored"];
const KINDS: [&str; 3] = ["create", "update", "delete"];

/// The ids and tokens that the agent knows.
struct Knowledge {
    random: Random,
    /// The agent's accounts first, then one that is not its own, and one that does not exist.
    connections: Vec<String>,
    campaigns: Vec<String>,
    /// Confirmed arguments by tool, as it has got them.
    tokens: Vec<(String, Value)>,
    names: u64,
    /// When maintenance last searched for the campaigns of unknown creates.
    searched_at: Timestamp,
}

impl Knowledge {
    fn amount(&mut self) -> Value {
        match self.random.below(12) {
            0 => json!(CAP * 100),
            1 => json!("70"),
            2 => json!(-50),
            3 => json!(0.001),
            _ => json!(50 + self.random.below(150)),
        }
    }

    fn date(&mut self) -> Value {
        let day = jiff::civil::date(2026, 12, 1) + jiff::Span::new().days(self.random.below(300).cast_signed());
        if self.random.chance(300) { Value::Null } else { json!(day.to_string()) }
    }

    fn create(&mut self) -> Value {
        self.names += 1;
        let connection = self.random.pick(&self.connections);
        let mut arguments = draft(&connection, &format!("Campaign {}", self.names), 50);
        arguments["budget_amount"] = self.amount();
        if self.random.chance(50) {
            arguments["currency"] = json!("EUR");
        }
        arguments
    }

    fn update(&mut self) -> Value {
        let mut arguments = json!({"campaign_id": self.random.pick(&self.campaigns)});
        match self.random.below(8) {
            6 => arguments["end_at"] = self.date(),
            7 => arguments["budget_period"] = json!(self.random.pick(&["DAILY", "LIFETIME"])),
            0 => arguments["status"] = json!("PAUSED"),
            1 | 2 => arguments["status"] = json!("ACTIVE"),
            3 => (arguments["status"], arguments["budget_amount"]) = (json!("ACTIVE"), self.amount()),
            4 => arguments["name"] = json!(format!("Renamed {}", self.random.below(9))),
            _ => arguments["budget_amount"] = self.amount(),
        }
        if self.random.chance(900) {
            arguments["currency"] = json!("USD");
        }
        if self.random.chance(30) {
            arguments["budget_cents"] = json!(5_000);
        }
        arguments
    }

    fn arguments(&mut self, kind: &str) -> Value {
        match kind {
            "create" => self.create(),
            "update" => self.update(),
            _ => json!({"campaign_id": self.random.pick(&self.campaigns)}),
        }
    }

    /// A call: often one with a token, which may be used, old, altered or of something else.
    fn next(&mut self) -> (String, Value) {
        match self.random.below(20) {
            0 => ("list_accounts".to_owned(), json!({})),
            1 => ("list_campaigns".to_owned(), json!({"limit": 1 + self.random.below(30)})),
            2 => ("get_limits".to_owned(), json!({})),
            3 => ("get_campaign".to_owned(), json!({"campaign_id": self.random.pick(&self.campaigns)})),
            4 => ("pause_campaign".to_owned(), json!({"campaign_id": self.random.pick(&self.campaigns)})),
            5..=11 => {
                let kind = match self.random.below(12) {
                    0 => "delete",
                    1..=3 => "create",
                    _ => "update",
                };
                (("preview_change").to_owned(), json!({"kind": kind, "arguments": self.arguments(kind)}))
            }
            _ if self.tokens.is_empty() => ("get_limits".to_owned(), json!({})),
            _ => self.confirmation(),
        }
    }

    fn confirmation(&mut self) -> (String, Value) {
        let recent = self.tokens.len().saturating_sub(4) as u64;
        let place = if self.random.chance(850) { recent + self.random.below(4) } else { self.random.below(1_000_000) };
        let place = usize::try_from(place).expect("an index") % self.tokens.len();
        let (tool, mut arguments) = self.tokens[place].clone();
        match self.random.below(12) {
            0 => arguments["budget_amount"] = self.amount(),
            1 => {
                let kind = self.random.pick(&KINDS);
                return (format!("{kind}_campaign"), arguments);
            }
            2 => {
                let mut token = arguments["confirm_token"].as_str().expect("a token").to_owned().into_bytes();
                let place = usize::try_from(self.random.below(token.len() as u64)).expect("an index");
                token[place] = b'A';
                arguments["confirm_token"] = json!(String::from_utf8(token).expect("a text"));
            }
            _ => {}
        }
        (tool, arguments)
    }

    fn learn(&mut self, tool: &str, arguments: &Value, answer: &ToolAnswer) {
        if answer.is_error {
            return;
        }
        if tool == "preview_change" {
            let mut confirmed = arguments["arguments"].clone();
            confirmed["confirm_token"] = answer.content["confirm_token"].clone();
            let kind = arguments["kind"].as_str().expect("a kind");
            self.tokens.push((format!("{kind}_campaign"), confirmed));
        }
        if tool == "delete_campaign" {
            // The own campaign and the foreign one stay known.
            let kept =
                self.campaigns.iter().enumerate().filter(|(place, id)| *place < 2 || arguments["campaign_id"] != **id);
            self.campaigns = kept.map(|(_, id)| id.clone()).collect();
        }
        if tool == "create_campaign"
            && let Some(id) = answer.content["campaign"]["id"].as_str()
            && !self.campaigns.iter().any(|known| known == id)
        {
            self.campaigns.push(id.to_owned());
        }
    }
}

/// The campaigns of a platform that is not the agent's, as the books have them.
async fn foreign(stage: &Stage) -> Vec<Value> {
    books(&stage.owner).await.into_iter().filter(|one| one["platform"] == "zeta_ads").collect()
}

#[tokio::test(start_paused = true)]
async fn a_hostile_agent_stays_in_its_limit_and_accounts_and_buys_nothing_twice() {
    let calls = std::env::var("HOSTILE_CALLS").map_or(CALLS, |calls| calls.parse().expect("a number of calls"));
    let platforms = [Platform::Alpha, Platform::Gamma, Platform::Epsilon, Platform::Zeta];
    let stage = Stage::with(&platforms, |connections| {
        let own: Vec<String> =
            connections.iter().filter(|one| *one != connections.last().expect("one")).cloned().collect();
        daily(&own, CAP)
    })
    .await;
    let foreign_campaign = stage.campaign(Platform::Zeta, "Foreign", 60).await;
    let untouched = foreign(&stage).await;
    let mut mind = Knowledge {
        random: Random::new(34 + Sample::of_run().first_seed()),
        connections: [&stage.connections[..], &["conn_00000000000000000000000000000000".to_owned()]].concat(),
        campaigns: vec![stage.campaign(Platform::Epsilon, "Own", 50).await, foreign_campaign],
        tokens: Vec::new(),
        names: 0,
        searched_at: Timestamp::MIN,
    };
    let processes: [Arc<App>; 2] = [Arc::clone(&stage.app), Arc::new(stage.owner.straight())];
    let mut refusals = BTreeMap::<String, usize>::new();
    let (mut ran, mut made, mut applied) = (Decimal::ZERO, 0, 0);
    while made < calls {
        sleep(Duration::from_secs(1)).await;
        disturb(&stage, &mut mind).await;
        let batch: Vec<(String, Value)> = processes.iter().map(|_| mind.next()).collect();
        let sends = batch
            .iter()
            .zip(&processes)
            .map(async |((tool, arguments), app)| Agent { app, world: &stage.limited }.call_now(tool, arguments).await);
        for ((tool, arguments), answer) in batch.iter().zip(join_all(sends).await) {
            made += 1;
            applied += usize::from(answer.content["state"] == "applied");
            mind.learn(tool, arguments, &answer);
            if answer.is_error {
                *refusals.entry(answer.refusal().0).or_default() += 1;
            }
        }
        let running = running_of(books(&stage.owner).await.iter().filter(|one| !may_be_unseen(one, mind.searched_at)));
        assert!(running <= ran.max(CAP.into()), "call {made}: {running} runs, {ran} before");
        ran = running;
    }
    stage.owner.control("POST", "reset", &json!({})).await;
    stage.minutes(30).await;
    assert_eq!(foreign(&stage).await, untouched, "nothing outside of its accounts");
    let bought = books(&stage.owner).await;
    let created: Vec<String> = bought.iter().map(|one| one["remote_id"].to_string() + &one["id"].to_string()).collect();
    assert_eq!(created.iter().collect::<BTreeSet<_>>().len(), created.len());
    bought_once(&stage, &bought).await;
    println!("{made} calls, {applied} changes applied, {} campaigns, refused {refusals:?}", bought.len());
    assert!(applied * 20 > made, "{applied} of {made} calls changed something");
}

/// Whether the service may not have seen this campaign yet. TikTok ignores that a campaign is created paused: one whose
/// response is lost is active until a search finds and pauses it, which a throttled account delays.
fn may_be_unseen(campaign: &Value, searched_at: Timestamp) -> bool {
    let created = campaign["created"].as_str().expect("a time").parse::<Timestamp>().expect("a timestamp");
    campaign["platform"] == "gamma_ads" && created > searched_at
}

/// Each create of the history has its own campaign, and the books have no other.
async fn bought_once(stage: &Stage, bought: &[Value]) {
    let (mut creates, mut cursor) = (0, String::new());
    loop {
        let path = format!("/v1/changes?kind=create&state=applied&limit=100{cursor}");
        let page = stage.owner("GET", &path, &Value::Null).await;
        creates += page["changes"].as_array().expect("a list").len();
        match page["pagination"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(creates, bought.len(), "a campaign for each create, and no other");
}

/// Faults, days and people.
async fn disturb(stage: &Stage, mind: &mut Knowledge) {
    match mind.random.below(40) {
        0 => {
            let platform = mind.random.pick(&[Platform::Epsilon, Platform::Alpha, Platform::Gamma]);
            let operation = mind.random.pick(&["create", "update"]);
            let faults = if operation == "update" { &UPDATE_FAULTS[..] } else { &FAULTS[..] };
            stage.fault(platform, operation, mind.random.pick(faults), 1).await;
        }
        1 => {
            // A throttled account of TikTok is left alone for five minutes, and the pause of a campaign may meet two.
            stage.minutes(11).await;
            mind.searched_at = stage.owner.clock.now();
        }
        2 => stage.hours(25).await,
        3 => {
            // The person pauses one of the agent's campaigns, if there is one still.
            let path = format!("/v1/campaigns/{}", mind.campaigns[0]);
            crate::spending::send_now(&stage.app, &stage.owner, "PATCH", &path, &json!({"status": "PAUSED"})).await;
        }
        _ => {}
    }
}
