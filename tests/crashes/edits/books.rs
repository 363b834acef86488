//! The sandbox's books of a campaign, before and after each write that reaches its platform.

use crate::in_process::json_of;
use crate::in_process::network::ask;
use bytes::Bytes;
use http::{HeaderMap, Method};
use rust_decimal::Decimal;
use sandbox::InProcess;
use serde_json::Value;
use shared::outbound::{OutboundRequest, OutboundResponse};
use std::sync::{Arc, Mutex};

/// What an update or a removal can change of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) name: String,
    pub(super) status: String,
    pub(super) budget: Decimal,
}

/// A write that reached the platform.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// The process that sent it.
    pub(super) process: String,
    /// Method, address and body.
    pub(super) call: String,
    pub(super) after: Values,
}

/// The books of the run's only campaign.
#[derive(Clone, Default)]
pub(in crate::crashes) struct Books(Arc<Mutex<Option<Ledger>>>);

#[derive(Clone)]
struct Ledger {
    first: Values,
    writes: Vec<Write>,
}

impl Values {
    /// The values of a campaign in the control API or in a change. Every platform has its own words for a status.
    pub(super) fn of(campaign: &Value, budget: &str) -> Values {
        let text = |name: &str| match &campaign[name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let status = match text("status").as_str() {
            "ACTIVE" | "ENABLE" | "ENABLED" => "ACTIVE",
            "PAUSED" | "DISABLE" => "PAUSED",
            "ARCHIVED" | "DELETE" | "DELETED" | "REMOVED" => "REMOVED",
            other => panic!("the status {other}"),
        };
        let budget = text(budget).parse::<Decimal>().expect("a budget").normalize();
        Values { name: text("name"), status: status.to_owned(), budget }
    }
}

impl Books {
    /// Begins to record writes.
    pub(super) async fn watch(&self, sandbox: &InProcess) {
        let first = read(sandbox).await;
        *self.0.lock().expect("the books") = Some(Ledger { first, writes: Vec::new() });
    }

    /// Lets the platform handle a call. A write is recorded, even if it changes nothing.
    pub(in crate::crashes) async fn apply(
        &self,
        process: &str,
        sandbox: &InProcess,
        request: OutboundRequest,
    ) -> Option<OutboundResponse> {
        let is_watched = self.0.lock().expect("the books").is_some();
        let address = format!("{} {}", request.method, request.url);
        let call = format!("{address} {}", String::from_utf8_lossy(&request.body));
        if !is_watched || !is_write(&address) || is_check(&call) {
            return ask(sandbox, request).await;
        }
        let response = ask(sandbox, request).await;
        let after = read(sandbox).await;
        if let Some(ledger) = self.0.lock().expect("the books").as_mut() {
            ledger.writes.push(Write { process: process.to_owned(), call, after });
        }
        response
    }

    /// The writes so far.
    pub(super) fn writes(&self) -> Vec<Write> {
        self.0.lock().expect("the books").as_ref().map_or_else(Vec::new, |ledger| ledger.writes.clone())
    }

    /// The values at the beginning, and after each write.
    pub(super) fn states(&self) -> Vec<Values> {
        let ledger = self.0.lock().expect("the books").clone().expect("watched books");
        std::iter::once(ledger.first).chain(ledger.writes.into_iter().map(|write| write.after)).collect()
    }
}

/// Whether a call, by its method and address, may change a campaign. Some platforms read with POST, and tokens are
/// requested with it.
pub(super) fn is_write(call: &str) -> bool {
    !call.starts_with("GET") && !["googleAds:search", "/reports", "token"].iter().any(|part| call.contains(part))
}

/// Whether a call, with its body, only asks whether the platform would accept a write.
fn is_check(call: &str) -> bool {
    ["validateOnly", "validate_only"].iter().any(|part| call.contains(part))
}

/// The campaign that is watched: the first one in the sandbox's own list.
async fn read(sandbox: &InProcess) -> Values {
    let url = "http://sandbox/_sandbox/campaigns".to_owned();
    let request = OutboundRequest { method: Method::GET, url, headers: HeaderMap::new(), body: Bytes::new() };
    let listed = json_of(&ask(sandbox, request).await.expect("a response").body);
    Values::of(listed["campaigns"].as_array().expect("a list").first().expect("a campaign"), "budget")
}
