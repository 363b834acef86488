//! The payment provider of a history: its subscriptions, the events about them, and its API.

use crate::random::Random;
use async_trait::async_trait;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::time::sleep;

pub(super) const PAYMENT_CUSTOMER: &str = "cus_of_the_history";
const MONTH_S: i64 = 30 * 24 * 60 * 60;
const KINDS: [&str; 5] = [
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "checkout.session.completed",
    "invoice.paid",
];

/// A subscription at the provider.
#[derive(Clone, Debug)]
pub(super) struct Subscription {
    pub(super) id: String,
    created: i64,
    pub(super) status: &'static str,
    plan: &'static str,
    periods: i64,
    pub(super) cancels: bool,
}

impl Subscription {
    pub(super) fn has_ended(&self) -> bool {
        self.status == "canceled"
    }

    pub(super) fn effective_plan(&self) -> &'static str {
        if matches!(self.status, "active" | "trialing" | "past_due") { self.plan } else { "starter" }
    }

    pub(super) fn start(&self) -> i64 {
        self.created + self.periods * MONTH_S
    }

    fn object(&self) -> Value {
        json!({
            "id": self.id, "object": "subscription", "customer": PAYMENT_CUSTOMER, "status": self.status, "created": self.created,
            "cancel_at_period_end": self.cancels, "metadata": {}, "items": {"object": "list", "has_more": false,
                "data": [{"id": "si_1", "price": {"id": format!("price_{}", self.plan)},
                    "current_period_start": self.start(), "current_period_end": self.start() + MONTH_S}]},
        })
    }
}

/// State of one history.
pub(super) struct History {
    pub(super) random: Random,
    pub(super) subscriptions: Vec<Subscription>,
    pub(super) reads: usize,
    pub(super) events: Vec<String>,
    pub(super) faults: bool,
}

#[derive(Clone)]
pub(super) struct SharedHistory(pub(super) Arc<Mutex<History>>);

impl SharedHistory {
    pub(super) fn lock(&self) -> MutexGuard<'_, History> {
        self.0.lock().expect("the history")
    }

    pub(super) fn below(&self, end: u64) -> u64 {
        self.lock().random.below(end)
    }
}

impl std::fmt::Debug for SharedHistory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedHistory")
    }
}

impl History {
    /// Changes or starts a subscription, and adds one or two events about it.
    pub(super) fn step(&mut self, now: i64) {
        let has_active = self.subscriptions.last().is_some_and(|last| !last.has_ended());
        if has_active {
            self.change();
        } else {
            let number = self.subscriptions.len();
            // Distinct creation times: two subscriptions may start in the same second.
            let created = self.subscriptions.last().map_or(now, |last| now.max(last.created + 1));
            self.subscriptions.push(Subscription {
                id: format!("sub_{number}"),
                created,
                status: self.random.pick(&["active", "trialing", "incomplete"]),
                plan: self.random.pick(&["starter", "pro", "enterprise"]),
                periods: 0,
                cancels: false,
            });
        }
        let last = self.subscriptions.last().expect("a subscription").object();
        for _ in 0..=self.random.below(2) {
            let id = format!("evt_{}", self.events.len());
            let kind = self.random.pick(&KINDS);
            let event = json!({"id": id, "object": "event", "type": kind, "created": now, "data": {"object": last}});
            self.events.push(event.to_string());
        }
    }

    fn change(&mut self) {
        let what = self.random.below(7);
        let plan = self.random.pick(&["starter", "pro", "enterprise"]);
        let last = self.subscriptions.last_mut().expect("a subscription");
        match what {
            0 => last.plan = plan,
            1 => last.status = "past_due",
            2 => last.status = "active",
            3 => last.status = "unpaid",
            4 => last.cancels = !last.cancels,
            5 => last.periods += 1,
            _ => last.status = "canceled",
        }
    }
}

/// The provider: it returns its state at some moment between request and response.
#[async_trait]
impl Transport for SharedHistory {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let request_delay = self.lock().random.millis(0, 100);
        sleep(request_delay).await;
        assert!(request.url.starts_with("http://provider/v1/subscriptions?customer="), "{}", request.url);
        let (data, response_delay, fault_roll) = {
            let mut history = self.lock();
            history.reads += 1;
            let faults = history.faults;
            let data: Vec<Value> = history.subscriptions.iter().rev().map(Subscription::object).collect();
            // Some responses are outdated when they arrive.
            let most = if history.random.chance(250) { 7_000 } else { 100 };
            (data, history.random.millis(0, most), if faults { history.random.below(100) } else { 99 })
        };
        sleep(response_delay).await;
        let body = json!({"object": "list", "has_more": false, "url": "/v1/subscriptions", "data": data}).to_string();
        let response = |status: StatusCode, body: String| OutboundResponse {
            status,
            headers: HeaderMap::new(),
            body: body.into(),
        };
        match fault_roll {
            0..3 => Err(Failure::Broken),
            3..6 => Ok(response(StatusCode::INTERNAL_SERVER_ERROR, "{}".to_owned())),
            6..8 => Ok(response(StatusCode::TOO_MANY_REQUESTS, "{}".to_owned())),
            _ => Ok(response(StatusCode::OK, body)),
        }
    }
}
