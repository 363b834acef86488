//! The rules of the platform, asked of it in its own form at a fixed time.

mod changes;
mod creates;
mod lists;
mod quirks;
mod requests;

use jiff::Timestamp;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::{CLIENT, Gamma};
use crate::fields::changed;
use crate::http::{Reply, Request};
use crate::platform::{Platform, RequestContext, Settings};

const USD: &str = "7301002003004005001";
const JPY: &str = "7301002003004005002";
const KWD: &str = "7301002003004005003";
const EUR: &str = "7301002003004005004";

const NOON: &str = "2026-03-02T12:00:00Z";

/// A platform of which all accounts but the one in EUR are open to the token `token`.
struct Scene {
    gamma: Gamma,
    now: Timestamp,
    settings: Settings,
}

impl Scene {
    fn new() -> Self {
        let mut gamma = Gamma::default();
        let now: Timestamp = NOON.parse().unwrap();
        gamma.grants.open(CLIENT.id, [USD, JPY, KWD].map(str::to_owned).to_vec(), &[], now.as_second(), 60);
        Self { gamma, now, settings: Settings::default() }
    }

    fn quirk(&mut self, name: &'static str) {
        self.settings.quirks.insert(name);
    }

    fn send(&mut self, request: &Request) -> Reply {
        let moment = RequestContext { now: self.now, settings: &self.settings };
        self.gamma.answer(request, &moment)
    }

    /// The answer, which is HTTP 200 whatever it says.
    fn told(&mut self, request: &Request) -> Value {
        let reply = self.send(request);
        assert_eq!(reply.status, 200, "{}", reply.body);
        serde_json::from_str(&reply.body).unwrap()
    }

    fn post(&mut self, path: &str, body: &Value) -> Value {
        self.told(&request("POST", path, "", &body.to_string()))
    }

    fn get(&mut self, path: &str, query: &[(&str, &str)]) -> Value {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        self.told(&request("GET", path, &query, ""))
    }

    /// The id of a campaign that has to come of it.
    fn made(&mut self, path: &str, body: &Value) -> String {
        let answer = self.post(path, body);
        assert_eq!(answer["code"], 0, "{answer}");
        answer["data"]["campaign_id"].as_str().unwrap().to_owned()
    }

    /// One more campaign of its own name.
    fn campaign(&mut self) -> String {
        let name = format!("Campaign {}", self.gamma.last_campaign);
        self.made(CREATE, &manual(json!({ "campaign_name": name })))
    }

    fn spend(&mut self, campaign: &str, amount: &str) {
        assert!(self.gamma.spend(campaign, amount, self.now).is_ok());
    }

    fn list(&mut self, more: &[(&str, &str)]) -> Value {
        let mut query = vec![("advertiser_id", USD)];
        query.extend(more);
        self.get("/campaign/get/", &query)
    }

    fn switch(&mut self, campaign: &str, to: &str) -> Value {
        let body = json!({ "advertiser_id": USD, "campaign_ids": [campaign], "operation_status": to });
        self.post("/campaign/status/update/", &body)
    }
}

const CREATE: &str = "/campaign/create/";
const SMART: &str = "/smart_plus/campaign/create/";

fn request(method: &str, path: &str, query: &str, body: &str) -> Request {
    let headers = [("access-token", "token"), ("content-type", "application/json; charset=utf-8")];
    Request {
        method: method.to_owned(),
        path: format!("/open_api/v1.3{path}"),
        query: query.to_owned(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        body: body.to_owned(),
    }
}

/// Code and message of an answer.
fn outcome(answer: &Value) -> (u64, &str) {
    (answer["code"].as_u64().unwrap(), answer["message"].as_str().unwrap())
}

fn refused(answer: &Value, code: u64, word: &str) {
    let (told, message) = outcome(answer);
    assert_eq!(told, code, "{answer}");
    assert!(message.contains(word), "{word}: {answer}");
    assert_eq!(answer["data"], json!({}));
}

fn ids(answer: &Value) -> Vec<&str> {
    assert_eq!(answer["code"], 0, "{answer}");
    let list = answer["data"]["list"].as_array().unwrap();
    list.iter().map(|row| row["campaign_id"].as_str().unwrap()).collect()
}

fn with(base: Value, changes: Value) -> Value {
    changed(base, &changes, &Value::Null)
}

/// A manual campaign on a daily budget; null leaves a field out.
fn manual(changes: Value) -> Value {
    let campaign = json!({
        "advertiser_id": USD,
        "campaign_name": "Winter sale",
        "objective_type": "TRAFFIC",
        "budget_mode": "BUDGET_MODE_DAY",
        "budget": 50,
    });
    with(campaign, changes)
}

/// An Upgraded Smart+ campaign on its usual budget.
fn smart(changes: Value) -> Value {
    let campaign = json!({
        "advertiser_id": USD,
        "campaign_name": "Winter sale",
        "objective_type": "LEAD_GENERATION",
        "budget": 50,
        "request_id": "1",
    });
    with(campaign, changes)
}
