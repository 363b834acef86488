//! The create requests of the clients, and the responses to them.

use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::outbound::OutboundResponse;

/// Pseudo-random numbers from a seed (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number from `start` (inclusive) to `end` (exclusive).
    pub(crate) fn between(&mut self, start: u64, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        start + (mixed ^ (mixed >> 31)) % (end - start)
    }
}

/// A connected ad account.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) platform: String,
    pub(crate) id: String,
}

/// A `createCampaign` request. Its campaign name is unique.
#[derive(Clone, Debug)]
pub(crate) struct CreateRequest {
    pub(crate) name: String,
    /// A decimal without trailing zeros.
    pub(crate) budget: String,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) body: String,
    /// Number of campaigns to create.
    pub(crate) targets: usize,
}

impl CreateRequest {
    /// A random request: with or without an idempotency key, in one account or in all of them.
    pub(crate) fn random(name: String, accounts: &[Account], random: &mut Random) -> CreateRequest {
        let budget = format!("{}.{}", random.between(50, 900), random.between(1, 10));
        let amount: Value = serde_json::from_str(&budget).unwrap();
        let idempotency_key = (random.between(0, 3) > 0).then(|| format!("key of {name}").replace(' ', "-"));
        let mut body = json!({"name": name, "budget_amount": amount, "budget_period": "DAILY"});
        let targets = if random.between(0, 4) == 0 {
            let target = |account: &Account| {
                let platform = account.platform.trim_end_matches("_ads").to_uppercase();
                json!({"platform": platform, "organization_id": account.id, "budget_amount": amount})
            };
            body["goal"] = json!("WEBSITE_TRAFFIC");
            body["targets"] = accounts.iter().map(target).collect();
            accounts.len()
        } else {
            let account = usize::try_from(random.between(0, accounts.len() as u64)).unwrap();
            body["goal"] = json!("TRAFFIC");
            body["platform"] = json!(accounts[account].platform);
            1
        };
        CreateRequest { name, budget, idempotency_key, body: body.to_string(), targets }
    }
}

/// A response as a client receives it.
#[derive(Clone, Debug)]
pub(crate) struct ClientResponse {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) is_replayed: bool,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
}

impl ClientResponse {
    fn new(status: u16, headers: &http::HeaderMap, body: &[u8]) -> ClientResponse {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let text = String::from_utf8_lossy(body).into_owned();
        let is_replayed = header("idempotent-replayed") == Some("true");
        ClientResponse {
            status,
            text,
            is_replayed,
            retry_after: header("retry-after").and_then(|wait| wait.parse().ok()),
        }
    }

    /// The ids of the campaigns that the response reports as created.
    pub(crate) fn campaigns(&self) -> Vec<String> {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        let id = |campaign: &Value| campaign["id"].as_str().map(str::to_owned);
        match body["data"].as_array() {
            Some(results) => results.iter().filter_map(|result| id(&result["campaign"])).collect(),
            None => id(&body).into_iter().collect(),
        }
    }
}

impl From<&OutboundResponse> for ClientResponse {
    fn from(response: &OutboundResponse) -> ClientResponse {
        ClientResponse::new(response.status.as_u16(), &response.headers, &response.body)
    }
}

impl From<&Response<Body>> for ClientResponse {
    fn from(response: &Response<Body>) -> ClientResponse {
        ClientResponse::new(response.status().as_u16(), response.headers(), response.body())
    }
}

/// A create request and all responses to it so far.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) request: CreateRequest,
    pub(crate) responses: Vec<ClientResponse>,
    /// Number of attempts whose connection failed before a response.
    pub(crate) interrupted: usize,
}

impl Exchange {
    pub(crate) fn new(request: CreateRequest) -> Exchange {
        Exchange { request, responses: Vec::new(), interrupted: 0 }
    }

    /// Whether the client retries. Without an idempotency key it never does, whatever the response.
    pub(crate) fn is_open(&self) -> bool {
        let is_final = |received: &ClientResponse| received.status == 201 || received.is_replayed;
        self.request.idempotency_key.is_some() && !self.responses.last().is_some_and(is_final)
    }
}
