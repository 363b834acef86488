//! The client of a run: sends creates, waits as it is told, and remembers all that it saw.

use super::world::{Service, Target, World, text_of};
use crate::in_process::json_of;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep, timeout};
use uuid::Uuid;

/// After this the way to the service breaks the connection.
const GATEWAY: Duration = Duration::from_secs(30);
/// How long an answer may take.
const PROMISED: Duration = Duration::from_secs(28);
/// What a client waits that nobody tells how long.
const UNTOLD: Duration = Duration::from_secs(3);
/// So often a client asks before it says that there is no final answer.
const PATIENCE: usize = 200;

/// A create that a client wants.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) name: String,
    pub(super) budget: u64,
    pub(super) targets: Vec<Target>,
    pub(super) key: Option<String>,
}

/// An answer that the client saw.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) order: Order,
    pub(super) request_id: Uuid,
    pub(super) status: u16,
    pub(super) is_replay: bool,
    pub(super) retry_after: Option<Duration>,
    pub(super) text: String,
    pub(super) at: Instant,
}

/// What an answer says of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Created(String),
    Failed { code: String, is_retryable: bool },
    Unknown { is_retryable: bool },
}

/// What the client saw, and what was wrong about it.
#[derive(Clone, Default)]
pub(super) struct Memory {
    pub(super) seen: Arc<Mutex<Vec<Seen>>>,
    pub(super) wrong: Arc<Mutex<Vec<String>>>,
}

impl Order {
    pub(super) fn body(&self) -> Value {
        let Order { name, budget, targets, .. } = self;
        let goal = "WEBSITE_TRAFFIC";
        let mut body = json!({"name": name, "goal": goal, "budget_amount": budget, "budget_period": "DAILY"});
        let target =
            |(platform, account): &Target| json!({"platform": platform.as_upper(), "organization_id": account});
        match targets.as_slice() {
            [(platform, account)] => {
                body["platform"] = json!(platform.as_upper());
                body["organization_id"] = json!(account);
            }
            several => body["targets"] = several.iter().map(target).collect(),
        }
        body
    }
}

impl Seen {
    fn body(&self) -> Value {
        json_of(self.text.as_bytes())
    }

    /// What is said of each target, in their order.
    pub(super) fn verdicts(&self) -> Vec<Verdict> {
        let body = self.body();
        let id = |campaign: &Value| campaign["id"].as_str().expect("an id").to_owned();
        let error = |status: &str, error: &Value| {
            let (code, is_retryable) =
                (error["code"].as_str().unwrap_or_default().to_owned(), error["retryable"] == true);
            if status == "unknown" { Verdict::Unknown { is_retryable } } else { Verdict::Failed { code, is_retryable } }
        };
        let results = body["data"].as_array().or_else(|| body["error"]["results"].as_array());
        match results {
            Some(results) => results
                .iter()
                .map(|result| match result["status"].as_str().expect("a status") {
                    "created" => Verdict::Created(id(&result["campaign"])),
                    status => error(status, &result["error"]),
                })
                .collect(),
            None if self.status == 201 => vec![Verdict::Created(id(&body["data"]))],
            None => {
                // Without a key what is in doubt must not be sent again: where it may, nothing was sent.
                let was_not_sent = self.order.key.is_none() && body["error"]["retryable"] == true;
                let status = if self.status == 504 && !was_not_sent { "unknown" } else { "failed" };
                vec![error(status, &body["error"]); self.order.targets.len()]
            }
        }
    }

    /// Whether it is not known of a target what became of it.
    pub(super) fn is_doubtful(&self) -> bool {
        self.verdicts().iter().any(|verdict| matches!(verdict, Verdict::Unknown { .. }))
    }

    /// Whether the answer says of a target that the same may be sent again.
    fn is_retryable(&self) -> bool {
        let may = |verdict: &Verdict| match verdict {
            Verdict::Unknown { is_retryable } | Verdict::Failed { is_retryable, .. } => *is_retryable,
            Verdict::Created(_) => false,
        };
        self.verdicts().iter().any(may)
    }

    /// Whether the whole may be sent again without a key.
    pub(super) fn is_safe_to_repeat(&self) -> bool {
        let body = self.body();
        self.status >= 400 && body["error"]["retryable"] == true
    }

    pub(super) fn is_final(&self) -> bool {
        match self.status {
            201 | 207 => !self.is_retryable(),
            409 | 429 => false,
            status => status < 500 && !self.is_retryable(),
        }
    }
}

impl Memory {
    pub(super) fn object(&self, what: String) {
        self.wrong.lock().expect("the memory").push(what);
    }

    pub(super) fn answers(&self) -> Vec<Seen> {
        self.seen.lock().expect("the memory").clone()
    }

    /// Sends a create to a process; `None` when the client saw no answer.
    pub(super) async fn send(&self, world: &World, service: &Service, order: &Order) -> Option<Seen> {
        let asked = Instant::now();
        let request = world.request("POST", "/v1/campaigns", order.key.as_deref(), &order.body().to_string());
        let (process, app) = (service.process.clone(), Arc::clone(&service.app));
        // The process goes on when its client is gone.
        let work = tokio::spawn(async move { process.live(campaigns::answer(app, request)).await });
        let answered = match timeout(GATEWAY, work).await {
            Ok(answered) => answered.unwrap_or_else(|panicked| {
                self.object(format!("the service panicked: {panicked}"));
                None
            }),
            Err(_) => None,
        };
        if asked.elapsed() > PROMISED && !service.process.is_troubled() {
            self.object(format!("an answer took {:?}", asked.elapsed()));
        }
        let Some(response) = answered else {
            service.process.note("is not heard");
            return None;
        };
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let seen = Seen {
            order: order.clone(),
            request_id: header("x-request-id").and_then(|id| id.parse().ok()).expect("a request id"),
            status: response.status().as_u16(),
            is_replay: header("idempotent-replayed").is_some(),
            retry_after: header("retry-after").and_then(|text| text.parse().ok()).map(Duration::from_secs),
            text: text_of(&response),
            at: Instant::now(),
        };
        // Ids are drawn anew in every run.
        service.process.note(&format!("answers {}{}", seen.status, if seen.is_replay { ", again" } else { "" }));
        self.seen.lock().expect("the memory").push(seen.clone());
        Some(seen)
    }

    /// Sends the same until there is a final answer, and waits as it is told.
    pub(super) async fn insist(&self, world: &World, order: &Order) -> Option<Seen> {
        for _ in 0..PATIENCE {
            let service = world.start("retry");
            let seen = self.send(world, &service, order).await;
            let wait = match &seen {
                Some(seen) if seen.is_final() => return Some(seen.clone()),
                Some(seen) => seen.retry_after.unwrap_or(UNTOLD),
                None => UNTOLD,
            };
            sleep(wait).await;
        }
        let last = self.answers().last().map(|seen| seen.text.clone());
        self.object(format!("there is no final answer after {PATIENCE} times: {last:?}"));
        None
    }
}
