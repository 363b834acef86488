//! Tests the platform through its HTTP API, at a fixed time.

mod ads;
mod changes;
mod creates;
mod lists;
mod quirks;
mod reports;
mod requests;

use super::{CLIENT, Gamma};
use crate::fields::changed;
use crate::http::Request;
use crate::platform::AdPlatform;
use serde_json::{Value, json};
use url::form_urlencoded;

const USD: &str = "7301002003004005001";
const JPY: &str = "7301002003004005002";
const KWD: &str = "7301002003004005003";
const EUR: &str = "7301002003004005004";

/// A platform with a clock and settings. The token `token` grants access to every account but the one in EUR.
type Session = crate::session::Session<Gamma>;

impl Session {
    fn new() -> Self {
        let mut session = Self::at_noon();
        let accounts = [USD, JPY, KWD].map(str::to_owned).to_vec();
        session.platform.grants.open(CLIENT.id, accounts, &[], session.now.as_second(), 60);
        session
    }

    /// The body of a response, which always has status 200.
    fn send_json(&mut self, request: &Request) -> Value {
        let response = self.send(request);
        assert_eq!(response.status, 200, "{}", response.body);
        serde_json::from_str(&response.body).unwrap()
    }

    fn post(&mut self, path: &str, body: &Value) -> Value {
        self.send_json(&request("POST", path, "", &body.to_string()))
    }

    fn get(&mut self, path: &str, query: &[(&str, &str)]) -> Value {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        self.send_json(&request("GET", path, &query, ""))
    }

    /// Creates a campaign and returns its id.
    fn create(&mut self, path: &str, body: &Value) -> String {
        let response = self.post(path, body);
        assert_eq!(response["code"], 0, "{response}");
        response["data"]["campaign_id"].as_str().unwrap().to_owned()
    }

    /// Creates a manual campaign with a unique name.
    fn campaign(&mut self) -> String {
        let name = format!("Campaign {}", self.platform.last_campaign);
        self.create(CREATE, &manual(json!({ "campaign_name": name })))
    }

    fn spend(&mut self, campaign: &str, amount: &str) {
        assert!(self.platform.spend(campaign, amount, self.now).is_ok());
    }

    fn list(&mut self, parameters: &[(&str, &str)]) -> Value {
        let mut query = vec![("advertiser_id", USD)];
        query.extend(parameters);
        self.get("/campaign/get/", &query)
    }

    fn set_status(&mut self, campaign: &str, status: &str) -> Value {
        let body = json!({ "advertiser_id": USD, "campaign_ids": [campaign], "operation_status": status });
        self.post("/campaign/status/update/", &body)
    }
}

const CREATE: &str = "/campaign/create/";
const SMART: &str = "/smart_plus/campaign/create/";

fn request(method: &str, path: &str, query: &str, body: &str) -> Request {
    let headers = [("access-token", "token"), ("content-type", "application/json; charset=utf-8")];
    crate::session::request(method, &format!("/open_api/v1.3{path}?{query}"), &headers, body)
}

/// Code and message of a response.
fn code_and_message(response: &Value) -> (u64, &str) {
    (response["code"].as_u64().unwrap(), response["message"].as_str().unwrap())
}

fn assert_error(response: &Value, code: u64, word: &str) {
    let (actual, message) = code_and_message(response);
    assert_eq!(actual, code, "{response}");
    assert!(message.contains(word), "{word}: {response}");
    assert_eq!(response["data"], json!({}));
}

fn ids(response: &Value) -> Vec<&str> {
    assert_eq!(response["code"], 0, "{response}");
    let list = response["data"]["list"].as_array().unwrap();
    list.iter().map(|row| row["campaign_id"].as_str().unwrap()).collect()
}

fn with(base: Value, changes: Value) -> Value {
    changed(base, &changes, &Value::Null)
}

/// A manual campaign with a daily budget. A null in `changes` omits the field.
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

/// An Upgraded Smart+ campaign with the default budget mode.
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
